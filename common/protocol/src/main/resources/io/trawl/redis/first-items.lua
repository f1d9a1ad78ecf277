-- Learns which item is the first one with a content, unless that is known.
-- KEYS[1]  a hash: content -> item
-- ARGV     a content and an item, and so on
-- returns  the first item of each content
local first = {}
for i = 1, #ARGV, 2 do
  if call('HSETNX', KEYS[1], ARGV[i], ARGV[i + 1]) == 1 then
    first[#first + 1] = ARGV[i + 1]
  else
    first[#first + 1] = call('HGET', KEYS[1], ARGV[i])
  end
end
return first
