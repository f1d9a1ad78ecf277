-- Adds a note at the head of a list, and drops the oldest beyond a number.
-- KEYS[1]  the list
-- ARGV[1]  the note, ARGV[2] the number of notes to keep
call('LPUSH', KEYS[1], ARGV[1])
call('LTRIM', KEYS[1], 0, tonumber(ARGV[2]) - 1)
return 1
