-- Removes hashes of a run, each with the four that it is split into, unless one of these is split: no hash stays whose way is gone.
-- KEYS[1]  the note of who gives this run the facts of another one; then the hashes, five each
-- ARGV[1]  the note that must be there, or nothing
-- returns  of each 1 if it stays, else 0; an empty text if the note is another one
if ARGV[1] ~= '' and call('GET', KEYS[1]) ~= ARGV[1] then return '' end
local stays = {}
for i = 2, #KEYS, 5 do
  local further = split(KEYS[i + 1]) or split(KEYS[i + 2]) or split(KEYS[i + 3]) or split(KEYS[i + 4])
  if not further then call('UNLINK', KEYS[i], KEYS[i + 1], KEYS[i + 2], KEYS[i + 3], KEYS[i + 4]) end
  stays[#stays + 1] = further and '1' or '0'
end
return table.concat(stays)
