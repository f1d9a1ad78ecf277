-- Keeps the session of a run at a host, unless the one that is there has as many changes.
-- KEYS[1]  as for session-find
-- ARGV[1]  the host, ARGV[2] the number of changes, ARGV[3] the session
-- returns  0 if it is kept; else the number of changes of the one that is there
local entry = call('HGET', KEYS[1], ARGV[1])
local known = entry and count(string.match(entry, '^(%d+) '), 0) or 0
local own = tonumber(ARGV[2])
if known >= own then return known end
call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' ' .. ARGV[3])
return 0
