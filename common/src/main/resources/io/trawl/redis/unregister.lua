-- Removes the entry of a module, or all entries.
-- KEYS[1]  the set of names; `:` and a name is the key of an entry
-- ARGV[1]  the name; absent: all
local names = ARGV[1] and {ARGV[1]} or call('SMEMBERS', KEYS[1])
for _, name in ipairs(names) do
  call('UNLINK', KEYS[1] .. ':' .. name)
  call('SREM', KEYS[1], name)
end
return 1
