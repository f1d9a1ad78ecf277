-- Notes the pages of requests, whose permits they keep.
-- KEYS[1]  as for permits-take
-- ARGV     request, bytes of its page, 1 if that is in Kafka or 0, and so on; a request without a permit is ignored
local sum = count(call('HGET', KEYS[1], 'sum') or nil, 0)
local now = redis.call('TIME')[1]
for i = 1, #ARGV, 3 do
  local entry = call('HGET', KEYS[1], ARGV[i])
  if entry then
    sum = sum - count(string.match(entry, '(%d+)$'), 0) + count(ARGV[i + 1], 0)
    call('HSET', KEYS[1], ARGV[i], (ARGV[i + 2] == '1' and '' or 't' .. now .. ' ') .. ARGV[i + 1])
  end
end
if call('EXISTS', KEYS[1]) == 1 then call('HSET', KEYS[1], 'sum', string.format('%.0f', math.max(0, sum))) end
return 1
