/**
 * Redis runs a script as one step: nobody reads a manifest without its version, or writes between compare and
 * set, or puts a larger value in place of one that was found small enough to be read.
 */

/**
 * KEYS: manifest. ARGV: the longest epoch or revision, manifest and signature. Returns epoch, revision,
 * manifest and signature, or in place of all of them a text: what is wrong.
 */
export const READ_MANIFEST = `
local kind = redis.call('TYPE', KEYS[1]).ok
if kind == 'none' then return {} end
if kind ~= 'hash' then return 'not a manifest as it was written' end
local names = { 'epoch', 'revision', 'manifest', 'signature' }
local limits = { ARGV[1], ARGV[1], ARGV[2], ARGV[3] }
for index, name in ipairs(names) do
  local size = redis.call('HSTRLEN', KEYS[1], name)
  if size > tonumber(limits[index]) then
    return string.format('%s has %.0f bytes, expected %s at most', name, size, limits[index])
  end
end
return redis.call('HMGET', KEYS[1], unpack(names))
`

/** KEYS: history. ARGV: number of entries, the longest entry. Returns them, or a text: what is wrong. */
export const READ_HISTORY = `
local kind = redis.call('TYPE', KEYS[1]).ok
if kind == 'none' then return {} end
if kind ~= 'list' then return 'not a history as it was written' end
local entries = redis.call('LRANGE', KEYS[1], 0, tonumber(ARGV[1]) - 1)
for _, entry in ipairs(entries) do
  if #entry > tonumber(ARGV[2]) then return 'not a history as it was written' end
end
return entries
`

/**
 * KEYS: times. ARGV: number of entries. Returns hashes and times in turn, the oldest first; what is no hash
 * is left out.
 */
export const LIST_PACKED = `
if redis.call('TYPE', KEYS[1]).ok ~= 'zset' then return {} end
local found = redis.call('ZRANGE', KEYS[1], 0, tonumber(ARGV[1]) - 1, 'WITHSCORES')
local kept = {}
for index = 1, #found, 2 do
  if #found[index] == 64 then
    table.insert(kept, found[index])
    table.insert(kept, found[index + 1])
  end
end
return kept
`

/**
 * KEYS: manifest, history. ARGV: epoch, revision, manifest, signature, `newer` or `replace`, length of the
 * history. Returns 1 when written, 0 when the stored version is not older. What is in the way and is no
 * manifest is replaced.
 */
export const WRITE_MANIFEST = `
local manifest, history = KEYS[1], KEYS[2]
local epoch, revision = tonumber(ARGV[1]), tonumber(ARGV[2])
local function isBefore(e, r)
  return e < epoch or (e == epoch and r < revision)
end
if redis.call('TYPE', manifest).ok ~= 'hash' then redis.call('DEL', manifest) end
if redis.call('TYPE', history).ok ~= 'list' then redis.call('DEL', history) end
if ARGV[5] == 'newer' then
  local stored = redis.call('HMGET', manifest, 'epoch', 'revision')
  local e, r = tonumber(stored[1] or ''), tonumber(stored[2] or '')
  if e and r and not isBefore(e, r) then return 0 end
end
local kept = { ARGV[1] .. ':' .. ARGV[2] }
for _, version in ipairs(redis.call('LRANGE', history, 0, tonumber(ARGV[6]) - 1)) do
  local e, r = string.match(version, '^(%d+):(%d+)$')
  if e and #kept < tonumber(ARGV[6]) and isBefore(tonumber(e), tonumber(r)) then table.insert(kept, version) end
end
redis.call('DEL', manifest, history)
redis.call('HSET', manifest, 'epoch', ARGV[1], 'revision', ARGV[2], 'manifest', ARGV[3], 'signature', ARGV[4])
redis.call('RPUSH', history, unpack(kept))
return 1
`

/** KEYS: value, times. ARGV: sha256, bytes, time in ms. */
export const WRITE_PACKED = `
if redis.call('TYPE', KEYS[2]).ok ~= 'zset' then redis.call('DEL', KEYS[2]) end
redis.call('SET', KEYS[1], ARGV[2])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
return 1
`

/**
 * KEYS: times, values. ARGV: time in ms, most bytes of a value, the hashes of the values. Makes values that a
 * reader takes count as stored at that time, and returns the hashes of the others.
 */
export const RENEW_PACKED = `
if redis.call('TYPE', KEYS[1]).ok ~= 'zset' then redis.call('DEL', KEYS[1]) end
local renewed, missing = {}, {}
for index = 2, #KEYS do
  local size = 0
  if redis.call('TYPE', KEYS[index]).ok == 'string' then size = redis.call('STRLEN', KEYS[index]) end
  if size > 0 and size <= tonumber(ARGV[2]) then
    table.insert(renewed, ARGV[1])
    table.insert(renewed, ARGV[index + 1])
  else
    table.insert(missing, ARGV[index + 1])
  end
end
if #renewed > 0 then redis.call('ZADD', KEYS[1], unpack(renewed)) end
return missing
`

/** KEYS: value, times. ARGV: sha256. */
export const DELETE_PACKED = `
redis.call('DEL', KEYS[1])
if redis.call('TYPE', KEYS[2]).ok == 'zset' then redis.call('ZREM', KEYS[2], ARGV[1]) end
return 1
`

/**
 * KEYS: value, times. ARGV: sha256, time in ms. Deletes a value that was stored before that time. ZADD with
 * GT raises the time of such a value, and says whether it did. ZSCORE would tell the time, but is no command
 * that the rights of earlier versions have (docs/nats-and-redis.md).
 */
export const DELETE_OLD_PACKED = `
if redis.call('TYPE', KEYS[2]).ok ~= 'zset' then return 0 end
if redis.call('ZADD', KEYS[2], 'XX', 'GT', 'CH', ARGV[2], ARGV[1]) == 0 then return 0 end
redis.call('DEL', KEYS[1])
redis.call('ZREM', KEYS[2], ARGV[1])
return 1
`
