-- Gives a range of buckets of one run to another run.
-- KEYS[1]  the prefix of the keys of the first run
-- ARGV[1]  the prefix of the keys of the other, ARGV[2] its note of the epoch that it continues
-- ARGV[3]  the epoch of the first run, ARGV[4] how long the note is kept in seconds
-- ARGV[5]  the first bucket, ARGV[6] the last
-- ARGV[7]  the URLs of these buckets that are left out: bucket (4 bytes), field (8), big-endian
-- returns  1, or 0 if the other run continues a later epoch: then nothing has changed
local from, to, note, epoch = KEYS[1], ARGV[1], ARGV[2], tonumber(ARGV[3])
if count(call('GET', note), 0) > epoch then return 0 end
call('SET', note, ARGV[3], 'EX', ARGV[4])
local mark = marks(to)
for bucket = tonumber(ARGV[5]), tonumber(ARGV[6]) do
  call('UNLINK', to .. bucket)
  if call('COPY', from .. bucket, to .. bucket) == 1 then mark(bucket) end
end
for at = 1, #ARGV[7], 12 do
  call('HDEL', to .. struct.unpack('>I4', ARGV[7], at), string.sub(ARGV[7], at + 4, at + 11))
end
return 1
