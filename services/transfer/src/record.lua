-- Records what becomes of a transfer, exactly once. KEYS: entries by id, log of what was executed. ARGV: id, entry, whether it is executed.
-- Returns the entry that counts: the first one.
local held = redis.call('HMGET', KEYS[1], ARGV[1])[1]
if held then return held end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
if ARGV[3] == '1' then redis.call('XADD', KEYS[2], '*', 'id', ARGV[1], 'entry', ARGV[2]) end
return ARGV[2]
