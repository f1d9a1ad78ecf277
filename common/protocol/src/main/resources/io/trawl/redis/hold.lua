-- Renews or releases the lease of a serial number.
-- KEYS[1]  the lease
-- ARGV[1]  the holder, ARGV[2] the lease in milliseconds; 0: release it
-- returns  1, or 0 if another process holds it
local holder = call('GET', KEYS[1])
-- A lease always expires: a value that does not is none.
if holder and holder ~= ARGV[1] and call('PTTL', KEYS[1]) >= 0 then return 0 end
if ARGV[2] == '0' then
  call('UNLINK', KEYS[1])
else
  call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
end
return 1
