-- Adds or renews the entry of a module.
-- KEYS[1]  the set of names; `:` and a name is the key of an entry; next to it `:unended`, the names that have not ended, by the time of their last entry
-- ARGV[1]  the name, ARGV[2] the entry, ARGV[3] the lease in milliseconds, ARGV[4] the part of the name from its address on, ARGV[5] how many names are kept
local unended = KEYS[1] .. ':unended'
call('SET', KEYS[1] .. ':' .. ARGV[1], ARGV[2], 'PX', ARGV[3])
call('SADD', KEYS[1], ARGV[1])
if not call('ZSCORE', unended, ARGV[1]) then
  -- Whoever had this address before has given it back.
  for _, name in ipairs(call('ZRANGE', unended, 0, -1)) do
    if string.sub(name, -#ARGV[4]) == ARGV[4] then call('ZREM', unended, name) end
  end
end
call('ZADD', unended, redis.call('TIME')[1], ARGV[1])
call('ZREMRANGEBYRANK', unended, 0, -1 - tonumber(ARGV[5]))
return 1
