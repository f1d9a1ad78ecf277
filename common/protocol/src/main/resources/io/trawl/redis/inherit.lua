-- Gives a run what is known of the items of the run before, unless it knows something.
-- KEYS     keys of the run before, each with that of the run
for i = 1, #KEYS, 2 do
  if call('EXISTS', KEYS[i]) == 1 and call('EXISTS', KEYS[i + 1]) == 0 then call('RENAME', KEYS[i], KEYS[i + 1]) end
end
return ''
