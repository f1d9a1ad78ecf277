-- Returns the state of a generator of serial numbers: the next number and the finished cycles.
-- KEYS[1]  the generator
local found = call('HMGET', KEYS[1], 'next', 'cycles')
return {string.format('%.0f', count(found[1], 1)), string.format('%.0f', count(found[2], 0))}
