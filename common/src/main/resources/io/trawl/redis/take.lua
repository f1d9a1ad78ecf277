-- Takes the next serial number that nobody holds.
-- KEYS[1]  the generator (next, cycles); `:` and a number is the key of a hold
-- ARGV[1]  the largest number, ARGV[2] who takes it, ARGV[3] the lease in milliseconds, ARGV[4] how many numbers may be tried
-- returns  the number, or 0 if all that were tried are held
local generator, max = KEYS[1], tonumber(ARGV[1])
for _ = 1, math.min(max, tonumber(ARGV[4])) do
  local number = tonumber(redis.call('HGET', generator, 'next') or 1)
  if number >= max then
    number = max
    redis.call('HSET', generator, 'next', 1)
    redis.call('HINCRBY', generator, 'cycles', 1)
  else
    redis.call('HSET', generator, 'next', string.format('%.0f', number + 1))
  end
  if redis.call('SET', generator .. ':' .. string.format('%.0f', number), ARGV[2], 'NX', 'PX', ARGV[3]) then
    return number
  end
end
return 0
