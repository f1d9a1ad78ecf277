-- Removes hashes of a run, and their marks. What is learnt later is marked again.
-- KEYS[1]  the marks; then the hashes
for i = 2, #KEYS do
  call('UNLINK', KEYS[i])
  call('SREM', KEYS[1], string.sub(KEYS[i], #KEYS[1] - #'marked' + 1))
end
return ''
