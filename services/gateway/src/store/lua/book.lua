-- Reads entries of a book, newest first, at least one, until a number of bytes is reached: entries differ in size, and Redis only counts them.
-- KEYS: book
-- ARGV: the id that they are older than ('' for none), bytes, entries
-- Returns {entries, whether there are more (1)}
local entries, bytes, most = {}, tonumber(ARGV[2]), tonumber(ARGV[3])
local from = ARGV[1] == '' and '+' or '(' .. ARGV[1]
while true do
  local entry = redis.call('XREVRANGE', KEYS[1], from, '-', 'COUNT', 1)[1]
  if not entry then
    return { entries, 0 }
  elseif bytes <= 0 or #entries == most then
    return { entries, 1 }
  end
  entries[#entries + 1] = entry
  bytes = bytes - #entry[2][4]
  from = '(' .. entry[1]
end
