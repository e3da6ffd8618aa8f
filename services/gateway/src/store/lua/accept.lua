-- Accepts a run: its record, its first events, the user's turn. Claims it for the calling replica, or leaves it to the queue.
-- KEYS: run, events, session, turns, waiting, sessions, runs, leases, outbox, idempotency
-- ARGV: run_id, session_id, subject, kind, request, lease_ms (0: to the queue), to_seq, packed events, turn, session_ttl_s, title,
--   body digest ('' without an Idempotency-Key), idempotency_ttl_s, when the session is busy (refuse|enqueue)
-- Returns {'OK', state, fence} | {'BUSY', run under way} | {'REPLAY', run of this key} | {'MISMATCH'}
-- A resent command finds its own run (ids are unique per request) and gets the same answer.
local run, events, session, turns, waiting = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
if redis.call('EXISTS', run) == 1 then
  local r = redis.call('HMGET', run, 'state', 'fence')
  return { 'OK', r[1], tonumber(r[2]) }
end
if ARGV[12] ~= '' then
  local known = redis.call('HMGET', KEYS[10], 'body', 'run')
  if known[1] then
    if known[1] ~= ARGV[12] then
      return { 'MISMATCH' }
    end
    return { 'REPLAY', known[2] }
  end
end
local now = clock()
local s = redis.call('HMGET', session, 'active', 'created')
local busy = s[1] and s[1] ~= ''
if busy and ARGV[14] == 'refuse' then
  return { 'BUSY', s[1] }
end
local claims = ARGV[6] ~= '0' and not busy
local state = claims and 'running' or 'queued'
local fence = claims and 1 or 0
local lease = claims and now + tonumber(ARGV[6]) or 0
redis.call('HSET', run, 'id', ARGV[1], 'session', ARGV[2], 'subject', ARGV[3], 'kind', ARGV[4], 'request', ARGV[5],
  'state', state, 'fence', fence, 'epoch', 1, 'attempts', fence, 'seq', ARGV[7], 'bytes', #ARGV[8], 'created', now, 'lease', lease)
redis.call('XADD', events, ARGV[7] .. '-0', 'e', ARGV[8])
redis.call('ZADD', KEYS[7], now, ARGV[1])
redis.call('RPUSH', turns, ARGV[9])
local active = busy and s[1] or ARGV[1]
if s[2] then
  redis.call('HSET', session, 'updated', now, 'active', active)
else
  redis.call('HSET', session, 'created', now, 'title', ARGV[11], 'updated', now, 'active', active)
end
if busy then
  redis.call('RPUSH', waiting, ARGV[1])
elseif claims then
  redis.call('ZADD', KEYS[8], lease, ARGV[1])
else
  redis.call('ZADD', KEYS[9], now, 'run|' .. ARGV[1] .. '|1')
end
-- Reading what is left is cheaper than writing it anew each time.
local ttl = tonumber(ARGV[10])
if redis.call('TTL', turns) < ttl * 0.9 then
  redis.call('EXPIRE', session, ttl)
  redis.call('EXPIRE', turns, ttl)
end
redis.call('ZADD', KEYS[6], now, ARGV[2])
if ARGV[12] ~= '' then
  redis.call('HSET', KEYS[10], 'body', ARGV[12], 'run', ARGV[1])
  redis.call('EXPIRE', KEYS[10], ARGV[13])
end
return { 'OK', state, fence }
