-- KEYS     hashes of a run
-- returns  of each 1 if it is split, else 0
local splits = {}
for i, key in ipairs(KEYS) do splits[i] = split(key) and '1' or '0' end
return table.concat(splits)
