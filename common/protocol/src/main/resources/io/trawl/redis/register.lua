-- Adds or renews the entry of a module.
-- KEYS[1]  a hash: name -> the end of its lease in milliseconds, a space, its entry; KEYS[2] the names that have not ended, by the time of their last entry
-- ARGV[1]  the name, ARGV[2] the entry, ARGV[3] the lease in milliseconds, ARGV[4] the part of the name from its address on, ARGV[5] how many names are kept
local now = milliseconds()
call('HSET', KEYS[1], ARGV[1], string.format('%.0f ', now + tonumber(ARGV[3])) .. ARGV[2])
if not call('ZSCORE', KEYS[2], ARGV[1]) then
  -- Whoever had this address before has given it back.
  for _, name in ipairs(call('ZRANGE', KEYS[2], 0, -1)) do
    if string.sub(name, -#ARGV[4]) == ARGV[4] then call('ZREM', KEYS[2], name) end
  end
end
call('ZADD', KEYS[2], string.format('%.0f', math.floor(now / 1000)), ARGV[1])
call('ZREMRANGEBYRANK', KEYS[2], 0, -1 - tonumber(ARGV[5]))
return 1
