-- Reserves what a call may cost of a day's budget. A call is admitted while less than the budget is used, so that the one that exceeds it
-- is the last: what is reserved counts as used until it is settled, and for good where nobody settles it.
-- KEYS: budget
-- ARGV: reservation, nanodollars, tokens, limit of nanodollars ('' for none), limit of tokens ('' for none), seconds for which it is kept
-- Returns 1 if the call is admitted, else 0.
local field = 'r:' .. ARGV[1]
local used = redis.call('HMGET', KEYS[1], 'nano', 'tokens', field)
if used[3] then
  return 1
end
if ARGV[4] ~= '' and tonumber(used[1] or '0') >= tonumber(ARGV[4]) then
  return 0
end
if ARGV[5] ~= '' and tonumber(used[2] or '0') >= tonumber(ARGV[5]) then
  return 0
end
redis.call('HINCRBY', KEYS[1], 'nano', ARGV[2])
redis.call('HINCRBY', KEYS[1], 'tokens', ARGV[3])
redis.call('HSET', KEYS[1], field, ARGV[2] .. ' ' .. ARGV[3])
redis.call('EXPIRE', KEYS[1], ARGV[6])
return 1
