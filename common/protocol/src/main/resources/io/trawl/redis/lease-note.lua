-- Records pauses of hosts of a partition, and removes pauses that are over.
-- KEYS[1]  the set of names; `:` and a name is the key of a lease; next to it `:state` (broken) and `:hosts` (the hosts with the ends of their pauses)
-- ARGV[1]  the name
-- ARGV[2]  the milliseconds since its hosts may have been fetched by an owner that has not released a lease; -1: never
-- ARGV     then hosts, each with its milliseconds
local lease = KEYS[1] .. ':' .. ARGV[1]
local state, hosts = lease .. ':state', lease .. ':hosts'
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local age = tonumber(ARGV[2])
if age >= 0 then
  call('SADD', KEYS[1], ARGV[1])
  call('HSET', state, 'broken', string.format('%.0f', math.max(count(call('HGET', state, 'broken'), 0), now + 1 - age)))
end
call('ZREMRANGEBYSCORE', hosts, '-inf', string.format('%.0f', now))
for i = 3, #ARGV, 2 do
  call('ZADD', hosts, 'GT', string.format('%.0f', now + tonumber(ARGV[i + 1])), ARGV[i])
end
return 1
