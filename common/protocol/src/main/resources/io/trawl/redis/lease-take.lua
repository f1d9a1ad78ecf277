-- Takes the lease on a partition, or renews it if this claim already has it: the call may be repeated. Or closes the partition, so that nobody gets
-- its lease any more.
-- A server with another run id may lack the newest leases (it was a replica, or has read an older file). Their holders cannot renew them, so it gives none
-- that it does not know until they have run out; and their hosts may have been fetched until then.
-- KEYS[1]  the set of names, KEYS[2] the lease, KEYS[3] its state (owned, broken, closed, run), KEYS[4] its hosts (end of the pause, in milliseconds)
-- KEYS[5]  the server (run, since: when it followed another one, length: of a lease)
-- ARGV[1]  the name, ARGV[2] the claim's token, ARGV[3] its length in milliseconds; 0: close it
-- returns  nothing if another claim has it or may have it, or it is closed; else the milliseconds since it was last taken from an owner that had not released it (-1: never),
--          then the hosts that are still paused, each with its milliseconds
local lease, state, hosts, server = KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local closing = ARGV[3] == '0'
if not closing and call('HGET', state, 'closed') then return {} end
local holder = call('GET', lease)
-- A lease always expires: a value that does not is none.
if holder and holder ~= ARGV[2] and call('PTTL', lease) >= 0 then return {} end
local now = milliseconds()
local info = redis.pcall('INFO', 'server')
local run = type(info) == 'string' and string.match(info, 'run_id:(%x+)') or ''
local known = call('HGET', server, 'run')
if known ~= run then
  call('HSET', server, 'run', run, 'since', known and string.format('%.0f', now) or '0')
end
if not closing then call('HSET', server, 'length', ARGV[3]) end
local since = count(call('HGET', server, 'since'), 0)
if holder ~= ARGV[2] and now < since + count(call('HGET', server, 'length'), 0) then return {} end
if closing then
  call('UNLINK', lease)
  call('HSET', state, 'closed', '1')
else
  call('SET', lease, ARGV[2], 'PX', ARGV[3])
end
call('SADD', KEYS[1], ARGV[1])
local owned = call('HGET', state, 'owned')
if owned and owned ~= '0' and owned ~= ARGV[2] or since > 0 and call('HGET', state, 'run') ~= run then
  call('HSET', state, 'broken', string.format('%.0f', now + 1))
end
call('HSET', state, 'owned', closing and '0' or ARGV[2], 'run', run)
call('ZREMRANGEBYSCORE', hosts, '-inf', string.format('%.0f', now))
local broken = count(call('HGET', state, 'broken'))
local answer = {broken and string.format('%.0f', math.max(0, now - broken)) or '-1'}
local closed = call('ZRANGE', hosts, 0, -1, 'WITHSCORES')
for i = 1, #closed, 2 do
  if closed[i] ~= '' then
    answer[#answer + 1] = closed[i]
    answer[#answer + 1] = string.format('%.0f', math.min(tonumber(closed[i + 1]), 9e15) - now)
  end
end
return answer
