-- Notes a number for a crawl.
-- KEYS[1]  a hash: crawl -> number
-- ARGV[1]  the crawl, ARGV[2] the number
return call('HSET', KEYS[1], ARGV[1], ARGV[2])
