-- Takes URLs out of a run that gets the facts of another one. The formats are those of learn.lua.
-- KEYS[1]  the note of the copy; then per URL some hashes of its way, from the highest to the deepest
-- ARGV[1]  the level of the first hash of each, how many each has, and 1 if no hash is above the first (3 bytes); then per URL: id (10 bytes); ARGV[2] the note that must be there
-- returns  per URL the level of its hash, 255 if it is elsewhere; then what was known (13 bytes); an empty text if the note is another one
if call('GET', KEYS[1]) ~= ARGV[2] then return '' end
local input = ARGV[1]
local top, number, first = string.byte(input, 1, 3)

local known = {}
for i = 0, (#KEYS - 1) / number - 1 do
  local id = string.sub(input, i * 10 + 4, i * 10 + 13)
  local level, key, value = find(i * number + 2, top, number, first, id)
  if value then call('HDEL', key, field(id, level)) end
  known[#known + 1] = string.char(level or 255) .. wide(value)
end
return table.concat(known)
