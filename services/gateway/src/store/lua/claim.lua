-- Claims a run for the calling replica: one that waits, or one whose holder let its lease run out.
-- KEYS: run, events, leases, parked, session, waiting, outbox, queued
-- ARGV: run_id, epoch ('' for any: the reconciler), lease_ms, max_attempts, parked event before and after its seq, whether a webhook wants to hear of it (1 or 0)
-- Returns {'OK', fence, seq, age_ms} | {'BUSY'} (a live lease) | {'STALE'} | {'PARKED'} (too many attempts: left for a person)
local r = redis.call('HMGET', KEYS[1], 'state', 'epoch', 'fence', 'attempts', 'seq', 'created', 'notify')
local state = r[1]
if not state or (ARGV[2] ~= '' and r[2] ~= ARGV[2]) then
  redis.call('ZREM', KEYS[8], queue_entry(ARGV[1], ARGV[2]))
  return { 'STALE' }
end
local now = clock()
if state == 'running' then
  if tonumber(redis.call('ZSCORE', KEYS[3], ARGV[1]) or '0') > now then
    return { 'BUSY' }
  end
elseif state ~= 'queued' and state ~= 'resuming' then
  redis.call('ZREM', KEYS[8], queue_entry(ARGV[1], r[2]))
  return { 'STALE' }
end
redis.call('ZREM', KEYS[8], queue_entry(ARGV[1], r[2]))
local attempts = tonumber(r[4] or '0') + 1
if attempts > tonumber(ARGV[4]) then
  local seq = tonumber(r[5]) + 1
  redis.call('XADD', KEYS[2], seq .. '-0', 'e', ARGV[5] .. seq .. ARGV[6])
  redis.call('HSET', KEYS[1], 'state', 'needs_review', 'seq', seq, 'fence', tonumber(r[3]) + 1)
  redis.call('ZREM', KEYS[3], ARGV[1])
  redis.call('ZADD', KEYS[4], now, ARGV[1])
  leave_session(KEYS[5], KEYS[6], KEYS[7], KEYS[8], ARGV[1], whole(now), '')
  if ARGV[7] == '1' then
    announce(KEYS[7], whole(now), 'run.needs_review', ARGV[1], seq)
  end
  if r[7] then
    announce(KEYS[7], whole(now), 'task.updated', ARGV[1], seq)
  end
  return { 'PARKED' }
end
local fence, lease = tonumber(r[3]) + 1, now + tonumber(ARGV[3])
redis.call('HSET', KEYS[1], 'state', 'running', 'fence', fence, 'attempts', attempts)
redis.call('ZADD', KEYS[3], lease, ARGV[1])
return { 'OK', fence, tonumber(r[5]), now - tonumber(r[6] or now) }
