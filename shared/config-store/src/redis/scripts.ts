/** Redis runs a script as one step: nobody reads a manifest without its version, or writes between compare and set. */

/**
 * KEYS: manifest, history. ARGV: epoch, revision, manifest, signature, `newer` or `replace`, length of the history.
 * Returns 1 when written, 0 when the stored version is not older. What is in the way and is no manifest is replaced.
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
for _, version in ipairs(redis.call('LRANGE', history, 0, -1)) do
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
