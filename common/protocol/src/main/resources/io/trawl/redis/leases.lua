-- Returns the names of all leases.
-- KEYS[1]  the set of names
return call('SMEMBERS', KEYS[1])
