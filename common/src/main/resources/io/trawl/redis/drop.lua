-- Removes the blocks below a block, a limited number at a time.
-- KEYS[1]  what the keys of the partition begin with; the block's number, or `blocks`, follows
-- ARGV[1]  the first block that stays, ARGV[2] how many may be removed in this call
-- returns  1 if blocks are left to be removed, else 0
local prefix, stays, limit = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
local known = redis.call('HMGET', prefix .. 'blocks', 'lowest', 'highest')
if not known[1] then return 0 end
local lowest, highest = tonumber(known[1]), tonumber(known[2])
local last = math.min(stays - 1, highest, lowest + limit - 1)
for block = lowest, last do
  redis.call('UNLINK', prefix .. block)
end
if last >= highest then
  redis.call('UNLINK', prefix .. 'blocks')
  return 0
end
if last >= lowest then
  redis.call('HSET', prefix .. 'blocks', 'lowest', last + 1)
end
return last + 1 < stays and 1 or 0
