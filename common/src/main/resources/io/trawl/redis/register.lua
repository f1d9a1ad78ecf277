-- Adds or renews the entry of a module.
-- KEYS[1]  the set of names; `:` and a name is the key of an entry
-- ARGV[1]  the name, ARGV[2] the entry, ARGV[3] the lease in milliseconds
call('SET', KEYS[1] .. ':' .. ARGV[1], ARGV[2], 'PX', ARGV[3])
call('SADD', KEYS[1], ARGV[1])
return 1
