-- Gives permits to requests of a run, in their order, as long as there are any.
-- KEYS[1]  a hash: the `pages` and `bytes` that the run has left, the `sum` of the bytes of its permits; and request -> `t` and the second in
--          which it took its permit, a space and the bytes of its page, 0 at first; only the bytes when the page is in Kafka
-- ARGV     requests, 16 characters each
-- returns  how many of them, from the first on, have a permit
local room = call('HMGET', KEYS[1], 'pages', 'bytes', 'sum')
local pages, bytes, sum = count(room[1]), count(room[2]), count(room[3], 0)
if not pages or not bytes or not room[3] then return 0 end
local held = call('HLEN', KEYS[1]) - 3
local now = redis.call('TIME')[1]
for i, request in ipairs(ARGV) do
  if call('HEXISTS', KEYS[1], request) == 0 then
    if held >= pages or sum >= bytes then return i - 1 end
    call('HSET', KEYS[1], request, 't' .. now .. ' 0')
    held = held + 1
  end
end
return #ARGV
