-- Clears a session's raw turns and its working set. Its summary stays.
-- KEYS: session
-- Returns {'OK'} | {'BUSY', run under way} | {'NONE'}
local s = redis.call('HMGET', KEYS[1], 'turns', 'raw_from', 'active')
if not s[1] then
  return { 'NONE' }
elseif s[3] and s[3] ~= '' then
  return { 'BUSY', s[3] }
end
redis.call('HDEL', KEYS[1], 'working')
forget_turns(KEYS[1], tonumber(s[2] or '0'), tonumber(s[1]))
return { 'OK' }
