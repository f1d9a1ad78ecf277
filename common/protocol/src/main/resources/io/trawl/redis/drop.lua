-- Removes blocks below a block, if they are the first of a partition.
-- KEYS[1]  the range of the blocks of a partition that may exist; then some blocks, in their order
-- ARGV[1]  the first block that stays, ARGV[2] the number of the first of those in KEYS
-- returns  the first block that is still to be removed, -1 if there is none
local stays, first, more = tonumber(ARGV[1]), tonumber(ARGV[2]), #KEYS - 1
local known = call('HMGET', KEYS[1], 'lowest', 'highest')
local lowest, highest = count(known[1]), count(known[2])
if not lowest or not highest then return -1 end
if more > 0 and first == lowest then
  for i = 2, #KEYS do call('UNLINK', KEYS[i]) end
  lowest = first + more
  if lowest > highest then
    call('UNLINK', KEYS[1])
    return -1
  end
  call('HSET', KEYS[1], 'lowest', lowest)
end
return lowest < stays and lowest or -1
