-- Ends the permits of requests that brought no page.
-- KEYS[1]  as for permits-take
-- ARGV     requests
for _, request in ipairs(ARGV) do call('HDEL', KEYS[1], request) end
return 1
