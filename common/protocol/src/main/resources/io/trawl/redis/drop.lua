-- Removes the blocks below a block, a limited number at a time.
-- KEYS[1]  the prefix of the keys of the partition; the block's number, or `blocks`, follows
-- ARGV[1]  the first block that stays, ARGV[2] how many may be removed in this call
-- returns  1 if blocks are left to be removed, else 0
local prefix, stays, limit = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local known = call('HMGET', prefix .. 'blocks', 'lowest', 'highest')
local lowest, highest = count(known[1]), count(known[2])
if not lowest or not highest then return 0 end
local last = math.min(stays - 1, highest, lowest + limit - 1)
for block = lowest, last do
  call('UNLINK', prefix .. block)
end
if last >= highest then
  call('UNLINK', prefix .. 'blocks')
  return 0
end
if last >= lowest then
  call('HSET', prefix .. 'blocks', 'lowest', last + 1)
end
return last + 1 < stays and 1 or 0
