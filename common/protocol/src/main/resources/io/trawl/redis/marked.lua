-- Returns the numbers of the hashes of a run with a tag, if all of them are marked.
-- KEYS[1]  the marks, KEYS[2] the note that there are more hashes than marks: until it is gone, all that may be there are removed
-- returns  the numbers with spaces between them; `all` if not all are marked
if call('SCARD', KEYS[1]) >= MOST_MARKED then call('SET', KEYS[2], 1) end
if call('EXISTS', KEYS[2]) == 0 then return table.concat(call('SMEMBERS', KEYS[1]), ' ') end
call('UNLINK', KEYS[1])
return 'all'
