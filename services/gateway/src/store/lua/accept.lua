-- Accepts a run: creates its record, claims it for the calling replica, writes the first events and the user's turn.
-- KEYS: run, events, session, turns, sessions, runs, leases
-- ARGV: run_id, session_id, subject, kind, request, lease_ms, to_seq, packed events, turn, session_ttl_s, title
-- Returns {'OK', fence} | {'BUSY', run_id of the run under way}
-- A resent command finds its own run (ids are unique per request) and gets the same answer.
local run, events, session, turns = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
if redis.call('EXISTS', run) == 1 then
  return { 'OK', tonumber(redis.call('HGET', run, 'fence')) }
end
local active = redis.call('HGET', session, 'active')
if active and active ~= '' then
  return { 'BUSY', active }
end
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local lease = now + tonumber(ARGV[6])
redis.call('HSET', run, 'id', ARGV[1], 'session', ARGV[2], 'subject', ARGV[3], 'kind', ARGV[4], 'request', ARGV[5],
  'state', 'running', 'fence', 1, 'epoch', 1, 'seq', ARGV[7], 'bytes', #ARGV[8], 'lease', lease, 'created', now)
redis.call('XADD', events, ARGV[7] .. '-0', 'e', ARGV[8])
redis.call('ZADD', KEYS[7], lease, ARGV[1])
redis.call('ZADD', KEYS[6], now, ARGV[1])
redis.call('RPUSH', turns, ARGV[9])
redis.call('HSETNX', session, 'created', now)
redis.call('HSETNX', session, 'title', ARGV[11])
redis.call('HSET', session, 'updated', now, 'active', ARGV[1])
redis.call('EXPIRE', session, ARGV[10])
redis.call('EXPIRE', turns, ARGV[10])
redis.call('ZADD', KEYS[5], now, ARGV[2])
return { 'OK', 1 }
