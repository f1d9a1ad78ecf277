-- Adds facts about URLs, one after the other, each as an entry-wise minimum; writes only changes.
-- KEYS     per fact some hashes of the way of its URL, from the highest to the deepest
-- ARGV[1]  the level of the first hash of each, how many each has, and 1 if no hash is above the first (3 bytes); then per fact: id (10), known (1),
--          done depth (1), done offset (5), first (5), big-endian
-- returns  per fact the level of its hash, and 128 more if that is to be split; then the facts known before it: known, done depth, done offset, first
--          (13 bytes). The level 255 if the URL is elsewhere: then nothing is added.
local input = ARGV[1]
local sub, unpack, pack = string.sub, struct.unpack, struct.pack
local top, number, first = string.byte(input, 1, 3)
local NO_DEPTH, NO_OFFSET = 255, 1099511627775

local function narrow(known, depth, offset, first)
  if depth == NO_DEPTH and offset == NO_OFFSET and first == NO_OFFSET then return string.char(known) end
  if first == offset and known == depth then return pack('>BI5', depth, offset) end
  if first == offset then return pack('>BBI5', known, depth, offset) end
  return pack('>BBI5I5', known, depth, offset, first)
end

-- The value with a fact, or nothing if that says no more.
local function sum(old, new)
  local oldKnown, oldDepth, oldOffset, oldFirst = unpack('>BBI5I5', old)
  local known, depth, offset, first = unpack('>BBI5I5', new)
  local less = known < oldKnown or first < oldFirst
  if depth < oldDepth or (depth == oldDepth and offset < oldOffset) then
    less = true
  else
    depth, offset = oldDepth, oldOffset
  end
  return less and narrow(math.min(known, oldKnown), depth, offset, math.min(first, oldFirst))
end

local before = {}
for i = 0, #KEYS / number - 1 do
  local at = 4 + i * 22
  local id, new = sub(input, at, at + 9), sub(input, at + 10, at + 21)
  local level, key, value, size = find(i * number + 1, top, number, first, id)
  local old = wide(value)
  if not level then
    level = 255
  elseif new ~= old and new ~= NOTHING then
    local less = sum(old, new)
    if less then
      call('HSET', key, field(id, level), less)
      if size + 1 >= FULL and level < DEEPEST then level = level + 128 end
    end
  end
  before[#before + 1] = string.char(level) .. old
end
return table.concat(before)
