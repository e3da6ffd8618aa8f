-- Notes whether the answer of a session's latest turn by GET has reached its client. A later turn's note stays as it is.
-- KEYS: session
-- ARGV: run, 1 or 0
if redis.call('HGET', KEYS[1], 'get_run') == ARGV[1] then
  redis.call('HSET', KEYS[1], 'get_told', ARGV[2])
end
return 1
