-- Commits what several runs of one tenant have to write: events, journal entries and, at most once a run, its end.
-- KEYS: leases, then per run: run, events, steps, session, turns
-- ARGV: number of runs, log_ttl_s, run_ttl_s (the record outlives the log), max_bytes, then per run:
--   run_id, fence, from_seq, to_seq, packed events ('' for none), number of journal entries, (step, result)*,
--   new state ('' for none), terminal event, assistant turn ('' for none)
-- Returns one word a run: OK | FENCED (another holder, or over) | LIMIT (the log would pass max_bytes; nothing was written)
-- Resending is harmless: what the log holds already is not written again.
local out = {}
local a = 5
local log_ttl, run_ttl, max_bytes = ARGV[2], ARGV[3], tonumber(ARGV[4])
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
for i = 1, tonumber(ARGV[1]) do
  local k = 5 * (i - 1) + 2
  local run, events = KEYS[k], KEYS[k + 1]
  local id, fence, from, to, packed, n = ARGV[a], ARGV[a + 1], tonumber(ARGV[a + 2]), tonumber(ARGV[a + 3]), ARGV[a + 4], tonumber(ARGV[a + 5])
  a = a + 6
  local journal = a
  a = a + 2 * n
  local state, terminal, turn = ARGV[a], ARGV[a + 1], ARGV[a + 2]
  a = a + 3
  local r = redis.call('HMGET', run, 'fence', 'seq', 'state', 'bytes')
  local seq = tonumber(r[2] or '0')
  if r[1] ~= fence then
    out[i] = 'FENCED'
  elseif seq >= to then
    out[i] = 'OK' -- a resent command
  elseif r[3] ~= 'running' or seq ~= from - 1 then
    out[i] = 'FENCED'
  elseif state == '' and tonumber(r[4]) + #packed > max_bytes then
    out[i] = 'LIMIT'
  else
    redis.call('XADD', events, to .. '-0', 'e', packed)
    for j = journal, journal + 2 * n - 1, 2 do
      redis.call('HSET', KEYS[k + 2], ARGV[j], ARGV[j + 1])
    end
    if state == '' then
      redis.call('HSET', run, 'seq', to, 'bytes', r[4] + #packed)
    else
      redis.call('HSET', run, 'seq', to, 'bytes', r[4] + #packed, 'state', state, 'terminal', terminal, 'finished', now)
      redis.call('ZREM', KEYS[1], id)
      redis.call('EXPIRE', run, run_ttl)
      redis.call('EXPIRE', events, log_ttl)
      redis.call('EXPIRE', KEYS[k + 2], run_ttl)
      if turn ~= '' then
        redis.call('RPUSH', KEYS[k + 4], turn)
      end
      if redis.call('HGET', KEYS[k + 3], 'active') == id then
        redis.call('HSET', KEYS[k + 3], 'active', '', 'updated', now)
      end
    end
    out[i] = 'OK'
  end
end
return out
