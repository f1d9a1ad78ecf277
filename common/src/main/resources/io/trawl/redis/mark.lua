-- Sets the bits of answered offsets, and remembers which blocks there are.
-- KEYS[1]  what the keys of the partition begin with; the block's number, or `blocks`, follows
-- ARGV[1]  the offsets, 5 bytes each, big-endian
local prefix, input = KEYS[1], ARGV[1]
local BLOCK = 65536
local lowest, highest
for at = 1, #input, 5 do
  local offset = struct.unpack('>I5', input, at)
  local block = math.floor(offset / BLOCK)
  redis.call('SETBIT', prefix .. block, offset % BLOCK, 1)
  lowest = math.min(lowest or block, block)
  highest = math.max(highest or block, block)
end
local known = redis.call('HMGET', prefix .. 'blocks', 'lowest', 'highest')
local low, high = tonumber(known[1] or lowest), tonumber(known[2] or highest)
if not known[1] or lowest < low or highest > high then
  redis.call('HSET', prefix .. 'blocks', 'lowest', math.min(low, lowest), 'highest', math.max(high, highest))
end
return 1
