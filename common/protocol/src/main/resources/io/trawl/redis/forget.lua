-- Removes the hashes of a run with a tag, if all of them are marked. What is learnt meanwhile is marked again.
-- KEYS[1]  the prefix of the keys
-- returns  '1' if not all are marked: then the caller removes all that may be there, and the note of that, in the key 'all'
local marked, all = KEYS[1] .. 'marked', KEYS[1] .. 'all'
if call('SCARD', marked) >= MOST_MARKED then
  call('SET', all, 1)
else
  for _, number in ipairs(call('SMEMBERS', marked)) do
    call('UNLINK', KEYS[1] .. number)
  end
end
call('UNLINK', marked)
return tostring(call('EXISTS', all))
