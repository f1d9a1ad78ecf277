-- All entries whose lease runs; the names of the others are dropped.
-- KEYS[1]  the set of names; `:` and a name is the key of an entry
local live = {}
for _, name in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  local entry = redis.call('GET', KEYS[1] .. ':' .. name)
  if entry then
    live[#live + 1] = entry
  else
    redis.call('SREM', KEYS[1], name)
  end
end
return live
