-- Records that the owner has begun at offsets, and counts the owners that began at the same offset without ending.
-- KEYS[1]  a hash: partition -> offset, count and owner, separated by spaces
-- ARGV[1]  the owner; ARGV[2], ARGV[3] a partition and its offset, and so on
-- returns the largest count
local most = 1
for i = 2, #ARGV, 2 do
  local count = 1
  local entry = call('HGET', KEYS[1], ARGV[i])
  if entry then
    local offset, before, owner = string.match(entry, '^(%d+) (%d+) (.*)$')
    if offset == ARGV[i + 1] then
      count = tonumber(before) + (owner == ARGV[1] and 0 or 1)
    end
  end
  call('HSET', KEYS[1], ARGV[i], ARGV[i + 1] .. ' ' .. count .. ' ' .. ARGV[1])
  most = math.max(most, count)
end
return most
