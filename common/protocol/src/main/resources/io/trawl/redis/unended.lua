-- Returns the names of the modules that were registered and have not said that they end, each with the seconds since its last entry.
-- KEYS[1]  the names that have not ended, by the time of their last entry
local now = math.floor(milliseconds() / 1000)
local names = call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')
for i = 2, #names, 2 do names[i] = string.format('%.0f', math.max(0, now - count(names[i], now))) end
return names
