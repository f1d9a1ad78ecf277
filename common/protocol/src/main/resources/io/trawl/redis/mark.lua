-- Sets the bits of answered offsets, and updates the range of blocks.
-- KEYS[1]  the prefix of the keys of the partition; the block's number, or `blocks`, follows
-- ARGV[1]  the offsets, 5 bytes each, big-endian
local prefix, input = KEYS[1], ARGV[1]
local BLOCK = 65536
local lowest, highest
for at = 1, #input, 5 do
  local offset = struct.unpack('>I5', input, at)
  local block = math.floor(offset / BLOCK)
  call('SETBIT', prefix .. block, offset % BLOCK, 1)
  lowest = math.min(lowest or block, block)
  highest = math.max(highest or block, block)
end
local known = call('HMGET', prefix .. 'blocks', 'lowest', 'highest')
local low, high = count(known[1], lowest), count(known[2], highest)
if not count(known[1]) or not count(known[2]) or lowest < low or highest > high then
  call('HSET', prefix .. 'blocks', 'lowest', math.min(low, lowest), 'highest', math.max(high, highest))
end
return 1
