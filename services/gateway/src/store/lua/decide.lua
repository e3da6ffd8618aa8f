-- The one way in which an approval changes. Of concurrent decisions one wins; the rest hear of the winner.
-- KEYS: approval, run, events, steps, leases, outbox, pending, audit, audit head, approval audit, idempotency
-- ARGV: action (approve|reject|expire|edit|escalate|warn), op_id, proposal hash that the caller saw, answer (JSON),
--   event before and after its seq, journal field, journal value, audit entry, audit digest, lease_ms (0: to the queue),
--   new proposal, new hash, editors (edit), new roles, expires_in_ms (escalate), winner (JSON),
--   body digest ('' without an Idempotency-Key), idempotency_ttl_s
-- Returns {'OK', fence, seq, epoch} (fence 0: left to the queue) | {'REPLAY', answer} | {'CONFLICT', winner} | {'EXPIRED'} | {'EARLY'}
--   | {'HASH', current hash} | {'MISMATCH'} | {'NONE'}
local action = ARGV[1]
local f = redis.call('HMGET', KEYS[1], 'state', 'winner', 'expires', 'hash', 'id', 'op:' .. ARGV[2], 'run')
if not f[1] then
  return { 'NONE' }
end
if f[6] then
  return { 'REPLAY', f[6] }
end
if ARGV[18] ~= '' then
  local known = redis.call('HMGET', KEYS[11], 'body', 'answer')
  if known[1] then
    return known[1] == ARGV[18] and { 'REPLAY', known[2] } or { 'MISMATCH' }
  end
end
local r = redis.call('HMGET', KEYS[2], 'state', 'seq', 'fence', 'epoch', 'approval')
if f[1] ~= 'pending' or r[1] ~= 'paused' or r[5] ~= f[5] then
  return { 'CONFLICT', f[2] or '' }
end
local now = clock()
local due = tonumber(f[3]) <= now
local id = f[5]
if action == 'expire' or action == 'escalate' then
  if not due then
    return { 'EARLY' }
  end
elseif due then
  return { 'EXPIRED' }
elseif action ~= 'warn' and ARGV[3] ~= f[4] then
  return { 'HASH', f[4] }
end
local seq = tonumber(r[2]) + 1
redis.call('XADD', KEYS[3], seq .. '-0', 'e', ARGV[5] .. seq .. ARGV[6])
if ARGV[18] ~= '' then
  redis.call('HSET', KEYS[11], 'body', ARGV[18], 'answer', ARGV[4])
  redis.call('EXPIRE', KEYS[11], ARGV[19])
end
audit(KEYS[8], KEYS[9], KEYS[10], ARGV[9], ARGV[10])

-- What changes about the approval and the run, whatever the action is.
local function change(approval, run)
  redis.call('HSET', KEYS[1], 'op:' .. ARGV[2], ARGV[4], unpack(approval))
  redis.call('HSET', KEYS[2], 'seq', seq, unpack(run))
end

if action == 'warn' then
  change({}, {})
  return { 'OK', 0, seq, 0 }
end
if action == 'edit' then
  change({ 'proposal', ARGV[12], 'hash', ARGV[13], 'editors', ARGV[14] }, {})
  return { 'OK', 0, seq, 0 }
end
if action == 'escalate' then
  local expires = whole(now + ARGV[16])
  change({ 'roles', ARGV[15], 'expires', expires, 'on_expiry', 'reject', 'escalated', whole(now) }, {})
  redis.call('ZADD', KEYS[7], expires, id)
  redis.call('ZADD', KEYS[6], whole(now), 'approval|' .. id)
  return { 'OK', 0, seq, 0 }
end
local states = { approve = 'approved', reject = 'rejected', expire = 'expired' }
local decided = { 'state', states[action], 'winner', ARGV[17], 'decided', whole(now) }
local run_id, epoch, fence = f[7], tonumber(r[4]) + 1, tonumber(r[3]) + 1
redis.call('ZREM', KEYS[7], id)
redis.call('HSET', KEYS[4], ARGV[7], ARGV[8])
if ARGV[11] == '0' then
  change(decided, { 'state', 'resuming', 'epoch', epoch, 'fence', fence, 'attempts', 0 })
  redis.call('ZADD', KEYS[6], whole(now), 'run|' .. run_id .. '|' .. epoch)
  return { 'OK', 0, seq, epoch }
end
change(decided, { 'state', 'running', 'epoch', epoch, 'fence', fence, 'attempts', 1 })
redis.call('ZADD', KEYS[5], whole(now + ARGV[11]), run_id)
return { 'OK', fence, seq, epoch }
