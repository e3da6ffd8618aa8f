-- Accepts runs of one tenant: their records, their first events, the users' turns. Claims them for the calling replica, or leaves them
-- to the queue.
-- KEYS: sessions, runs, leases, outbox, queued, owners, open runs, names of indexes, then the indexes that any of the runs is in, then all
--   the run records, then per run: session, the owner's sessions, runs, open runs and stored bytes, the run whose inputs it takes where it
--   takes some, events where it has some, waiting where it may wait, idempotency where it has a key
-- ARGV: number of runs, lease_ms, session_ttl_s, idempotency_ttl_s, run_ttl_s, and what an owner may have: sessions, open runs, bytes; then
--   n, names of the indexes * n; then per run:
--   run_id, session_id, owner, kind, order, inputs ('' for none, 'of' for those of another run), turn, title, claim (1) or queue (0), last seq of its events (0: it has none yet) [, packed events],
--   when the session is busy (refuse|enqueue), the session's working set ('' leaves it as it is), body digest ('' without an
--   Idempotency-Key), the task whose receivers hear of it ('' for none) [, id and text of the task's first receiver ('' for none)], which of
--   the indexes it is in ('1 3'), deadline by the store's clock
-- Returns one answer a run: {'OK', state, fence} | {'BUSY', run under way} | {'REPLAY', run of this key} | {'MISMATCH'} | {'LATE', now} |
--   {'GONE'} (the run whose inputs it takes is not kept any more) | {'FOREIGN'} (the session is somebody else's) | {'QUOTA', which} (sessions|runs|bytes: the owner has as many as he may)
-- A command that is sent again finds the runs of the first (ids are unique per request) and gets the same answers.
local runs = tonumber(ARGV[1])
local of_indexes = tonumber(ARGV[9])
local first_run = 8 + of_indexes
local key, arg = reader(KEYS, first_run + runs), reader(ARGV, 9 + of_indexes)
local now = clock()
local at, lease = whole(now), whole(now + ARGV[2])
local session_ttl, run_ttl = tonumber(ARGV[3]), tonumber(ARGV[5])
local max_sessions, max_open, max_bytes = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
local resent = redis.call('EXISTS', unpack(KEYS, first_run + 1, first_run + runs)) > 0
-- What goes into the indexes, as scores and members: one write for all runs costs little more than one for one.
local to_sessions, to_runs, to_leases, to_outbox, to_queued, to_owners = {}, {}, {}, {}, {}, {}
local to_indexes = {}
-- By their keys of open runs: what the owners had before this group, and what it adds; and their order.
local owners, owners_met = {}, {}
for i = 1, of_indexes do
  to_indexes[i] = {}
end

-- Runs that a session remembers, latest last: how many characters their ids may take.
local SESSION_RUNS = 8000

local function add(list, first, second)
  list[#list + 1] = first
  list[#list + 1] = second
end

-- Sums what an owner has written since the oldest records that are kept, and forgets what is older.
local function bytes_in(stored)
  local oldest, sum = math.floor((now - run_ttl * 1000) / DAY_MS), 0
  local days = redis.call('HGETALL', stored)
  for i = 1, #days, 2 do
    if tonumber(days[i]) < oldest then
      redis.call('HDEL', stored, days[i])
    else
      sum = sum + days[i + 1]
    end
  end
  return sum
end

local function owner_of(name, sessions, runs, open, stored)
  if not owners[open] then
    owners[open] = { name = name, sessions = sessions, runs = runs, open = open, stored = stored, to_sessions = {}, to_runs = {},
      open_count = redis.call('ZCARD', open), session_count = redis.call('ZCARD', sessions), bytes = bytes_in(stored), new_bytes = 0 }
    owners_met[#owners_met + 1] = owners[open]
  end
  return owners[open]
end

local function write_sessions(own)
  if #own.to_sessions > 0 then
    redis.call('ZADD', own.sessions, unpack(own.to_sessions))
    own.to_sessions = {}
  end
end

-- Names what an owner has too much of for another run. Sessions leave the index late: those that have expired do not count.
local function used_up(is_new, own)
  if own.open_count + #own.to_runs / 2 >= max_open then
    return 'runs'
  end
  if is_new and own.session_count + #own.to_sessions / 2 >= max_sessions then
    -- Of those that this group adds, some may be in the index already.
    write_sessions(own)
    own.session_count = redis.call('ZCARD', own.sessions)
    if own.session_count >= max_sessions
      and redis.call('ZCOUNT', own.sessions, whole(now - session_ttl * 1000), '+inf') >= max_sessions then
      return 'sessions'
    end
  end
  if own.bytes + own.new_bytes >= max_bytes then
    return 'bytes'
  end
end

local function accept(run)
  local session, own_sessions, own_runs, own_open, stored = key(), key(), key(), key(), key()
  local id, session_id, owner, kind, order, inputs = arg(), arg(), arg(), arg(), arg(), arg()
  local inputs_of = inputs == 'of' and key()
  local turn, title, claim, to_seq = arg(), arg(), arg(), arg()
  local events, packed
  if to_seq ~= '0' then
    events, packed = key(), arg()
  end
  local waits = arg() == 'enqueue'
  local waiting = waits and key()
  local working = arg()
  local digest = arg()
  local idempotency = digest ~= '' and key()
  local notify, receiver, receiver_text = arg(), '', ''
  if notify ~= '' then
    receiver, receiver_text = arg(), arg()
  end
  local indexes, deadline = arg(), tonumber(arg())

  if resent then
    local own = redis.call('HMGET', run, 'state', 'fence')
    if own[1] then
      return { 'OK', own[1], tonumber(own[2]) }
    end
  end
  if idempotency then
    local known = redis.call('HMGET', idempotency, 'body', 'run')
    if known[1] and known[1] ~= digest then
      return { 'MISMATCH' }
    elseif known[1] then
      return { 'REPLAY', known[2] }
    end
  end
  if now > deadline then
    return { 'LATE', now }
  end
  local s = redis.call('HMGET', session, 'active', 'turns', 'owner', 'runs')
  -- One that was written before sessions had owners is nobody's.
  if s[2] and s[3] ~= owner then
    return { 'FOREIGN' }
  end
  if inputs_of then
    inputs = redis.call('HGET', inputs_of, 'inputs')
    if not inputs then
      return { 'GONE' }
    end
  end
  local busy = s[1] and s[1] ~= ''
  if busy and not waits then
    return { 'BUSY', s[1] }
  end
  local own = owner_of(owner, own_sessions, own_runs, own_open, stored)
  local quota = used_up(not s[2], own)
  if quota then
    return { 'QUOTA', quota }
  end
  local claims = claim == '1' and not busy
  local state, fence = claims and 'running' or 'queued', claims and '1' or '0'
  local record = { 'session', session_id, 'kind', kind, 'order', order, 'state', state, 'fence', fence, 'epoch', '1', 'attempts', fence,
    'seq', to_seq, 'bytes', packed and #packed or '0', 'created', at }
  if inputs ~= '' then
    add(record, 'inputs', inputs)
  end
  if notify ~= '' then
    add(record, 'notify', notify)
  end
  if receiver ~= '' then
    add(record, 'pushes', receiver)
    add(record, 'push:' .. receiver, receiver_text)
  end
  redis.call('HSET', run, unpack(record))
  if events then
    redis.call('XADD', events, to_seq .. '-0', 'e', packed)
  end
  if not s[2] then
    redis.call('HSET', session, 'created', at, 'owner', owner, 'title', title, 'updated', at, 'active', id, 'turns', '1', 'turn:0', turn,
      'runs', id)
    redis.call('EXPIRE', session, session_ttl)
  else
    redis.call('HSET', session, 'updated', at, busy and 'queue' or 'active', busy and '1' or id, 'turns', s[2] + 1, 'turn:' .. s[2], turn,
      'runs', remembered(s[4], id, SESSION_RUNS))
    -- Reading what is left is cheaper than writing it anew each time. More is left where the tenant's sessions are now kept for less.
    local left = redis.call('TTL', session)
    if left < session_ttl * 0.9 or left > session_ttl then
      redis.call('EXPIRE', session, session_ttl)
    end
  end
  if working ~= '' then
    redis.call('HSET', session, 'working', working)
  end
  for index in indexes:gmatch('%d+') do
    add(to_indexes[tonumber(index)], at, id)
  end
  add(to_sessions, at, session_id)
  add(to_runs, at, id)
  add(own.to_sessions, at, session_id)
  add(own.to_runs, at, id)
  own.new_bytes = own.new_bytes + #order + #inputs + #turn + #working
  if busy then
    redis.call('RPUSH', waiting, id)
  elseif claims then
    add(to_leases, lease, id)
  else
    add(to_outbox, at, queue_entry(id, 1))
    add(to_queued, whole(now + JOB_LOST_AFTER), queue_entry(id, 1))
  end
  if idempotency then
    redis.call('HSET', idempotency, 'body', digest, 'run', id)
    redis.call('EXPIRE', idempotency, ARGV[4])
  end
  return { 'OK', state, tonumber(fence) }
end

local out = {}
for i = 1, runs do
  out[i] = accept(KEYS[first_run + i])
end
for _, own in ipairs(owners_met) do
  if #own.to_runs > 0 then
    write_sessions(own)
    redis.call('ZADD', own.runs, unpack(own.to_runs))
    redis.call('ZADD', own.open, unpack(own.to_runs))
    charge(own.stored, now, own.new_bytes)
    redis.call('EXPIRE', own.stored, run_ttl + DAY_MS / 1000)
    add(to_owners, at, own.name)
  end
end
for index, list in ipairs({ to_sessions, to_runs, to_leases, to_outbox, to_queued }) do
  if #list > 0 then
    redis.call('ZADD', KEYS[index], unpack(list))
  end
end
-- Their scores are when they were trimmed: whoever is known stays as he is.
if #to_owners > 0 then
  redis.call('ZADD', KEYS[6], 'NX', unpack(to_owners))
  redis.call('ZADD', KEYS[7], unpack(to_runs))
end
for i, list in ipairs(to_indexes) do
  if #list > 0 then
    redis.call('ZADD', KEYS[8 + i], unpack(list))
    redis.call('ZADD', KEYS[8], 'NX', at, ARGV[9 + i])
  end
end
return out
