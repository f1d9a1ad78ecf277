-- Counts a request whose fetch failed, once.
-- KEYS[1]  as for budget-take
-- ARGV[1]  the host, ARGV[2] the request
-- returns  the failures of the host
local entry = call('HGET', KEYS[1], ARGV[1]) or ''
local urls, errors, first, last, failed = string.match(entry, '^(%d+) (%d+) (%d+) (%S+) (%S+)$')
if not urls then return 0 end
errors = count(errors, 0)
if failed == ARGV[2] then return errors end
call('HSET', KEYS[1], ARGV[1], urls .. ' ' .. string.format('%.0f', errors + 1) .. ' ' .. first .. ' ' .. last .. ' ' .. ARGV[2])
return errors + 1
