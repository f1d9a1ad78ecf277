-- Reads facts about URLs; changes nothing. The formats are those of learn.lua.
-- KEYS     per URL the hash
-- ARGV[1]  per URL: field (8 bytes)
-- returns  per URL: known, done depth, done offset, first (12 bytes)
local input = ARGV[1]
local sub = string.sub
local NO_RESPONSE = string.rep('\255', 11)
local NOTHING = '\255' .. NO_RESPONSE

local known = {}
for i, key in ipairs(KEYS) do
  local value = call('HGET', key, sub(input, i * 8 - 7, i * 8))
  local length = value and #value
  if not length then
    value = NOTHING
  elseif length == 1 then
    value = value .. NO_RESPONSE
  elseif length == 7 then
    value = value .. sub(value, 3)
  elseif length ~= 12 then
    value = NOTHING
  end
  known[#known + 1] = value
end
return table.concat(known)
