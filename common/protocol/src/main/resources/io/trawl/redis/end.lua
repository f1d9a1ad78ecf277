-- Removes the entries of this owner.
-- KEYS[1]  a hash: partition -> offset, how many began with a batch, how many with the record alone, and the last
--          owner, separated by spaces
-- ARGV[1]  the owner; ARGV[2] and on: partitions
-- returns how many were removed; entries of other owners stay
local removed = 0
for i = 2, #ARGV do
  local entry = call('HGET', KEYS[1], ARGV[i])
  if entry and string.match(entry, '^%d+ %d+ %d+ (.*)$') == ARGV[1] then
    removed = removed + call('HDEL', KEYS[1], ARGV[i])
  end
end
return removed
