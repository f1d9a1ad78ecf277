-- Replaces a set of domains by a newer one.
-- KEYS[1]  the set: a hash of names and its version
-- ARGV[1]  the version, then the names
-- returns  1 if it was replaced, 0 if the stored set is as new or newer
local version = count(call('HGET', KEYS[1], '#version'), 0)
if version >= tonumber(ARGV[1]) then return 0 end
call('UNLINK', KEYS[1])
call('HSET', KEYS[1], '#version', ARGV[1])
for i = 2, #ARGV do
  call('HSET', KEYS[1], ARGV[i], '')
end
return 1
