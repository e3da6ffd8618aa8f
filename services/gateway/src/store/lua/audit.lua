-- Appends entries that are about no approval to the decision log.
-- KEYS: audit, audit head
-- ARGV: entry and digest in turn
-- Returns how many were appended.
for i = 1, #ARGV, 2 do
  audit(KEYS[1], KEYS[2], nil, ARGV[i], ARGV[i + 1])
end
return #ARGV / 2
