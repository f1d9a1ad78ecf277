-- Renews leases.
-- KEYS     the leases
-- ARGV[1]  how long in milliseconds; then the tokens of their claims
-- returns  the tokens of the leases that are still held
local held = {}
for i, lease in ipairs(KEYS) do
  if call('GET', lease) == ARGV[i + 1] then
    call('PEXPIRE', lease, ARGV[1])
    held[#held + 1] = ARGV[i + 1]
  end
end
return held
