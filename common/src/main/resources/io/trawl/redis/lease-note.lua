-- Records pauses of hosts of a partition, and removes pauses that are over.
-- KEYS[1]  the set of names; `:` and a name and `:hosts` is the key of the hosts with the ends of their pauses
-- ARGV[1]  the name; then hosts, each with its milliseconds
local hosts = KEYS[1] .. ':' .. ARGV[1] .. ':hosts'
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
call('ZREMRANGEBYSCORE', hosts, '-inf', string.format('%.0f', now))
for i = 2, #ARGV, 2 do
  call('ZADD', hosts, 'GT', string.format('%.0f', now + tonumber(ARGV[i + 1])), ARGV[i])
end
return 1
