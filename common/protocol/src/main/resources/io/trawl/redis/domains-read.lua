-- Returns the version of a set of domains, and whether names are in it.
-- KEYS[1]  the set: a hash of names and its version
-- ARGV     the names
-- returns  the version (0: there is no set), then per name 1 or 0
local answer = {string.format('%.0f', count(call('HGET', KEYS[1], '#version'), 0))}
for i, name in ipairs(ARGV) do
  answer[i + 1] = tostring(call('HEXISTS', KEYS[1], name))
end
return answer
