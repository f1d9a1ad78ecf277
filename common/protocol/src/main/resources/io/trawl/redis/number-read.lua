-- Returns the number that is noted for a crawl; 0 if none is.
-- KEYS[1]  a hash: crawl -> number
-- ARGV[1]  the crawl
return count(call('HGET', KEYS[1], ARGV[1]), 0)
