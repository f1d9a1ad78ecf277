-- Learns which item is the first one with a content, unless that is known. An item whose page is visited again has it until another one has its key, also
-- in later runs; in a run it is judged once.
-- KEYS[1]  a hash: content -> item, or the key of one whose page is visited again
-- KEYS[2]  a sorted set: how those were judged last: key, zero, epoch, content
-- ARGV[1]  the epoch in 4 bytes; then of each item its content, empty if it is gone or has none, its id, and its key, empty if its page is not visited again
-- returns  for each 1 if it is the first item with its content, or has none, else an empty text
local first = {}
for i = 2, #ARGV, 3 do
  local content, item, key = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  local new = content ~= ''
  if key ~= '' then
    item = key
    local judgement, before = key .. '\0' .. ARGV[1] .. content, judged(KEYS[2], key .. '\0')[1]
    new = new and before ~= judgement
    if before and before ~= judgement then leave(KEYS[1], KEYS[2], before) end
    if new then call('ZADD', KEYS[2], 0, judgement) end
  end
  if new then call('HSETNX', KEYS[1], content, item) end
  first[#first + 1] = (content == '' or call('HGET', KEYS[1], content) == item) and '1' or ''
end
return first
