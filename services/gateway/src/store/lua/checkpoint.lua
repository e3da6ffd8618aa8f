-- Writes what a run has come to so far into its session, while its holder holds it.
-- KEYS: run, session, the owner's stored bytes
-- ARGV: fence, n, (field, value) * n of the session, n, (field, value) * n that the session gets only where it has not got them yet
-- Returns OK | FENCED (another holder, or over)
local arg = reader(ARGV, 1)
local r = redis.call('HMGET', KEYS[1], 'fence', 'state')
if r[1] ~= ARGV[1] or r[2] ~= 'running' then
  return 'FENCED'
end
local bytes = keep_in_session(KEYS[2], pairs_from(arg), pairs_from(arg))
if bytes > 0 then
  charge(KEYS[3], clock(), bytes)
end
return 'OK'
