-- Counts a request to a host, if neither the budget of the host nor that of a pattern is used up. The request that was counted last is granted again.
-- KEYS[1]  a hash: host -> URLs, failures, milliseconds of the first, the last request counted, the last that failed, separated by spaces; and pattern -> URLs
-- ARGV[1]  the host, ARGV[2] the request, ARGV[3] the most URLs, ARGV[4] the most failures, ARGV[5] the most milliseconds; -1: no limit,
-- ARGV[6]  the field of the pattern, empty for none, ARGV[7] its most URLs
-- returns  0 if it is granted, 1 if the URLs are used up, 2 the failures, 3 the time, 4 the pattern
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local entry = call('HGET', KEYS[1], ARGV[1]) or ''
local urls, errors, first, last, failed = string.match(entry, '^(%d+) (%d+) (%d+) (%S+) (%S+)$')
urls, errors, first = count(urls, 0), count(errors, 0), count(first, now)
if last == ARGV[2] then return 0 end
local function used(most, n) return tonumber(most) >= 0 and n >= tonumber(most) end
if used(ARGV[3], urls) then return 1 end
if used(ARGV[4], errors) then return 2 end
if urls > 0 and used(ARGV[5], now - first) then return 3 end
if ARGV[6] ~= '' then
    local pages = count(call('HGET', KEYS[1], ARGV[6]), 0)
    if pages >= tonumber(ARGV[7]) then return 4 end
    call('HSET', KEYS[1], ARGV[6], string.format('%.0f', pages + 1))
end
call('HSET', KEYS[1], ARGV[1], string.format('%.0f %.0f %.0f %s %s', urls + 1, errors, first, ARGV[2], failed or '-'))
return 0
