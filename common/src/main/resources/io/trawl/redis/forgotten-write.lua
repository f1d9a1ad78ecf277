-- Notes the epoch up to which the runs of a crawl are forgotten.
-- KEYS[1]  a hash: crawl -> epoch
-- ARGV[1]  the crawl, ARGV[2] the epoch
return call('HSET', KEYS[1], ARGV[1], ARGV[2])
