-- Reads entries of a log, at least one, until a number of bytes is reached: entries differ in size, and Redis itself only counts them.
-- KEYS: events
-- ARGV: first id, bytes, entries
-- Returns {entries, whether there are more (1)}
local entries, bytes, most, from = {}, tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[1]
while true do
  local entry = redis.call('XRANGE', KEYS[1], from, '+', 'COUNT', 1)[1]
  if not entry then
    return { entries, 0 }
  elseif bytes <= 0 or #entries == most then
    return { entries, 1 }
  end
  entries[#entries + 1] = entry
  bytes = bytes - #entry[2][2]
  from = '(' .. entry[1]
end
