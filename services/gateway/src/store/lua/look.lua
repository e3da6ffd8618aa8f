-- Looks for what is due in a tenant. Runs that have waited too long for a holder go into the outbox again: their job may be lost.
-- KEYS: leases, outbox, queued, pending, timers, runs, sessions, trimmed, owners
-- ARGV: limit of each list, time after its expiry at which a pending approval is looked at whatever its timer says (ms), time between a
--   waiting run's entries into the outbox (ms), run_ttl_ms, session_ttl_ms, time between trims (ms), time until the next look where
--   something is due (ms)
-- Returns {runs whose lease has expired, whether the outbox holds something (1), approvals whose time has come, pending approvals that
--   should have expired, whether the indexes need trimming (1), time of the next look ('' where nothing is left)}
local leases, outbox, queued, pending, timers, runs, sessions, trimmed, owners = unpack(KEYS)
local limit, late, again, run_ttl, session_ttl, trim_every, soon = unpack(ARGV)
local now = clock()

local function due(key, until_time, ...)
  return redis.call('ZRANGEBYSCORE', key, '-inf', whole(until_time), ...)
end

-- The time at which a sorted set's first entry is due, `delay` after its score.
local function first_of(key, delay)
  return (redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')[2] or math.huge) + delay
end

local waiting = due(queued, now, 'LIMIT', 0, limit)
for _, entry in ipairs(waiting) do
  redis.call('ZADD', outbox, whole(now), 'again|' .. entry:sub(5))
  redis.call('ZADD', queued, whole(now + again), entry)
end
local expired = due(leases, now, 'LIMIT', 0, limit)
-- Approvals that an older gateway has left without a timer are looked at now, those that expire first.
if redis.call('ZCARD', timers) < redis.call('ZCARD', pending) then
  for _, id in ipairs(redis.call('ZRANGE', pending, 0, limit - 1)) do
    redis.call('ZADD', timers, 'NX', 0, id)
  end
end
local approvals = due(timers, now, 'LIMIT', 0, limit)
local overdue = due(pending, now - late, 'LIMIT', 0, limit)
local waits = redis.call('EXISTS', outbox)
local owner_ttl = math.min(run_ttl, session_ttl)
local trim_at, trim = math.min(first_of(runs, run_ttl), first_of(sessions, session_ttl), first_of(owners, owner_ttl)), 0
if trim_at <= now then
  trim = redis.call('SET', trimmed, '1', 'NX', 'PX', trim_every) and 1 or 0
  trim_at = now + redis.call('PTTL', trimmed)
end
-- What is due now and stays has its first entry in the past: it is looked at again after `soon`.
local waiting_at = waits == 1 and now or math.huge
local soonest = math.min(waiting_at, first_of(leases, 0), first_of(queued, 0), first_of(timers, 0), first_of(pending, late), trim_at)
return { expired, waits, approvals, overdue, trim, soonest < math.huge and whole(math.max(soonest, now + soon)) or '' }
