-- What several scripts share; put before each of them.
local function clock()
  local t = redis.call('TIME')
  return t[1] * 1000 + math.floor(t[2] / 1000)
end

-- A whole number as a script's argument: Redis writes Lua's numbers as doubles, with 17 digits, each time anew.
local function whole(number)
  return string.format('%.0f', number)
end

-- The session's run under way is over: the next one that waits becomes it, and goes to the queue.
local function leave_session(session, waiting, outbox, id, now)
  local s = redis.call('HMGET', session, 'active', 'queue')
  if s[1] ~= id then
    return
  end
  local following = s[2] and redis.call('LPOP', waiting)
  redis.call('HSET', session, 'active', following or '', 'updated', now)
  if following then
    redis.call('ZADD', outbox, now, 'run|' .. following .. '|1')
  elseif s[2] then
    redis.call('HDEL', session, 'queue')
  end
end

-- Appends to the decision log. The link binds an entry (by its SHA-256 digest) to all before it.
local function audit(log, head, list, entry, digest)
  local link = redis.sha1hex((redis.call('GET', head) or '') .. digest)
  local place = redis.call('XADD', log, '*', 'entry', entry, 'digest', digest, 'link', link)
  redis.call('SET', head, link)
  redis.call('RPUSH', list, place)
end
