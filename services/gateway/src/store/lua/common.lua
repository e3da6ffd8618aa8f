-- Functions that several scripts share; script.ts puts this text before each of them.
local function clock()
  local t = redis.call('TIME')
  return t[1] * 1000 + math.floor(t[2] / 1000)
end

-- Formats a whole number. Redis formats Lua's numbers as doubles with 17 digits, which costs more each time.
local function whole(number)
  return string.format('%.0f', number)
end

-- Returns a function that reads the elements of KEYS or ARGV after `last`, one at a time.
local function reader(list, last)
  return function()
    last = last + 1
    return list[last]
  end
end

-- Ends a run's turn in its session: appends the assistant's `turn` ('' for none) and, if the run is the session's active one, makes the
-- next waiting run active and puts it into the outbox. Does nothing where the session has expired.
local function leave_session(session, waiting, outbox, id, now, turn)
  local s = redis.call('HMGET', session, 'active', 'queue', 'turns')
  if not s[3] then
    return
  end
  local turns, said = tonumber(s[3]), {}
  if turn ~= '' then
    said = { 'turns', turns + 1, 'turn:' .. turns, turn }
  end
  if s[1] ~= id then
    if turn ~= '' then
      redis.call('HSET', session, unpack(said))
    end
    return
  end
  local following = s[2] and redis.call('LPOP', waiting)
  redis.call('HSET', session, 'active', following or '', 'updated', now, unpack(said))
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
