-- Gives leases back: handed over.
-- KEYS[1]  the set of names; `:` and a name is the key of a lease, beside it `:state`
-- ARGV     names, each with its claim's token
for i = 1, #ARGV, 2 do
  local lease = KEYS[1] .. ':' .. ARGV[i]
  if redis.call('GET', lease) == ARGV[i + 1] then
    redis.call('HSET', lease .. ':state', 'owned', '0')
    redis.call('UNLINK', lease)
  end
end
return 1
