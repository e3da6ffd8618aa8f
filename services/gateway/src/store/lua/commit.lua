-- Commits what several runs of one tenant have to write: events, journal entries, effects and, at most once a run, the state it goes to.
-- KEYS: leases, outbox, approvals, pending, audit, audit head, effects, parked, queued, open runs, names of indexes, then per run: run, events; with more than events:
--   steps where the run has a journal, a book per effect, the owner's stored bytes; with a new state: session, waiting, the owner's open
--   runs; with an end other than finished: the index of its state, of its code where it has one; with a pause: approval, approval audit
-- ARGV: number of runs, log_ttl_s, run_ttl_s (the record outlives the log), max_bytes, then per run:
--   fence, from_seq, to_seq, packed events, whether there is more (1) or not (0); more is:
--   run_id, journal (1) or not (0), n, (step, result) * n, n, (effect, payload) * n, new state ('' for none); a new state has:
--   bytes of the terminal event, the packed events' last, assistant's turn ('' for none), n, (field, value) * n of the session, n, (field,
--   value) * n that the session gets only where it has not got them yet; an end other than finished has: error code ('' for none); failed and needs_review have: whether a webhook wants to hear of it (1 or 0); a pause has:
--   approval_id, n, approval's (field, value) * n, expires_in_ms, audit entry, audit digest
-- Returns one word a run: OK | OK <raw entries of the session> (where a turn was appended to it) | TOLD for OK, where the outbox has
--   something to relay: a notice, an approval, or the session's next run | FENCED (another holder, or over) | LIMIT (the log would pass max_bytes; nothing was written)
-- May be sent again: what the log holds already is not written a second time.
local key, arg = reader(KEYS, 11), reader(ARGV, 4)
local log_ttl, run_ttl, max_bytes = ARGV[2], ARGV[3], tonumber(ARGV[4])
local now = clock()
local at = whole(now)
-- Runs whose lease ends with this commit, those that are over, and what owners have: by their keys, as one write for all runs of an owner
-- costs little more than one for one.
local left, over, closed, charged = {}, {}, {}, {}

local function read_more()
  local more = { id = arg() }
  more.steps = arg() == '1' and key()
  more.journal, more.effects = pairs_from(arg), pairs_from(arg)
  more.books = {}
  for j = 1, #more.effects / 2 do
    more.books[j] = key()
  end
  more.stored = key()
  more.state = arg()
  if more.state ~= '' then
    more.session, more.waiting, more.open = key(), key(), key()
    more.terminal_bytes, more.turn = tonumber(arg()), arg()
    more.kept, more.listed = pairs_from(arg), pairs_from(arg)
  end
  more.fails = more.state == 'failed' or more.state == 'cancelled'
  more.ends = more.fails or more.state == 'finished'
  if more.fails then
    more.by_state, more.code = key(), arg()
    more.by_code = more.code ~= '' and key()
  end
  more.told = (more.state == 'failed' or more.state == 'needs_review') and arg() == '1'
  if more.state == 'paused' then
    more.approval, more.approval_audit, more.approval_id = key(), key(), arg()
    more.fields, more.expires_in, more.entry, more.digest = pairs_from(arg), tonumber(arg()), arg(), arg()
  end
  return more
end

-- Approvals that a session remembers, latest last: how many characters their ids may take.
local REMEMBERED = 2000

-- Notes in the session that it asked for an approval. One that has expired stays gone.
local function note_approval(session, id)
  if redis.call('EXISTS', session) == 0 then
    return
  end
  redis.call('HSET', session, 'approvals', remembered(redis.call('HGET', session, 'approvals'), id, REMEMBERED))
end

local function pause(m, seq)
  local expires = whole(now + m.expires_in)
  redis.call('HSET', m.approval, 'state', 'pending', 'created', at, 'expires', expires, unpack(m.fields))
  redis.call('ZADD', KEYS[3], at, m.approval_id)
  redis.call('ZADD', KEYS[4], expires, m.approval_id)
  redis.call('ZADD', KEYS[2], at, 'approval|' .. m.approval_id .. '|' .. seq .. '|' .. m.id)
  note_approval(m.session, m.approval_id)
  audit(KEYS[5], KEYS[6], m.approval_audit, m.entry, m.digest)
end

-- The step whose effect a write begins or has; nil for none.
local function effect_in(m)
  if m.effects[1] then
    return m.effects[1]:match(':([^:]*)$')
  end
  for j = 1, #m.journal, 2 do
    local step = m.journal[j]:match('^begun%.(.*)$')
    if step then
      return step
    end
  end
end

local function write_more(run, events, packed, seq, bytes, created, m)
  local written = 0
  local effect = effect_in(m)
  if effect then
    -- Read by cancel.lua: what has had an effect is not cancelled.
    redis.call('HSET', run, 'effect', effect)
  end
  if #m.journal > 0 then
    redis.call('HSET', m.steps, unpack(m.journal))
    for j = 2, #m.journal, 2 do
      written = written + #m.journal[j]
    end
  end
  for j = 1, #m.effects, 2 do
    if redis.call('HEXISTS', KEYS[7], m.effects[j]) == 0 then
      local place = redis.call('XADD', m.books[(j + 1) / 2], '*', 'effect', m.effects[j], 'payload', m.effects[j + 1])
      redis.call('HSET', KEYS[7], m.effects[j], place)
    end
  end
  if m.ends then
    closed[m.open] = closed[m.open] or {}
    table.insert(closed[m.open], m.id)
    over[#over + 1] = m.id
    if m.fails then
      index_end(KEYS[11], m.id, created, at, m.by_state, 'state:' .. m.state)
    end
    if m.by_code then
      index_end(KEYS[11], m.id, created, at, m.by_code, 'code:' .. m.code)
    end
    written = written + bytes + keep_in_session(m.session, m.kept, m.listed)
  end
  if written > 0 then
    charged[m.stored] = (charged[m.stored] or 0) + written
  end
  if m.state == '' then
    redis.call('HSET', run, 'seq', seq, 'bytes', bytes)
    return nil
  end
  left[#left + 1] = m.id
  if m.told then
    announce(KEYS[2], at, 'run.' .. m.state, m.id, seq)
  end
  local raw, following = leave_session(m.session, m.waiting, KEYS[2], KEYS[9], m.id, at, m.turn)
  if m.state == 'paused' then
    redis.call('HSET', run, 'seq', seq, 'bytes', bytes, 'state', m.state, 'approval', m.approval_id)
    pause(m, seq)
  elseif m.state == 'needs_review' then
    redis.call('HSET', run, 'seq', seq, 'bytes', bytes, 'state', m.state)
    redis.call('ZADD', KEYS[8], at, m.id)
  else
    redis.call('HSET', run, 'seq', seq, 'bytes', bytes, 'state', m.state, 'finished', at, 'terminal', packed:sub(-m.terminal_bytes))
    redis.call('EXPIRE', run, run_ttl)
    redis.call('EXPIRE', events, log_ttl)
    if m.steps then
      redis.call('EXPIRE', m.steps, run_ttl)
    end
  end
  return raw, m.told or m.state == 'paused' or following
end

local function commit()
  local run, events = key(), key()
  local fence, from, to, packed = arg(), tonumber(arg()), arg(), arg()
  local more = arg() == '1' and read_more()
  local state = more and more.state or ''
  local r = redis.call('HMGET', run, 'fence', 'seq', 'state', 'bytes', 'created', 'notify')
  local seq = tonumber(r[2] or '0')
  if fence == '*' then
    -- The negative control of the chaos test: nobody is fenced.
    to, from, fence, r[3] = whole(seq + to - from + 1), seq + 1, r[1], 'running'
  end
  if r[1] ~= fence then
    return 'FENCED'
  elseif seq >= tonumber(to) then
    -- The client library sent the command again: nobody may have heard yet of what the first one put into the outbox.
    return state ~= '' and 'TOLD' or 'OK'
  elseif r[3] ~= 'running' or seq ~= from - 1 then
    return 'FENCED'
  end
  local bytes = tonumber(r[4] or '0') + #packed
  if bytes > max_bytes and (state == '' or state == 'finished' or state == 'paused') then
    return 'LIMIT'
  end
  redis.call('XADD', events, to .. '-0', 'e', packed)
  if more then
    local raw, told = write_more(run, events, packed, to, bytes, r[5], more)
    if state ~= '' and r[6] then
      announce(KEYS[2], at, 'task.updated', more.id, to)
      told = true
    end
    local word = told and 'TOLD' or 'OK'
    return raw and word .. ' ' .. whole(raw) or word
  else
    redis.call('HSET', run, 'seq', to, 'bytes', bytes)
  end
  return 'OK'
end

local out = {}
for i = 1, tonumber(ARGV[1]) do
  out[i] = commit()
end
if #left > 0 then
  redis.call('ZREM', KEYS[1], unpack(left))
end
if #over > 0 then
  redis.call('ZREM', KEYS[10], unpack(over))
end
for open, ids in pairs(closed) do
  redis.call('ZREM', open, unpack(ids))
end
for stored, bytes in pairs(charged) do
  charge(stored, now, bytes)
end
return out
