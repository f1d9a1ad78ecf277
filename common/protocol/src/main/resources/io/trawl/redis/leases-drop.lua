-- Ends all leases as if they had expired.
-- KEYS[1]  the set of names; `:` and a name is the key of a lease; `:server` after the set is the server
for _, name in ipairs(call('SMEMBERS', KEYS[1])) do
  call('UNLINK', KEYS[1] .. ':' .. name)
end
call('UNLINK', KEYS[1] .. ':server')
return 1
