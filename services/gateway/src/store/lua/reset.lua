-- Clears a session's raw turns, its working set and its dialogues. Its summary stays, and so does what its dialogues changed in the world.
-- KEYS: session
-- Returns {'OK'} | {'BUSY', run under way} | {'NONE'}
local s = redis.call('HMGET', KEYS[1], 'turns', 'raw_from', 'active')
if not s[1] then
  return { 'NONE' }
elseif s[3] and s[3] ~= '' then
  return { 'BUSY', s[3] }
end
redis.call('HDEL', KEYS[1], 'working')
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  if field:find('^dialogue:') or field:find('^state:') then
    redis.call('HDEL', KEYS[1], field)
  end
end
forget_turns(KEYS[1], tonumber(s[2] or '0'), tonumber(s[1]))
return { 'OK' }
