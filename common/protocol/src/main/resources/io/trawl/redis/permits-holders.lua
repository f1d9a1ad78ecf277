-- Returns the requests that have permits.
-- KEYS[1]  as for permits-take
local requests = {}
for _, field in ipairs(call('HKEYS', KEYS[1])) do
  if string.match(field, '^%x%x%x%x%x%x%x%x%x%x%x%x%x%x%x%x$') then requests[#requests + 1] = field end
end
return requests
