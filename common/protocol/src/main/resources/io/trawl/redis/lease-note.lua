-- Records pauses of hosts of a partition, and removes pauses that are over.
-- KEYS[1]  the set of names, KEYS[2] the state of a lease (broken), KEYS[3] its hosts with the ends of their pauses
-- ARGV[1]  the name
-- ARGV[2]  the milliseconds since its hosts may have been fetched by an owner that has not released a lease; -1: never
-- ARGV     then hosts, each with its milliseconds
local state, hosts = KEYS[2], KEYS[3]
local now = milliseconds()
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
