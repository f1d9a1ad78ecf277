-- Removes a range of numbered keys.
-- KEYS[1]  their prefix
-- ARGV[1]  the first number, ARGV[2] the last
for number = tonumber(ARGV[1]), tonumber(ARGV[2]) do
  call('UNLINK', KEYS[1] .. number)
end
return 1
