-- Replaces a reservation by what the call came to. A command that is sent again finds no reservation and changes nothing.
-- KEYS: budget
-- ARGV: reservation, nanodollars, tokens
local field = 'r:' .. ARGV[1]
local reserved = redis.call('HGET', KEYS[1], field)
if not reserved then
  return 0
end
local nano, tokens = string.match(reserved, '^(%d+) (%d+)$')
redis.call('HDEL', KEYS[1], field)
redis.call('HINCRBY', KEYS[1], 'nano', whole(tonumber(ARGV[2]) - tonumber(nano)))
redis.call('HINCRBY', KEYS[1], 'tokens', whole(tonumber(ARGV[3]) - tonumber(tokens)))
return 1
