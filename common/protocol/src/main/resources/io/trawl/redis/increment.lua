-- Increments a counter.
-- KEYS[1]  the counter
-- returns  its new value
return call('INCR', KEYS[1])
