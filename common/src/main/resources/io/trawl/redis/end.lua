-- Forgets that this owner has begun.
-- KEYS[1]  a hash: partition -> offset, count and owner, separated by spaces
-- ARGV[1]  the owner; ARGV[2] and on: partitions
-- returns how many were forgotten; what another has begun meanwhile stays
local forgotten = 0
for i = 2, #ARGV do
  local entry = redis.call('HGET', KEYS[1], ARGV[i])
  if entry and string.match(entry, '^%d+ %d+ (.*)$') == ARGV[1] then
    forgotten = forgotten + redis.call('HDEL', KEYS[1], ARGV[i])
  end
end
return forgotten
