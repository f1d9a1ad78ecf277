-- Releases leases cleanly.
-- KEYS[1]  the set of names; `:` and a name is the key of a lease, `:state` after it the key of its state
-- ARGV     names, each with its claim's token
for i = 1, #ARGV, 2 do
  local lease = KEYS[1] .. ':' .. ARGV[i]
  if call('GET', lease) == ARGV[i + 1] then
    call('HSET', lease .. ':state', 'owned', '0')
    call('UNLINK', lease)
  end
end
return 1
