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

-- Reads a list of pairs whose length comes first.
local function pairs_from(arg)
  local list = {}
  for i = 1, 2 * tonumber(arg()) do
    list[i] = arg()
  end
  return list
end

local DAY_MS = 86400000

-- Counts bytes that an owner writes, by the day of the write: they count for as long as records are kept.
local function charge(stored, now, bytes)
  redis.call('HINCRBY', stored, whole(math.floor(now / DAY_MS)), bytes)
end

-- Adds a run to an index of how runs end. Most finish: that has none.
local function index_end(names, id, created, now, index, name)
  redis.call('ZADD', index, created, id)
  redis.call('ZADD', names, 'NX', now, name)
end

-- Appends an id to a list of them (false for none), which forgets its oldest where it gets longer than `most` characters.
local function remembered(ids, id, most)
  ids = ids and ids .. ' ' .. id or id
  while #ids > most do
    ids = ids:gsub('^%S+ ', '')
  end
  return ids
end

-- How long a run waits for a holder before it is put into the outbox again, in case its job was lost (ms).
local JOB_LOST_AFTER = 5000

-- Names a run in the outbox and among the runs that wait for a holder.
local function queue_entry(id, epoch)
  return 'run|' .. id .. '|' .. epoch
end

-- Makes a run wait for a holder and puts it into the outbox.
local function enqueue(outbox, queued, now, id, epoch)
  local entry = queue_entry(id, epoch)
  redis.call('ZADD', outbox, now, entry)
  redis.call('ZADD', queued, whole(now + JOB_LOST_AFTER), entry)
end

-- Ends a run's turn in its session: appends the assistant's `turn` ('' for none) and, if the run is the session's active one, makes the
-- next waiting run active and queues it. Does nothing where the session has expired.
-- Returns how many of the session's entries are raw, where one was appended; and the run that was queued, if any.
local function leave_session(session, waiting, outbox, queued, id, now, turn)
  local s = redis.call('HMGET', session, 'active', 'queue', 'turns', 'raw_from')
  if not s[3] then
    return nil
  end
  local turns, said = tonumber(s[3]), {}
  local raw = turn ~= '' and turns + 1 - tonumber(s[4] or '0') or nil
  if turn ~= '' then
    said = { 'turns', turns + 1, 'turn:' .. turns, turn }
  end
  if s[1] ~= id then
    if turn ~= '' then
      redis.call('HSET', session, unpack(said))
    end
    return raw
  end
  local following = s[2] and redis.call('LPOP', waiting)
  redis.call('HSET', session, 'active', following or '', 'updated', now, unpack(said))
  if following then
    enqueue(outbox, queued, now, following, 1)
  elseif s[2] then
    redis.call('HDEL', session, 'queue')
  end
  return raw, following
end

-- Writes fields of a session: `set` in any case, `new` where the session does not have them yet. One that has expired stays gone.
-- Returns the bytes of what was written.
local function keep_in_session(session, set, new)
  if (#set == 0 and #new == 0) or redis.call('EXISTS', session) == 0 then
    return 0
  end
  local bytes = 0
  for i = 1, #set, 2 do
    redis.call('HSET', session, set[i], set[i + 1])
    bytes = bytes + #set[i + 1]
  end
  for i = 1, #new, 2 do
    bytes = bytes + redis.call('HSETNX', session, new[i], new[i + 1]) * #new[i + 1]
  end
  return bytes
end

-- Removes the raw entries from `from` to before `to` from a session.
local function forget_turns(session, from, to)
  for at = from, to - 1 do
    redis.call('HDEL', session, 'turn:' .. whole(at))
  end
  redis.call('HSET', session, 'raw_from', whole(to))
end

-- Puts what webhooks, or the receivers of a task, want to hear of into the outbox; `seq` is of the run's event that says it.
local function announce(outbox, at, type, run, seq, approval, state)
  redis.call('ZADD', outbox, at, table.concat({ 'webhook', type, run, seq, approval or '', state or '' }, '|'))
end

-- Appends to the decision log, and to the `list` of an approval, if the entry is about one. The link binds an entry (by its SHA-256 digest) to all before it.
local function audit(log, head, list, entry, digest)
  local link = redis.sha1hex((redis.call('GET', head) or '') .. digest)
  local place = redis.call('XADD', log, '*', 'entry', entry, 'digest', digest, 'link', link)
  redis.call('SET', head, link)
  if list then
    redis.call('RPUSH', list, place)
  end
end
