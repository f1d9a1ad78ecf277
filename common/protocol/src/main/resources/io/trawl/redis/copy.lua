-- Gives hashes of one run to another run. A later copy ends this one: without hashes it begins, and the script returns '-'.
-- KEYS[1]  the other run's note of the epoch that it continues, and of the copy; then hashes of the first run, each with that of the other
-- ARGV[1]  the epoch of the first run, ARGV[2] the note, ARGV[3] how long it is kept in seconds
-- returns  of each hash 1 if it is split, else 0; an empty text if the copy does not go on, since the other run continues a later epoch, or by another copy
local note = call('GET', KEYS[1])
if #KEYS == 1 and count(string.match(note or '', '^%d+'), 0) > tonumber(ARGV[1]) or #KEYS > 1 and note ~= ARGV[2] then return '' end
call('SET', KEYS[1], ARGV[2], 'EX', ARGV[3])
if #KEYS == 1 then return '-' end
local splits = {}
for i = 2, #KEYS, 2 do
  if call('COPY', KEYS[i], KEYS[i + 1], 'REPLACE') == 0 then call('UNLINK', KEYS[i + 1]) end
  splits[#splits + 1] = split(KEYS[i]) and '1' or '0'
end
return table.concat(splits)
