-- Learns the hashes of the texts of items, and finds for each the most similar item that was learnt before it.
-- An item whose page is visited again is known until another one has its key, also in later runs; in a run it is judged once.
-- KEYS     those of first-items.lua; KEYS[3] a hash: a quarter of a hash of a text, with its place -> the items with it, the oldest first: 8 bytes, a length, an id;
--          and the key of an item whose page is visited again -> the epoch, 8 bytes, a length, its id, what was returned for it
-- ARGV[1]  the epoch in 4 bytes; then of each item the hash of its text, empty if it is gone or has none, its id, and its key, empty if its page is not
--          visited again
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

local function field(quarter, hash) return quarter .. hash:sub(2 * quarter + 1, 2 * quarter + 2) end

-- Takes an item out of the lists that it is in: its hash, a length, its id.
local function takeOut(entry)
  for quarter = 0, 3 do
    local field = field(quarter, entry)
    local items, at = call('HGET', KEYS[3], field) or '', 1
    while at <= #items and items:sub(at, at + #entry - 1) ~= entry do
      at = at + 9 + items:byte(at + 8)
    end
    if items == entry then
      call('HDEL', KEYS[3], field)
    elseif at <= #items then
      call('HSET', KEYS[3], field, items:sub(1, at - 1) .. items:sub(at + #entry))
    end
  end
end

local function similar(hash, item)
  local best, least = '', NEAR + 1
  for quarter = 0, 3 do
    local field = field(quarter, hash)
    local items = call('HGET', KEYS[3], field) or ''
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
      call('HSET', KEYS[3], field, items .. hash .. string.char(#item) .. item)
    end
  end
  return best == '' and '' or least .. best
end

local found = {}
for i = 2, #ARGV, 3 do
  local hash, item, key = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  local before = key ~= '' and call('HGET', KEYS[3], key)
  if before and before:sub(1, 12) == ARGV[1] .. hash then
    found[#found + 1] = before:sub(14 + before:byte(13))
  else
    if before then
      takeOut(before:sub(5, 13 + before:byte(13)))
      call('HDEL', KEYS[3], key)
    end
    found[#found + 1] = hash == '' and '' or similar(hash, item)
    if key ~= '' and hash ~= '' then
      call('HSET', KEYS[3], key, ARGV[1] .. hash .. string.char(#item) .. item .. found[#found])
    end
  end
end
return found
