-- What was kept, and for how long it is still believed.
-- KEYS[1]  one host's file as one crawler got it
-- returns  the bytes, then the milliseconds left; nothing if it is not there
local kept = redis.call('GET', KEYS[1])
if not kept then return {} end
return {kept, tostring(redis.call('PTTL', KEYS[1]))}
