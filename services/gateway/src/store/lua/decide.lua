-- The one way in which an approval changes. Of concurrent decisions one wins; the others are told the winner.
-- KEYS: approval, run, events, steps, leases, outbox, pending, audit, audit head, approval audit, queued [, idempotency]
-- ARGV: names and values in turn. Every operation has:
--   action (approve|reject|withdraw|expire|edit|escalate|warn), operation (its id), answer (JSON), event_before and event_after (its seq goes
--   between), audit_entry, audit_digest, deadline by the store's clock
-- approve, reject, edit: hash (of the proposal that the caller saw), seen_roles (JSON: whom it asked when the caller was authorized) [, body_digest and idempotency_ttl_s, with an Idempotency-Key]
-- approve, reject, withdraw, expire: winner (JSON), journal_field, journal_value, lease_ms (0: leave the run to the queue)
-- told (1): another gateway has decided, and this one writes it down, whatever hash and expiry say
-- webhook (type) [and webhook_state]: a webhook wants to hear of it
-- edit: new_proposal, new_hash, editors (JSON); escalate: roles (JSON), expires_in_ms
-- Returns {'OK', fence, seq} (fence 0: the caller does not hold the run) | {'REPLAY', answer} | {'CONFLICT', winner} | {'EXPIRED'}
--   | {'EARLY'} | {'HASH', current hash} | {'MISMATCH'} | {'NONE'} | {'LATE', now}
local approval, run, events, steps, leases, outbox, pending, log, head, list, queued, idempotency = unpack(KEYS)
local a = {}
for i = 1, #ARGV, 2 do
  a[ARGV[i]] = ARGV[i + 1]
end

local f = redis.call('HMGET', approval, 'state', 'winner', 'expires', 'hash', 'id', 'run', 'effect', 'roles',
  'op:' .. a.operation)
local state, winner, expires, hash, id, run_id, effect, roles, answered = unpack(f, 1, 9)
if not state then
  return { 'NONE' }
end
-- The client library sends a command again when it reconnects: the same operation gets the same answer.
if answered then
  return { 'REPLAY', answered }
end
if a.body_digest then
  local known = redis.call('HMGET', idempotency, 'body', 'answer')
  if known[1] then
    return known[1] == a.body_digest and { 'REPLAY', known[2] } or { 'MISMATCH' }
  end
end
local r = redis.call('HMGET', run, 'state', 'seq', 'fence', 'epoch', 'approval')
if state ~= 'pending' or r[1] ~= 'paused' or r[5] ~= id then
  return { 'CONFLICT', winner or '' }
end
local now = clock()
if now > tonumber(a.deadline) then
  return { 'LATE', now }
end
local due = tonumber(expires) <= now
if a.told then
  due = false
elseif a.action == 'expire' or a.action == 'escalate' then
  if not due then
    return { 'EARLY' }
  end
elseif due or (a.seen_roles and a.seen_roles ~= (roles or '[]')) then
  -- Escalated since the caller was authorized: others decide now.
  return { 'EXPIRED' }
elseif a.hash and a.hash ~= hash then
  return { 'HASH', hash }
end

local seq = tonumber(r[2]) + 1
redis.call('XADD', events, seq .. '-0', 'e', a.event_before .. seq .. a.event_after)
if a.body_digest then
  redis.call('HSET', idempotency, 'body', a.body_digest, 'answer', a.answer)
  redis.call('EXPIRE', idempotency, a.idempotency_ttl_s)
end
audit(log, head, list, a.audit_entry, a.audit_digest)
if a.webhook then
  announce(outbox, whole(now), a.webhook, run_id, seq, id, a.webhook_state)
end

-- Writes both records, each once.
local function write(approval_fields, run_fields)
  redis.call('HSET', approval, 'op:' .. a.operation, a.answer, unpack(approval_fields))
  redis.call('HSET', run, 'seq', seq, unpack(run_fields))
end

if a.action == 'warn' then
  write({}, {})
  return { 'OK', 0, seq }
elseif a.action == 'edit' then
  write({ 'proposal', a.new_proposal, 'hash', a.new_hash, 'editors', a.editors }, {})
  return { 'OK', 0, seq }
elseif a.action == 'escalate' then
  local expiry = whole(now + a.expires_in_ms)
  write({ 'roles', a.roles, 'expires', expiry, 'on_expiry', 'reject', 'escalated', whole(now) }, {})
  redis.call('ZADD', pending, expiry, id)
  redis.call('ZADD', outbox, whole(now), 'approval|' .. id .. '|' .. seq .. '|' .. run_id)
  return { 'OK', 0, seq }
end

local states = { approve = 'approved', reject = 'rejected', withdraw = 'withdrawn', expire = 'expired' }
local decided = { 'state', states[a.action], 'winner', a.winner, 'decided', whole(now) }
local epoch, fence = tonumber(r[4]) + 1, tonumber(r[3]) + 1
redis.call('ZREM', pending, id)
redis.call('HSET', steps, a.journal_field, a.journal_value)
if a.action == 'approve' and effect then
  -- Of an approval of an effect and a cancel, the first wins: from here on the run is not cancelled any more.
  redis.call('HSET', run, 'effect', effect)
end
if a.lease_ms == '0' then
  write(decided, { 'state', 'resuming', 'epoch', epoch, 'fence', fence, 'attempts', 0 })
  enqueue(outbox, queued, whole(now), run_id, epoch)
  return { 'OK', 0, seq }
end
write(decided, { 'state', 'running', 'epoch', epoch, 'fence', fence, 'attempts', 1 })
redis.call('ZADD', leases, whole(now + a.lease_ms), run_id)
return { 'OK', fence, seq }
