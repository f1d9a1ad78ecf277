-- Takes back that this owner has begun: it has found that others had, and has not handled anything there. Theirs stay counted.
-- KEYS[1]  a hash: partition -> offset, count and owner, separated by spaces
-- ARGV[1]  the owner; ARGV[2] and on: partitions
-- returns how many were taken back
local back = 0
for i = 2, #ARGV do
  local entry = redis.call('HGET', KEYS[1], ARGV[i])
  if entry then
    local offset, count, owner = string.match(entry, '^(%d+) (%d+) (.*)$')
    if owner == ARGV[1] then
      if count == '1' then
        redis.call('HDEL', KEYS[1], ARGV[i])
      else
        redis.call('HSET', KEYS[1], ARGV[i], offset .. ' ' .. (tonumber(count) - 1) .. ' -')
      end
      back = back + 1
    end
  end
end
return back
