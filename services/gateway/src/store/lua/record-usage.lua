-- Adds what one attempt used to the groups that it belongs to. A group's amounts are numbers with a blank between them.
-- KEYS: groups of a day
-- ARGV: how many amounts there are, the amounts, then name and seconds for which it is kept for each key
local count = tonumber(ARGV[1])
for i, key in ipairs(KEYS) do
  local name, kept = ARGV[count + 2 * i], ARGV[count + 2 * i + 1]
  local before = redis.call('HGET', key, name)
  local sums, at = {}, 0
  if before then
    for number in string.gmatch(before, '%d+') do
      at = at + 1
      sums[at] = tonumber(number)
    end
  end
  for j = 1, count do
    sums[j] = whole((sums[j] or 0) + tonumber(ARGV[1 + j]))
  end
  redis.call('HSET', key, name, table.concat(sums, ' '))
  if not before then
    redis.call('EXPIRE', key, kept)
  end
end
return 1
