-- Returns the time of the server, in milliseconds since 1970.
-- KEYS[1]  any key of the deployment
local now = redis.call('TIME')
return tonumber(now[1]) * 1000 + math.floor(tonumber(now[2]) / 1000)
