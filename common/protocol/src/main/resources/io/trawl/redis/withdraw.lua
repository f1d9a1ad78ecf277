-- Withdraws the batches of this owner, which has not handled any records there. Attempts of others stay counted.
-- KEYS[1]  a hash: partition -> offset, how many began with a batch, how many with the record alone, and the last
--          owner, separated by spaces
-- ARGV[1]  the owner; ARGV[2] and on: partitions
-- returns how many were withdrawn
local withdrawn = 0
for i = 2, #ARGV do
  local entry = call('HGET', KEYS[1], ARGV[i])
  if entry then
    local offset, batches, records, owner = string.match(entry, '^(%d+) (%d+) (%d+) (.*)$')
    if owner == ARGV[1] then
      if batches == '1' and records == '0' then
        call('HDEL', KEYS[1], ARGV[i])
      else
        call('HSET', KEYS[1], ARGV[i], offset .. ' ' .. (tonumber(batches) - 1) .. ' ' .. records .. ' -')
      end
      withdrawn = withdrawn + 1
    end
  end
end
return withdrawn
