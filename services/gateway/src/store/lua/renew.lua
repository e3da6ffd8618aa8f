-- Renews the leases that a replica holds.
-- KEYS: leases, then one run a lease
-- ARGV: lease_ms, then per run: run_id, fence
-- Returns the ids of runs that the caller does not hold any more.
local lost, held = {}, {}
local lease = whole(clock() + ARGV[1])
for i = 2, #KEYS do
  local a = 2 * (i - 1)
  local r = redis.call('HMGET', KEYS[i], 'fence', 'state')
  if r[1] == ARGV[a + 1] and r[2] == 'running' then
    held[#held + 1] = lease
    held[#held + 1] = ARGV[a]
  else
    lost[#lost + 1] = ARGV[a]
  end
  -- Many at once, but no more than Lua can pass.
  if #held == 2000 or (i == #KEYS and #held > 0) then
    redis.call('ZADD', KEYS[1], unpack(held))
    held = {}
  end
end
return lost
