-- Sets the bits of answered offsets, and updates the range of blocks.
-- KEYS[1]  the range of the blocks of a partition that may exist; then blocks
-- ARGV     for each of the blocks the offsets in it, 5 bytes each, big-endian
local BLOCK = 65536
local lowest, highest
for i, input in ipairs(ARGV) do
  local block
  for at = 1, #input, 5 do
    local offset = struct.unpack('>I5', input, at)
    block = math.floor(offset / BLOCK)
    call('SETBIT', KEYS[i + 1], offset % BLOCK, 1)
  end
  lowest = math.min(lowest or block, block)
  highest = math.max(highest or block, block)
end
local known = call('HMGET', KEYS[1], 'lowest', 'highest')
local low, high = count(known[1], lowest), count(known[2], highest)
if not count(known[1]) or not count(known[2]) or lowest < low or highest > high then
  call('HSET', KEYS[1], 'lowest', math.min(low, lowest), 'highest', math.max(high, highest))
end
return 1
