-- Adds facts about URLs, one after the other, each as an entry-wise minimum; writes only changes.
-- KEYS[1]  the marks of hashes of the run; then per fact the hash
-- ARGV[1]  per fact: field (8 bytes), known (1), done depth (1), done offset (5), first (5), big-endian
-- returns  per fact the facts known before it: known, done depth, done offset, first (12 bytes)
-- A stored value is shortened where possible: 1 byte if only `known` is there, 7 if `first` is the done offset, else all 12.
local input = ARGV[1]
local sub, unpack, pack = string.sub, struct.unpack, struct.pack
local NO_DEPTH, NO_OFFSET = 255, 1099511627775
local NO_RESPONSE = string.rep('\255', 11)
local NOTHING = '\255' .. NO_RESPONSE

local function wide(value)
  local length = value and #value
  if not length then return NOTHING end
  if length == 1 then return value .. NO_RESPONSE end
  if length == 7 then return value .. sub(value, 3) end
  return length == 12 and value or NOTHING
end

local function narrow(known, depth, offset, first)
  if depth == NO_DEPTH and offset == NO_OFFSET and first == NO_OFFSET then return string.char(known) end
  if first == offset then return pack('>BBI5', known, depth, offset) end
  return pack('>BBI5I5', known, depth, offset, first)
end

local before, mark = {}, marks(KEYS[1])
for i = 2, #KEYS do
  local key, at = KEYS[i], (i - 2) * 20 + 1
  local field = sub(input, at, at + 7)
  local old = wide(call('HGET', key, field))
  before[#before + 1] = old
  local new = sub(input, at + 8, at + 19)
  if new ~= old and new ~= NOTHING then
    local oldKnown, oldDepth, oldOffset, oldFirst = unpack('>BBI5I5', old)
    local known, depth, offset, first = unpack('>BBI5I5', new)
    local less = known < oldKnown or first < oldFirst
    if depth < oldDepth or (depth == oldDepth and offset < oldOffset) then
      less = true
    else
      depth, offset = oldDepth, oldOffset
    end
    if less then
      call('HSET', key, field, narrow(math.min(known, oldKnown), depth, offset, math.min(first, oldFirst)))
      if old == NOTHING then mark(key) end
    end
  end
end
return table.concat(before)
