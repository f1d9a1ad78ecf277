-- Says of which pages an item was dropped whose content no other item has any more. The items of a page that is missing have their contents no more.
-- KEYS     those of first-items.lua
-- ARGV[1]  the epoch; then the first part of the keys of a page's items, and 1 if it is missing, else an empty text; and so on
-- returns  for each page 1 if it has such an item, else an empty text
local released = {}
for i = 2, #ARGV, 2 do
  released[#released + 1] = ''
  for _, member in ipairs(judged(KEYS[2], ARGV[i])) do
    local key, content = string.match(member, '^(%Z*)%z....(.*)$')
    local holder = call('HGET', KEYS[1], content)
    if not holder then
      released[#released] = '1'
    elseif holder == key and ARGV[i + 1] ~= '' then
      leave(KEYS[1], KEYS[2], member)
    end
  end
end
return released
