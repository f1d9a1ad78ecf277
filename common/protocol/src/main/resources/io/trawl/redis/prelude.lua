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

-- Facts of a run are in hashes. One with FULL fields is split into four, by the next two bits of the ids of its URLs, and has then the field '' alone.
-- So a hash has a level, and its name two bits for each; fields lack the bytes of an id that are in the name as a whole. A URL is in the only hash on its
-- way that is not split, or is to be added there.
local FULL, DEEPEST = 256, 31
local NOTHING = string.rep('\255', 12)
local function field(id, level) return level < 4 and id or string.sub(id, math.floor(level / 4) + 1) end
local function split(key) return call('HLEN', key) == 1 and call('HEXISTS', key, '') == 1 end

-- Looks for a URL in the hashes of its way, of which KEYS names some from a place on.
-- top: the level of the first of them; number: of them; first: 1 if no hash is above it
-- returns  nothing if it is elsewhere; else the level of its hash, its key, its value there or false, and how many fields the hash has without it
local function find(at, top, number, first, id)
  for i = number - 1, 0, -1 do
    local key, level = KEYS[at + i], top + i
    local value = call('HGET', key, field(id, level))
    if value then return level, key, value, 0 end
    local size = call('HLEN', key)
    if size == 1 and split(key) then
      if level == DEEPEST then return level, key, false, 0 end
      if i == number - 1 then return nil end
      return level + 1, KEYS[at + i + 1], false, 0
    elseif size > 0 then
      return level, key, false, size
    end
  end
  if first == 1 then return top, KEYS[at], false, 0 end
end

-- A stored value is shortened where possible: 1 byte if only `known` is there, 7 if `first` is the done offset, 6 if `known` is the done depth, too.
local function wide(value)
  local length = value and #value
  if length == 1 then return value .. string.sub(NOTHING, 2) end
  if length == 6 then return string.sub(value, 1, 1) .. value .. string.sub(value, 2) end
  if length == 7 then return value .. string.sub(value, 3) end
  return length == 12 and value or NOTHING
end

-- The members of a sorted set of judged items (key, zero, epoch, content) that begin with a text. All have one score.
local function judged(items, from) return call('ZRANGEBYLEX', items, '[' .. from, '(' .. from .. '\255') end

-- An item has its content no more: takes its member away, and says no longer that it is the first one with that content.
local function leave(first, items, member)
  local key, content = string.match(member, '^(%Z*)%z....(.*)$')
  if call('HGET', first, content) == key then call('HDEL', first, content) end
  call('ZREM', items, member)
end
