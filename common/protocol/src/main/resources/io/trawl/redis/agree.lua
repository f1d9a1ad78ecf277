-- Returns the first proposed number, for a choice that all processes must share.
-- KEYS[1]  the key of the choice
-- ARGV[1]  the number to propose, ARGV[2] the largest possible one
local agreed = count(call('GET', KEYS[1]), 0)
if agreed >= 1 and agreed <= tonumber(ARGV[2]) then return string.format('%.0f', agreed) end
call('SET', KEYS[1], ARGV[1])
return ARGV[1]
