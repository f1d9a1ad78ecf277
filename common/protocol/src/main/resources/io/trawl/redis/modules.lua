-- Returns the names and entries with a valid lease; drops the others.
-- KEYS[1]  as for register
local now, all, live = milliseconds(), call('HGETALL', KEYS[1]), {}
for i = 1, #all, 2 do
  local ends, entry = string.match(all[i + 1], '^(%d+) (.*)$')
  if ends and tonumber(ends) > now then
    live[#live + 1] = all[i]
    live[#live + 1] = entry
  else
    -- A server that takes no writes still answers.
    redis.pcall('HDEL', KEYS[1], all[i])
  end
end
return live
