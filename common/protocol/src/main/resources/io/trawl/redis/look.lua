-- Reads facts about URLs; changes nothing. The formats are those of learn.lua.
-- KEYS     per URL some hashes of its way, from the highest to the deepest
-- ARGV[1]  the level of the first hash of each, how many each has, and 1 if no hash is above the first (3 bytes); then per URL: id (10 bytes)
-- returns  per URL the level of its hash, 255 if it is elsewhere; then known, done depth, done offset, first (13 bytes)
local input = ARGV[1]
local sub = string.sub
local top, number, first = string.byte(input, 1, 3)

local known = {}
for i = 0, #KEYS / number - 1 do
  local level, _, value = find(i * number + 1, top, number, first, sub(input, i * 10 + 4, i * 10 + 13))
  known[#known + 1] = string.char(level or 255) .. wide(value)
end
return table.concat(known)
