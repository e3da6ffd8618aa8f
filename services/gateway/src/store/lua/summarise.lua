-- Moves a session's oldest raw turns into its summary, all at once: no turn is in both, and none is lost. Of several replicas that
-- summarise the same turns, one does it.
-- KEYS: session
-- ARGV: first raw entry as the caller read it, first raw entry afterwards, summary (JSON)
-- Returns 1, or 0 where the session is gone or its raw turns begin elsewhere by now: summarised, or reset
local s = redis.call('HMGET', KEYS[1], 'turns', 'raw_from')
local from, to = tonumber(ARGV[1]), tonumber(ARGV[2])
if not s[1] or tonumber(s[2] or '0') ~= from or to > tonumber(s[1]) then
  return 0
end
redis.call('HSET', KEYS[1], 'summary', ARGV[3])
forget_turns(KEYS[1], from, to)
return 1
