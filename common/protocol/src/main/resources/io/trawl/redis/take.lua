-- Takes the next free serial number.
-- KEYS[1]  the generator: next, cycles, and number -> the end of its lease in milliseconds, a space, its holder
-- ARGV[1]  the largest number, ARGV[2] the holder, ARGV[3] the lease in milliseconds, ARGV[4] the smallest number
-- returns  the number, or 0 if all numbers are held
local generator, max, start = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[4])
local now, held, all = milliseconds(), {}, call('HGETALL', generator)
for i = 1, #all, 2 do
  if tonumber(all[i]) then
    held[all[i]] = tonumber(string.match(all[i + 1], '^(%d+) ') or 0) > now
    if not held[all[i]] then call('HDEL', generator, all[i]) end
  end
end
local following = count(call('HGET', generator, 'next'), start)
local cycles, taken = 0, 0
for _ = start, max do
  local number = math.max(start, following)
  if number >= max then
    number = max
    following = start
    cycles = cycles + 1
  else
    following = number + 1
  end
  local name = string.format('%.0f', number)
  if not held[name] then
    call('HSET', generator, name, string.format('%.0f ', now + tonumber(ARGV[3])) .. ARGV[2])
    taken = number
    break
  end
end
-- A round that found every number held gave none: it is no cycle.
if taken > 0 then
  call('HSET', generator, 'next', string.format('%.0f', following))
  if cycles > 0 then
    call('HINCRBY', generator, 'cycles', cycles)
  end
end
return taken
