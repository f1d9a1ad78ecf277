-- Takes the next free serial number.
-- KEYS[1]  the generator (next, cycles); `:` and a number is the key of its lease
-- ARGV[1]  the largest number, ARGV[2] the holder, ARGV[3] the lease in milliseconds, ARGV[4] how many numbers may be tried, ARGV[5] the smallest number
-- returns  the number, or 0 if all tried numbers are held
local generator, max, start = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[5])
for _ = 1, math.min(max - start + 1, tonumber(ARGV[4])) do
  local number = math.max(start, count(call('HGET', generator, 'next'), start))
  if number >= max then
    number = max
    call('HSET', generator, 'next', ARGV[5])
    call('HINCRBY', generator, 'cycles', 1)
  else
    call('HSET', generator, 'next', string.format('%.0f', number + 1))
  end
  if call('SET', generator .. ':' .. string.format('%.0f', number), ARGV[2], 'NX', 'PX', ARGV[3]) then
    return number
  end
end
return 0
