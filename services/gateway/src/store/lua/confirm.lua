-- Says whether a run still has an entry in its journal and its holder, after a failover, too. Writes, so that a WAIT behind it waits for
-- everything before it.
-- KEYS: run, steps
-- ARGV: fence, field of the journal
-- Returns 1 or 0
local fence = redis.call('HGET', KEYS[1], 'fence')
if fence ~= ARGV[1] or redis.call('HEXISTS', KEYS[2], ARGV[2]) == 0 then
  return 0
end
redis.call('HSET', KEYS[1], 'fence', fence)
return 1
