-- Schedules a tenant's next look, or drops the tenant where nothing is left to look at. A replica marks a tenant only now and then, so
-- a recent mark may announce something that is not written yet: such a tenant stays, and is looked at again soon. Where somebody else has
-- taken or scheduled the tenant since, the look is out of date and can only bring the next one forward.
-- KEYS: due, marked
-- ARGV: tenant, until when the caller held it, time of the next look ('' for none), time that a mark counts (ms), time between looks while it does (ms)
local now = clock()
local marked = tonumber(redis.call('ZSCORE', KEYS[2], ARGV[1]) or '0')
local at = tonumber(ARGV[3])
if marked > now - ARGV[4] then
  at = math.min(at or math.huge, now + ARGV[5])
end
local holds = redis.call('ZSCORE', KEYS[1], ARGV[1]) == ARGV[2]
if at and holds then
  redis.call('ZADD', KEYS[1], whole(at), ARGV[1])
elseif at then
  redis.call('ZADD', KEYS[1], 'LT', whole(at), ARGV[1])
elseif holds then
  redis.call('ZREM', KEYS[1], ARGV[1])
  redis.call('ZREM', KEYS[2], ARGV[1])
end
