-- Returns the names and entries with a valid lease; drops the names of the others.
-- KEYS[1]  the set of names; `:` and a name is the key of an entry
local live = {}
for _, name in ipairs(call('SMEMBERS', KEYS[1])) do
  local entry = call('GET', KEYS[1] .. ':' .. name)
  if entry then
    live[#live + 1] = name
    live[#live + 1] = entry
  else
    -- A server that takes no writes still answers.
    redis.pcall('SREM', KEYS[1], name)
  end
end
return live
