-- Removes the entry of a module that has ended, or all entries.
-- KEYS[1]  the set of names; `:` and a name is the key of an entry; next to it `:unended`, the names that have not ended
-- ARGV[1]  the name; absent: all
local names = ARGV[1] and {ARGV[1]} or call('SMEMBERS', KEYS[1])
for _, name in ipairs(names) do
  call('UNLINK', KEYS[1] .. ':' .. name)
  call('SREM', KEYS[1], name)
end
if ARGV[1] then call('ZREM', KEYS[1] .. ':unended', ARGV[1]) end
return 1
