-- Where a generator of serial numbers stands: the next number and the finished cycles.
-- KEYS[1]  the generator
local found = redis.call('HMGET', KEYS[1], 'next', 'cycles')
return {found[1] or '1', found[2] or '0'}
