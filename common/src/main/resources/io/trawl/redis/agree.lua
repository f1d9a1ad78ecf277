-- The number that was proposed first, for a choice that all processes must share.
-- KEYS[1]  where it is kept
-- ARGV[1]  what is proposed now
redis.call('SET', KEYS[1], ARGV[1], 'NX')
return redis.call('GET', KEYS[1])
