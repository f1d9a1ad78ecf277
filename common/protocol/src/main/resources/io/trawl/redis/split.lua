-- Splits a hash of a run into four, if it is full.
-- KEYS[1]  the hash, then the four
-- ARGV[1]  its level
-- returns  of each of the four 1 if it is full, too, else 0
local level = tonumber(ARGV[1])
-- What a function can be given.
local MOST = 4000
if call('HLEN', KEYS[1]) >= FULL then
  local fields, divisor, parts = call('HGETALL', KEYS[1]), 4 ^ (3 - level % 4), {{}, {}, {}, {}}
  for i = 1, #fields, 2 do
    local id = fields[i]
    -- Another one is none of Trawl.
    if #id == 10 - math.floor(level / 4) then
      local part = parts[math.floor(string.byte(id) / divisor) % 4 + 1]
      part[#part + 1] = level % 4 == 3 and string.sub(id, 2) or id
      part[#part + 1] = fields[i + 1]
    end
  end
  for digit, part in ipairs(parts) do
    for from = 1, #part, MOST do call('HSET', KEYS[digit + 1], unpack(part, from, math.min(#part, from + MOST - 1))) end
  end
  call('UNLINK', KEYS[1])
  call('HSET', KEYS[1], '', '')
end
local full = ''
for i = 2, 5 do full = full .. (call('HLEN', KEYS[i]) >= FULL and level + 1 < DEEPEST and '1' or '0') end
return full
