-- Gives hashes of one run to another run.
-- KEYS[1]  the other run's note of the epoch that it continues, KEYS[2] the marks of its hashes; then hashes of the first run, each with that of the other
-- ARGV[1]  the epoch of the first run, ARGV[2] how long the note is kept in seconds
-- ARGV[3]  the URLs of these hashes that are left out: which of the hashes (4 bytes, from 1 on), field (8), big-endian
-- returns  1, or 0 if the other run continues a later epoch: then nothing has changed
if count(call('GET', KEYS[1]), 0) > tonumber(ARGV[1]) then return 0 end
call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
local mark = marks(KEYS[2])
for i = 3, #KEYS, 2 do
  call('UNLINK', KEYS[i + 1])
  if call('COPY', KEYS[i], KEYS[i + 1]) == 1 then mark(KEYS[i + 1]) end
end
for at = 1, #ARGV[3], 12 do
  call('HDEL', KEYS[2 * struct.unpack('>I4', ARGV[3], at) + 2], string.sub(ARGV[3], at + 4, at + 11))
end
return 1
