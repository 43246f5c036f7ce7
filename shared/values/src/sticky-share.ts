/** Places of texts between 0 and 1: the same text always has the same one, and different texts are spread. */

/** 2^32: the number of hashes. */
const HASHES = 0x1_0000_0000

/**
 * Returns the place of a text, in [0, 1). Whoever is below a percentage stays below it when it is raised.
 *
 * It is the hash MurmurHash3 x86 32 with seed 0 of the text's UTF-8 bytes, divided by 2^32. So any system can
 * compute it: `floor(place × 10000)` is the bucket of flagd's operator `fractional`.
 */
export function stickyShare(text: string): number {
  return murmurHash3(Buffer.from(text)) / HASHES
}

/**
 * Hashes bytes by MurmurHash3 x86 32 with seed 0. Returns an unsigned integer of 32 bits. Not for keys that
 * somebody could want to collide: there is no secret in it.
 *
 * https://github.com/aappleby/smhasher/wiki/MurmurHash3
 */
export function murmurHash3(bytes: Uint8Array): number {
  const blocks = bytes.length & ~3
  let hash = 0
  for (let at = 0; at < blocks; at += 4) {
    hash ^= mixed(wordAt(bytes, at))
    hash = Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe654_6b64
  }
  // Bytes after the end are zeros, which change nothing.
  if (blocks < bytes.length) hash ^= mixed(wordAt(bytes, blocks))
  hash ^= bytes.length
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** Four bytes, the lowest first. */
function wordAt(bytes: Uint8Array, at: number): number {
  const byte = (offset: number): number => bytes[at + offset] ?? 0
  return byte(0) | (byte(1) << 8) | (byte(2) << 16) | (byte(3) << 24)
}

function mixed(word: number): number {
  const product = Math.imul(word, 0xcc9e_2d51)
  return Math.imul((product << 15) | (product >>> 17), 0x1b87_3593)
}
