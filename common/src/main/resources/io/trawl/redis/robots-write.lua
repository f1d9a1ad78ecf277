-- Keeps what a site answered, for a while.
-- KEYS[1]  one host's file as one crawler got it
-- ARGV[1]  for how many milliseconds
-- ARGV[2]  the bytes
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[1])
return 1
