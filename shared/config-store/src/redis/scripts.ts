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
 * KEYS: artifacts. ARGV: number of entries. Returns hashes and times in turn, the oldest first; what is no
 * hash is left out.
 */
export const LIST_ARTIFACTS = `
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

/** KEYS: artifact, artifacts. ARGV: sha256, bytes, time in ms. */
export const WRITE_ARTIFACT = `
redis.call('SET', KEYS[1], ARGV[2])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
return 1
`

/** KEYS: artifact, artifacts. ARGV: sha256. */
export const DELETE_ARTIFACT = `
redis.call('DEL', KEYS[1])
redis.call('ZREM', KEYS[2], ARGV[1])
return 1
`
