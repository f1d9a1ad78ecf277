-- Releases leases cleanly.
-- KEYS     leases, each with its state
-- ARGV     the tokens of their claims
for i, token in ipairs(ARGV) do
  local lease, state = KEYS[2 * i - 1], KEYS[2 * i]
  if call('GET', lease) == token then
    call('HSET', state, 'owned', '0')
    call('UNLINK', lease)
  end
end
return 1
