-- The session of a run at a host.
-- KEYS[1]  a hash: host -> number of changes, a space, and the session
-- ARGV[1]  the host
-- returns  the session, if there is one
local entry = call('HGET', KEYS[1], ARGV[1])
return {entry and string.match(entry, '^%d+ (.*)$') or nil}
