-- Renews or releases the lease of a serial number.
-- KEYS[1]  as for take
-- ARGV[1]  the number, ARGV[2] the holder, ARGV[3] the lease in milliseconds; 0: release it
-- returns  1, or 0 if another process holds it
local now = milliseconds()
local ends, holder = string.match(call('HGET', KEYS[1], ARGV[1]) or '', '^(%d+) (.*)$')
if ends and holder ~= ARGV[2] and tonumber(ends) > now then return 0 end
if ARGV[3] == '0' then
  call('HDEL', KEYS[1], ARGV[1])
else
  call('HSET', KEYS[1], ARGV[1], string.format('%.0f ', now + tonumber(ARGV[3])) .. ARGV[2])
end
return 1
