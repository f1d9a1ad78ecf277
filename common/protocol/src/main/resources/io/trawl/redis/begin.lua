-- Records that the owner has begun at offsets, and counts the owners that began at the same offset without ending.
-- KEYS[1]  a hash: partition -> offset, how many began with a batch, how many with the record alone, and the last
--          owner, separated by spaces
-- ARGV[1]  the owner; ARGV[2] 'alone' or 'together'; ARGV[3], ARGV[4] a partition and its offset, and so on
-- returns the largest count: of those that began with the record alone, or of all
local alone = ARGV[2] == 'alone'
local most = 1
for i = 3, #ARGV, 2 do
  local batches, records, new = 0, 0, true
  local entry = call('HGET', KEYS[1], ARGV[i])
  if entry then
    local offset, b, r, owner = string.match(entry, '^(%d+) (%d+) (%d+) (.*)$')
    if offset == ARGV[i + 1] then
      batches, records, new = tonumber(b), tonumber(r), owner ~= ARGV[1]
    end
  end
  if new and alone then
    records = records + 1
  elseif new then
    batches = batches + 1
  end
  call('HSET', KEYS[1], ARGV[i], ARGV[i + 1] .. ' ' .. batches .. ' ' .. records .. ' ' .. ARGV[1])
  most = math.max(most, alone and records or batches + records)
end
return most
