-- Takes tenants that are due. They are due again after `hold_ms`, unless whoever took them has scheduled them before.
-- KEYS: due
-- ARGV: limit, hold_ms
-- Returns {until when they are held, tenants}.
local held = whole(clock() + ARGV[2])
local tenants = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', whole(clock()), 'LIMIT', 0, ARGV[1])
local holds = {}
for _, tenant in ipairs(tenants) do
  holds[#holds + 1] = held
  holds[#holds + 1] = tenant
end
if #holds > 0 then
  redis.call('ZADD', KEYS[1], unpack(holds))
end
return { held, tenants }
