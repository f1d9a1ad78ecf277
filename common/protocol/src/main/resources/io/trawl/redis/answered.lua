-- Reads bits of answered offsets as bytes: the first offset of a byte is its highest bit.
-- KEYS     the blocks, in their order
-- ARGV[1]  the first byte, ARGV[2] the last, counted from offset 0 through all blocks
local from, to = tonumber(ARGV[1]), tonumber(ARGV[2])
local BLOCK = 8192
local bits = {}
for i, key in ipairs(KEYS) do
  local block = math.floor(from / BLOCK) + i - 1
  local first = math.max(from - block * BLOCK, 0)
  local last = math.min(to - block * BLOCK, BLOCK - 1)
  local piece = call('GETRANGE', key, first, last)
  bits[#bits + 1] = piece
  bits[#bits + 1] = string.rep('\0', last - first + 1 - #piece)
end
return table.concat(bits)
