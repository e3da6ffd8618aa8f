-- Cancels a run, wherever it is. Whoever holds it is fenced from here on. A run that has begun an effect, or had one approved, goes on to
-- its end instead: nobody is told that something was cancelled which happened. One that is left for a person may be cancelled.
-- KEYS: run, events, steps, session, waiting, leases, outbox, pending, approval, audit, audit head, approval audit, parked,
--   taken, queued, the owner's open runs, the owner's stored bytes, open runs, names of indexes, the index of cancelled runs
-- ARGV: run_id, event before and after its seq, turn, log_ttl_s, run_ttl_s, approval_id ('' for none), winner, audit entry, audit digest,
--   last seq of the run's first events, those events (packed): written first where the log is empty
-- Returns {'OK', seq} | {'OVER', state} | {'NONE'} | {'RETRY', approval_id} (it has another approval by now)
--   | {'EFFECT', state, step, winner of its approval ('' for none)}
local r = redis.call('HMGET', KEYS[1], 'state', 'seq', 'fence', 'epoch', 'approval', 'bytes', 'effect', 'created', 'notify')
local state = r[1]
if not state then
  return { 'NONE' }
end
if state == 'finished' or state == 'failed' or state == 'cancelled' then
  return { 'OVER', state }
end
local effect = state ~= 'needs_review' and r[7]
if (state == 'paused' or effect) and (r[5] or '') ~= ARGV[7] then
  return { 'RETRY', r[5] }
end
if effect then
  return { 'EFFECT', state, effect, redis.call('HGET', KEYS[9], 'winner') or '' }
end
local now = whole(clock())
local seq = tonumber(r[2])
if seq == 0 then
  seq = tonumber(ARGV[11])
  redis.call('XADD', KEYS[2], seq .. '-0', 'e', ARGV[12])
end
seq = seq + 1
local event = ARGV[2] .. seq .. ARGV[3]
redis.call('XADD', KEYS[2], seq .. '-0', 'e', event)
redis.call('HSET', KEYS[1], 'state', 'cancelled', 'seq', seq, 'fence', tonumber(r[3]) + 1, 'terminal', event, 'finished', now)
if redis.call('ZREM', KEYS[6], ARGV[1]) == 1 then
  redis.call('INCR', KEYS[14])
end
redis.call('ZREM', KEYS[7], queue_entry(ARGV[1], r[4]))
redis.call('ZREM', KEYS[15], queue_entry(ARGV[1], r[4]))
redis.call('ZREM', KEYS[13], ARGV[1])
redis.call('ZREM', KEYS[16], ARGV[1])
redis.call('ZREM', KEYS[18], ARGV[1])
index_end(KEYS[19], ARGV[1], r[8], now, KEYS[20], 'state:cancelled')
charge(KEYS[17], now, tonumber(r[6] or '0'))
redis.call('LREM', KEYS[5], 0, ARGV[1])
leave_session(KEYS[4], KEYS[5], KEYS[7], KEYS[15], ARGV[1], now, ARGV[4])
if r[9] then
  announce(KEYS[7], now, 'task.updated', ARGV[1], seq)
end
redis.call('EXPIRE', KEYS[1], ARGV[6])
redis.call('EXPIRE', KEYS[2], ARGV[5])
redis.call('EXPIRE', KEYS[3], ARGV[6])
if state == 'paused' and redis.call('HGET', KEYS[9], 'state') == 'pending' then
  redis.call('HSET', KEYS[9], 'state', 'cancelled', 'winner', ARGV[8])
  redis.call('ZREM', KEYS[8], ARGV[7])
  audit(KEYS[10], KEYS[11], KEYS[12], ARGV[9], ARGV[10])
end
return { 'OK', seq }
