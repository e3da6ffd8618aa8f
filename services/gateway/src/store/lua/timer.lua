-- Has an approval looked at again, whoever decides it meanwhile.
-- KEYS: timers
-- ARGV: approval, in how long (ms)
redis.call('ZADD', KEYS[1], whole(clock() + ARGV[2]), ARGV[1])
return 1
