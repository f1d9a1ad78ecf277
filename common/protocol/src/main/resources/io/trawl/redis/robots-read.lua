-- Returns a stored robots.txt answer, and how long it is still valid.
-- KEYS[1]  the answer of one host for one crawler
-- returns  the bytes, then the milliseconds left; nothing if it does not exist
local kept = call('GET', KEYS[1])
if not kept then return {} end
return {kept, tostring(call('PTTL', KEYS[1]))}
