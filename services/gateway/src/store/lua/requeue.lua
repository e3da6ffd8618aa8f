-- Puts a run back to the queue: its holder hands it over, or its holder's lease has run out.
-- KEYS: run, leases, outbox, taken, queued
-- ARGV: run_id, fence ('' for any holder whose lease has run out)
-- Returns {'OK', epoch} | {'NO'}
local r = redis.call('HMGET', KEYS[1], 'state', 'fence', 'epoch')
local now = clock()
if r[1] ~= 'running' then
  -- A lease without a running run is a leftover.
  redis.call('ZREM', KEYS[2], ARGV[1])
  return { 'NO' }
end
if ARGV[2] == '' then
  if tonumber(redis.call('ZSCORE', KEYS[2], ARGV[1]) or '0') > now then
    return { 'NO' }
  end
elseif ARGV[2] ~= r[2] then
  return { 'NO' }
end
local epoch = tonumber(r[3]) + 1
-- The fence moves at once: a holder that was only frozen must not write any more.
redis.call('HSET', KEYS[1], 'state', 'resuming', 'epoch', epoch, 'fence', tonumber(r[2]) + 1)
if ARGV[2] ~= '' then
  -- Handing over is no failed attempt.
  redis.call('HINCRBY', KEYS[1], 'attempts', -1)
end
redis.call('ZREM', KEYS[2], ARGV[1])
redis.call('INCR', KEYS[4])
enqueue(KEYS[3], KEYS[5], whole(now), ARGV[1], epoch)
return { 'OK', epoch }
