-- Adds names to a set of domains that only grows.
-- KEYS[1]  the set: a hash of names and its version
-- ARGV     the version that the set must have to get the new one, the new version, then the names
-- returns  the version of the set now
local version = count(call('HGET', KEYS[1], '#version'), 0)
for i = 3, #ARGV do
  call('HSET', KEYS[1], ARGV[i], '')
end
if version >= tonumber(ARGV[1]) and version < tonumber(ARGV[2]) then
  version = tonumber(ARGV[2])
  call('HSET', KEYS[1], '#version', ARGV[2])
end
return version
