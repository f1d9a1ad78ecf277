-- Renews leases.
-- KEYS[1]  the set of names; `:` and a name is the key of a lease
-- ARGV[1]  how long in milliseconds; then names, each with its claim's token
-- returns  the tokens of the leases that are still held
local held = {}
for i = 2, #ARGV, 2 do
  local lease = KEYS[1] .. ':' .. ARGV[i]
  if call('GET', lease) == ARGV[i + 1] then
    call('PEXPIRE', lease, ARGV[1])
    held[#held + 1] = ARGV[i + 1]
  end
end
return held
