-- Marks a tenant for which something is about to be written that may have to be looked at later.
-- KEYS: due, marked
-- ARGV: tenant, longest time until somebody looks at it (ms)
-- Returns the store's time.
local now = clock()
redis.call('ZADD', KEYS[2], whole(now), ARGV[1])
redis.call('ZADD', KEYS[1], 'LT', whole(now + ARGV[2]), ARGV[1])
return now
