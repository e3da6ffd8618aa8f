-- Keeps a receiver of a task's push notifications in the record of the task's run, so that it is kept for as long. Without a text the
-- receiver is removed, whether it was there or not.
-- KEYS: run of the task, its latest run (the same, or the one that has answered its question)
-- ARGV: task, id of the receiver, its text, how many a task may have, the state in which its caller has seen the latest run
-- Returns OK | NONE (a run is not kept any more) | CHANGED (the latest run has another state by now) | FULL
local task, latest = KEYS[1], KEYS[2]
local name, id, text, most, seen = unpack(ARGV)
local t = redis.call('HMGET', task, 'state', 'pushes')
if not t[1] then
  return 'NONE'
end
local others = {}
for one in (t[2] or ''):gmatch('%S+') do
  if one ~= id then
    others[#others + 1] = one
  end
end
if text == '' then
  redis.call('HDEL', task, 'push:' .. id)
  if #others == 0 then
    redis.call('HDEL', task, 'pushes', 'notify')
  else
    redis.call('HSET', task, 'pushes', table.concat(others, ' '))
  end
  return 'OK'
end
local state = redis.call('HGET', latest, 'state')
if not state then
  return 'NONE'
elseif state ~= seen then
  return 'CHANGED'
elseif #others >= tonumber(most) then
  return 'FULL'
end
others[#others + 1] = id
redis.call('HSET', task, 'pushes', table.concat(others, ' '), 'push:' .. id, text, 'notify', name)
redis.call('HSET', latest, 'notify', name)
return 'OK'
