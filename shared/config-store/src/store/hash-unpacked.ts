import { createHash } from 'node:crypto'
import { createGunzip } from 'node:zlib'

const CHUNK_BYTES = 256 * 1024

/**
 * The sha256 (lower-case hex) of what gzipped bytes unpack to. Nothing of it is kept: a value of somebody
 * else's choice costs no memory and no long turn of the event loop, however well it is packed. Throws what
 * zlib throws, or RangeError beyond `limit` unpacked bytes.
 */
export function hashUnpacked(gzipped: Uint8Array, limit: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const hash = createHash('sha256')
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES })
  let size = 0
  gunzip.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > limit) gunzip.destroy(new RangeError(`it unpacks to more than ${limit} bytes`))
    else hash.update(chunk)
  })
  gunzip.on('error', reject)
  gunzip.on('end', () => resolve(hash.digest('hex')))
  gunzip.end(gzipped)
  return promise
}
