-- Renews the leases that a replica holds.
-- KEYS: leases, then one run a lease
-- ARGV: lease_ms, then per run: run_id, fence
-- Returns the ids of runs that the caller does not hold any more.
local lost = {}
local t = redis.call('TIME')
local lease = t[1] * 1000 + math.floor(t[2] / 1000) + tonumber(ARGV[1])
for i = 2, #KEYS do
  local a = 2 * (i - 1)
  local id = ARGV[a]
  local r = redis.call('HMGET', KEYS[i], 'fence', 'state')
  if r[1] == ARGV[a + 1] and r[2] == 'running' then
    redis.call('HSET', KEYS[i], 'lease', lease)
    redis.call('ZADD', KEYS[1], lease, id)
  else
    lost[#lost + 1] = id
  end
end
return lost
