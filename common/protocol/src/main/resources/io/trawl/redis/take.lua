-- Takes the next free serial number.
-- KEYS[1]  the generator (next, cycles); `:` and a number is the key of its lease
-- ARGV[1]  the largest number, ARGV[2] the holder, ARGV[3] the lease in milliseconds, ARGV[4] how many numbers may be tried, ARGV[5] the smallest number
-- returns  the number, or 0 if all tried numbers are held
local generator, max, start = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[5])
local all, tries = max - start + 1, tonumber(ARGV[4])
local following = count(call('HGET', generator, 'next'), start)
local cycles, taken = 0, 0
for _ = 1, math.min(all, tries) do
  local number = math.max(start, following)
  if number >= max then
    number = max
    following = start
    cycles = cycles + 1
  else
    following = number + 1
  end
  if call('SET', generator .. ':' .. string.format('%.0f', number), ARGV[2], 'NX', 'PX', ARGV[3]) then
    taken = number
    break
  end
end
-- A round that found every number held gave none: it is no cycle. After fewer tries the next call goes on where this one ended.
if taken > 0 or tries < all then
  call('HSET', generator, 'next', string.format('%.0f', following))
  if cycles > 0 then
    call('HINCRBY', generator, 'cycles', cycles)
  end
end
return taken
