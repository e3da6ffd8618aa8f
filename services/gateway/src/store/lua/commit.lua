-- Commits what several runs of one tenant have to write: events, journal entries, effects and, at most once a run, the state it goes to.
-- KEYS: leases, outbox, approvals, pending, audit, audit head, price book, effects, parked,
--   then per run: run, events, steps, session, turns, waiting, approval, approval audit
-- ARGV: number of runs, log_ttl_s, run_ttl_s (the record outlives the log), max_bytes, then per run:
--   run_id, fence, from_seq, to_seq, packed events, n, (step, result) * n, n, (effect, payload) * n,
--   new state ('' for none), terminal event, assistant's turn ('' for none),
--   n, approval's (field, value) * n, expires_in_ms, audit entry, audit digest      [n = 0: none of the four]
-- Returns one word a run: OK | FENCED (another holder, or over) | LIMIT (the log would pass max_bytes; nothing was written)
-- Resending is harmless: what the log holds already is not written again.
local out = {}
local a = 5
local log_ttl, run_ttl, max_bytes = ARGV[2], ARGV[3], tonumber(ARGV[4])
local now = clock()
local at = whole(now)
for i = 1, tonumber(ARGV[1]) do
  local k = 8 * i + 1
  local run, events, steps, session, turns, waiting, approval = KEYS[k + 1], KEYS[k + 2], KEYS[k + 3], KEYS[k + 4], KEYS[k + 5], KEYS[k + 6], KEYS[k + 7]
  local id, fence, from, to, packed = ARGV[a], ARGV[a + 1], tonumber(ARGV[a + 2]), tonumber(ARGV[a + 3]), ARGV[a + 4]
  local journal, journal_n = a + 6, tonumber(ARGV[a + 5])
  a = journal + 2 * journal_n
  local effects, effects_n = a + 1, tonumber(ARGV[a])
  a = effects + 2 * effects_n
  local state, terminal, turn = ARGV[a], ARGV[a + 1], ARGV[a + 2]
  local fields, fields_n = a + 4, tonumber(ARGV[a + 3])
  a = fields + 2 * fields_n
  local extra = a
  if fields_n > 0 then
    a = a + 3
  end
  local r = redis.call('HMGET', run, 'fence', 'seq', 'state', 'bytes', 'kind')
  local seq = tonumber(r[2] or '0')
  local bytes = tonumber(r[4] or '0') + #packed
  if fence == '*' then
    -- The negative control of the chaos test: nobody is fenced.
    to, from, fence, r[3] = seq + to - from + 1, seq + 1, r[1], 'running'
  end
  if r[1] ~= fence then
    out[i] = 'FENCED'
  elseif seq >= to then
    out[i] = 'OK' -- a resent command
  elseif r[3] ~= 'running' or seq ~= from - 1 then
    out[i] = 'FENCED'
  elseif bytes > max_bytes and (state == '' or state == 'finished' or state == 'paused') then
    out[i] = 'LIMIT'
  else
    redis.call('XADD', events, to .. '-0', 'e', packed)
    for j = journal, journal + 2 * journal_n - 1, 2 do
      redis.call('HSET', steps, ARGV[j], ARGV[j + 1])
    end
    for j = effects, effects + 2 * effects_n - 1, 2 do
      if redis.call('HEXISTS', KEYS[8], ARGV[j]) == 0 then
        redis.call('HSET', KEYS[8], ARGV[j], redis.call('XADD', KEYS[7], '*', 'effect', ARGV[j], 'payload', ARGV[j + 1]))
      end
    end
    if state == '' then
      redis.call('HSET', run, 'seq', to, 'bytes', bytes)
    else
      local ends = state ~= 'paused' and state ~= 'needs_review'
      if ends then
        redis.call('HSET', run, 'seq', to, 'bytes', bytes, 'state', state, 'terminal', terminal, 'finished', at)
      else
        redis.call('HSET', run, 'seq', to, 'bytes', bytes, 'state', state)
      end
      redis.call('ZREM', KEYS[1], id)
      if turn ~= '' then
        if redis.call('RPUSH', turns, turn) == 1 then
          redis.call('EXPIRE', turns, run_ttl) -- the session had expired
        end
      end
      leave_session(session, waiting, KEYS[2], id, at)
      if state == 'paused' then
        local expires = now + tonumber(ARGV[extra])
        local approval_id
        for j = fields, fields + 2 * fields_n - 1, 2 do
          redis.call('HSET', approval, ARGV[j], ARGV[j + 1])
          if ARGV[j] == 'id' then
            approval_id = ARGV[j + 1]
          end
        end
        redis.call('HSET', approval, 'state', 'pending', 'created', now, 'expires', expires)
        redis.call('HSET', run, 'approval', approval_id)
        redis.call('ZADD', KEYS[3], now, approval_id)
        redis.call('ZADD', KEYS[4], expires, approval_id)
        redis.call('ZADD', KEYS[2], now, 'approval|' .. approval_id)
        audit(KEYS[5], KEYS[6], KEYS[k + 8], ARGV[extra + 1], ARGV[extra + 2])
      elseif state == 'needs_review' then
        redis.call('ZADD', KEYS[9], now, id)
      end
      if ends then
        redis.call('EXPIRE', run, run_ttl)
        redis.call('EXPIRE', events, log_ttl)
        if journal_n > 0 or r[5] ~= 'ask' then
          redis.call('EXPIRE', steps, run_ttl)
        end
      end
    end
    out[i] = 'OK'
  end
end
return out
