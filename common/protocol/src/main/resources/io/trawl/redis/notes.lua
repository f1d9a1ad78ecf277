-- Returns the notes of a list, the newest first.
-- KEYS[1]  the list
return call('LRANGE', KEYS[1], 0, -1)
