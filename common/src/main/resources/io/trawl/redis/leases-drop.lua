-- Ends all leases as if they had expired.
-- KEYS[1]  the set of names; `:` and a name is the key of a lease
for _, name in ipairs(call('SMEMBERS', KEYS[1])) do
  call('UNLINK', KEYS[1] .. ':' .. name)
end
return 1
