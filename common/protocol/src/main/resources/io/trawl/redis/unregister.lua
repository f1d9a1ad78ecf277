-- Removes the entry of a module that has ended.
-- KEYS     as for register
-- ARGV[1]  the name
call('HDEL', KEYS[1], ARGV[1])
call('ZREM', KEYS[2], ARGV[1])
return 1
