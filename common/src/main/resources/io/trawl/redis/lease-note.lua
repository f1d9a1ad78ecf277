-- Closes hosts of a shard for a while, and forgets those that are open again.
-- KEYS[1]  the set of names; `:` and a name and `:hosts` is the key of what is closed until when
-- ARGV[1]  the name; then hosts, each with its milliseconds
local hosts = KEYS[1] .. ':' .. ARGV[1] .. ':hosts'
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
redis.call('ZREMRANGEBYSCORE', hosts, '-inf', string.format('%.0f', now))
for i = 2, #ARGV, 2 do
  redis.call('ZADD', hosts, 'GT', string.format('%.0f', now + tonumber(ARGV[i + 1])), ARGV[i])
end
return 1
