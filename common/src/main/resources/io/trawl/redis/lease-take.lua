-- Takes the lease on a shard, or takes note that this claim has it already: the call may be repeated.
-- KEYS[1]  the set of names; `:` and a name is the key of a lease; beside it `:state` (owned, broken) and `:hosts` (closed until, in milliseconds)
-- ARGV[1]  the name, ARGV[2] the claim's token, ARGV[3] how long in milliseconds
-- returns  nothing if another claim has it; else how long ago it was last taken from an owner that had not handed it over, in milliseconds (-1: never),
--          then the hosts that are still closed, each with its milliseconds
local lease = KEYS[1] .. ':' .. ARGV[1]
local state, hosts = lease .. ':state', lease .. ':hosts'
local holder = redis.call('GET', lease)
if holder and holder ~= ARGV[2] then return {} end
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
redis.call('SET', lease, ARGV[2], 'PX', ARGV[3])
redis.call('SADD', KEYS[1], ARGV[1])
local owned = redis.call('HGET', state, 'owned')
if owned and owned ~= '0' and owned ~= ARGV[2] then
  redis.call('HSET', state, 'broken', string.format('%.0f', now + 1))
end
redis.call('HSET', state, 'owned', ARGV[2])
redis.call('ZREMRANGEBYSCORE', hosts, '-inf', string.format('%.0f', now))
local broken = redis.call('HGET', state, 'broken')
local answer = {broken and string.format('%.0f', math.max(0, now - tonumber(broken))) or '-1'}
local closed = redis.call('ZRANGE', hosts, 0, -1, 'WITHSCORES')
for i = 1, #closed, 2 do
  answer[i + 1] = closed[i]
  answer[i + 2] = string.format('%.0f', tonumber(closed[i + 1]) - now)
end
return answer
