-- Stands before every script.
-- Runs a command on a key. A value of another type is no fact of Trawl: the key is removed, and the error names it.
local function call(command, key, ...)
  local reply = redis.pcall(command, key, ...)
  if type(reply) ~= 'table' or not reply.err then return reply end
  if not (string.find(reply.err, 'WRONGTYPE') or string.find(reply.err, 'not an integer') or string.find(reply.err, 'would overflow')) then
    return redis.call(command, key, ...)
  end
  redis.call('UNLINK', key)
  return error('removed <' .. key .. '>')
end

-- A count up to the largest whole number of a double as a number; the default (or nil) for any other text.
local function count(text, default)
  local n = tonumber(text)
  return n and n >= 0 and n <= 9007199254740991 and math.floor(n) or default
end

-- The time of the server.
local function milliseconds()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

-- Returns a function that marks a hash of a run in the key `marked`, whose name differs from that of the hash by the number. It marks the first ones:
-- of many nearly all are there.
local MOST_MARKED = 500
local function marks(marked)
  local left
  return function(hash)
    left = left or MOST_MARKED - call('SCARD', marked)
    if left > 0 then left = left - call('SADD', marked, string.sub(hash, #marked - #'marked' + 1)) end
  end
end

-- The members of a sorted set of judged items (key, zero, epoch, content) that begin with a text. All have one score.
local function judged(items, from) return call('ZRANGEBYLEX', items, '[' .. from, '(' .. from .. '\255') end

-- An item has its content no more: takes its member away, and says no longer that it is the first one with that content.
local function leave(first, items, member)
  local key, content = string.match(member, '^(%Z*)%z....(.*)$')
  if call('HGET', first, content) == key then call('HDEL', first, content) end
  call('ZREM', items, member)
end
