-- Renews or gives back the hold on a serial number.
-- KEYS[1]  the hold
-- ARGV[1]  who holds it, ARGV[2] the lease in milliseconds; 0: give it back
-- returns  1, or 0 if somebody else holds it
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
if ARGV[2] == '0' then
  redis.call('UNLINK', KEYS[1])
else
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
end
return 1
