-- Returns the epoch up to which the runs of a crawl are forgotten; 0 if none are.
-- KEYS[1]  a hash: crawl -> epoch
-- ARGV[1]  the crawl
return count(call('HGET', KEYS[1], ARGV[1]), 0)
