-- Sets what a run has left, and ends the permits of requests that are counted in it, and of those that took theirs too long ago.
-- KEYS[1]  as for permits-take
-- ARGV[1]  the pages, ARGV[2] the bytes, ARGV[3] the seconds after which a permit without a page in Kafka ends, then requests
for i = 4, #ARGV do call('HDEL', KEYS[1], ARGV[i]) end
local now, sum = tonumber(redis.call('TIME')[1]), 0
local all = call('HGETALL', KEYS[1])
for i = 1, #all, 2 do
  if #all[i] == 16 then
    local taken = count(string.match(all[i + 1], '^t(%d+) '))
    if taken and now - taken > tonumber(ARGV[3]) then
      call('HDEL', KEYS[1], all[i])
    else
      sum = sum + count(string.match(all[i + 1], '(%d+)$'), 0)
    end
  end
end
call('HSET', KEYS[1], 'pages', ARGV[1], 'bytes', ARGV[2], 'sum', string.format('%.0f', sum))
return 1
