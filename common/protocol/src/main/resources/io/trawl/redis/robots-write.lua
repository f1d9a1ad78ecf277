-- Stores a robots.txt answer for a limited time.
-- KEYS[1]  the answer of one host for one crawler
-- ARGV[1]  the time in milliseconds
-- ARGV[2]  the bytes
call('SET', KEYS[1], ARGV[2], 'PX', ARGV[1])
return 1
