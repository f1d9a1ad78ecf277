-- Reads facts about URLs; changes nothing. The formats are those of learn.lua.
-- KEYS[1]  the prefix of all keys of the run; the bucket's number follows
-- ARGV[1]  per URL: bucket (4 bytes), field (8)
-- returns  per URL: known, done depth, done offset, first (12 bytes)
local prefix, input = KEYS[1], ARGV[1]
local sub, unpack = string.sub, struct.unpack
local NO_RESPONSE = string.rep('\255', 11)
local NOTHING = '\255' .. NO_RESPONSE

local known = {}
for at = 1, #input, 12 do
  local value = call('HGET', prefix .. unpack('>I4', input, at), sub(input, at + 4, at + 11))
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
