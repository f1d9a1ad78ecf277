-- Learns the hashes of the texts of items, and finds for each the most similar item that was learnt before it.
-- KEYS[1]  a hash: a quarter of a hash of a text, with its place -> the items with it, the oldest first: 8 bytes, a length, an id
-- ARGV     a hash of a text and an item, and so on
-- returns  for each the number of bits and the item, or an empty text if none differs in at most NEAR bits
local NEAR, MOST = 3, 32
local ones = {}
for byte = 0, 255 do
  local n, rest = 0, byte
  while rest > 0 do
    n, rest = n + rest % 2, math.floor(rest / 2)
  end
  ones[byte] = n
end

local function bits(one, other)
  local n = 0
  for i = 1, 8 do
    n = n + ones[bit.bxor(one:byte(i), other:byte(i))]
    if n > NEAR then
      return n
    end
  end
  return n
end

local found = {}
for i = 1, #ARGV, 2 do
  local hash, item = ARGV[i], ARGV[i + 1]
  local best, least = '', NEAR + 1
  for quarter = 0, 3 do
    local field = quarter .. hash:sub(2 * quarter + 1, 2 * quarter + 2)
    local items = call('HGET', KEYS[1], field) or ''
    local at, count, known = 1, 0, false
    while at <= #items and not known do
      local length = items:byte(at + 8)
      local other = items:sub(at + 9, at + 8 + length)
      known = other == item
      if not known then
        local n = bits(hash, items:sub(at, at + 7))
        if n < least then
          best, least = other, n
        end
        at, count = at + 9 + length, count + 1
      end
    end
    if not known and count < MOST then
      call('HSET', KEYS[1], field, items .. hash .. string.char(#item) .. item)
    end
  end
  found[#found + 1] = best == '' and '' or least .. best
end
return found
