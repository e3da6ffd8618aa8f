-- Keeps what was said of a turn, in the place of what was said before, and forgets the oldest.
-- KEYS: feedback (turns by time), ratings, comments
-- ARGV: turn, rating (JSON), comment ('' for none), how many are kept, seconds for which they are
local now = clock()
redis.call('ZADD', KEYS[1], whole(now), ARGV[1])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
if ARGV[3] == '' then
  redis.call('HDEL', KEYS[3], ARGV[1])
else
  redis.call('HSET', KEYS[3], ARGV[1], ARGV[3])
end
-- Few at once: there may be thousands that are too old.
local old = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', whole(now - ARGV[5] * 1000), 'LIMIT', 0, 100)
local over = redis.call('ZCARD', KEYS[1]) - tonumber(ARGV[4])
if #old == 0 and over > 0 then
  old = redis.call('ZRANGE', KEYS[1], 0, math.min(over, 100) - 1)
end
if #old > 0 then
  redis.call('ZREM', KEYS[1], unpack(old))
  redis.call('HDEL', KEYS[2], unpack(old))
  redis.call('HDEL', KEYS[3], unpack(old))
end
for i = 1, 3 do
  redis.call('EXPIRE', KEYS[i], ARGV[5])
end
return 1
