-- Accepts runs of one tenant: their records, their first events, the users' turns. Claims them for the calling replica, or leaves them
-- to the queue.
-- KEYS: sessions, runs, leases, outbox, then per run: run, events, session, turns, waiting, idempotency
-- ARGV: number of runs, lease_ms, session_ttl_s, idempotency_ttl_s, then per run:
--   run_id, session_id, subject, kind, request, claim (1) or queue (0), to_seq, packed events, turn, title,
--   body digest ('' without an Idempotency-Key), when the session is busy (refuse|enqueue)
-- Returns one answer a run: {'OK', state, fence} | {'BUSY', run under way} | {'REPLAY', run of this key} | {'MISMATCH'}
-- A resent command finds its own runs (ids are unique per request) and gets the same answers.
local now = clock()
local at = whole(now)
local session_ttl = tonumber(ARGV[3])

local function accept(k, a)
  local run, events, session, turns, waiting, idempotency = KEYS[k + 1], KEYS[k + 2], KEYS[k + 3], KEYS[k + 4], KEYS[k + 5], KEYS[k + 6]
  local id, to_seq, packed, digest = ARGV[a], ARGV[a + 6], ARGV[a + 7], ARGV[a + 10]
  local own = redis.call('HMGET', run, 'state', 'fence')
  if own[1] then
    return { 'OK', own[1], tonumber(own[2]) }
  end
  if digest ~= '' then
    local known = redis.call('HMGET', idempotency, 'body', 'run')
    if known[1] then
      if known[1] ~= digest then
        return { 'MISMATCH' }
      end
      return { 'REPLAY', known[2] }
    end
  end
  local s = redis.call('HMGET', session, 'active', 'created')
  local busy = s[1] and s[1] ~= ''
  if busy and ARGV[a + 11] == 'refuse' then
    return { 'BUSY', s[1] }
  end
  local claims = ARGV[a + 5] == '1' and not busy
  local state = claims and 'running' or 'queued'
  local fence = claims and '1' or '0'
  local lease = claims and whole(now + ARGV[2]) or '0'
  redis.call('HSET', run, 'id', id, 'session', ARGV[a + 1], 'subject', ARGV[a + 2], 'kind', ARGV[a + 3], 'request', ARGV[a + 4],
    'state', state, 'fence', fence, 'epoch', '1', 'attempts', fence, 'seq', to_seq, 'bytes', #packed, 'created', at, 'lease', lease)
  redis.call('XADD', events, to_seq .. '-0', 'e', packed)
  redis.call('ZADD', KEYS[2], at, id)
  redis.call('RPUSH', turns, ARGV[a + 8])
  if not s[2] then
    redis.call('HSET', session, 'created', at, 'title', ARGV[a + 9], 'updated', at, 'active', id)
  elseif busy then
    redis.call('HSET', session, 'updated', at, 'queue', 1)
  else
    redis.call('HSET', session, 'updated', at, 'active', id)
  end
  if busy then
    redis.call('RPUSH', waiting, id)
  elseif claims then
    redis.call('ZADD', KEYS[3], lease, id)
  else
    redis.call('ZADD', KEYS[4], at, 'run|' .. id .. '|1')
  end
  -- Reading what is left is cheaper than writing it anew each time.
  if redis.call('TTL', turns) < session_ttl * 0.9 then
    redis.call('EXPIRE', session, session_ttl)
    redis.call('EXPIRE', turns, session_ttl)
  end
  redis.call('ZADD', KEYS[1], at, ARGV[a + 1])
  if digest ~= '' then
    redis.call('HSET', idempotency, 'body', digest, 'run', id)
    redis.call('EXPIRE', idempotency, ARGV[4])
  end
  return { 'OK', state, tonumber(fence) }
end

local out = {}
for i = 1, tonumber(ARGV[1]) do
  out[i] = accept(6 * i - 2, 12 * i - 7)
end
return out
