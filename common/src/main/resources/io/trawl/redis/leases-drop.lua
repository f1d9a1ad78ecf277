-- Ends all leases as if they had run out.
-- KEYS[1]  the set of names; `:` and a name is the key of a lease
for _, name in ipairs(redis.call('SMEMBERS', KEYS[1])) do
  redis.call('UNLINK', KEYS[1] .. ':' .. name)
end
return 1
