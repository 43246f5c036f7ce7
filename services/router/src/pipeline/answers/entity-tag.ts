/**
 * Tags of answers that caches may keep, by which a client asks whether the one that it has is still right
 * (RFC 9110 §8.8.3 and §13.1.2).
 */
import { hash } from 'node:crypto'
import type { Content } from '../../concerns/compression/compression.ts'

/** Bytes of an answer that are hashed: 0.3 ms of CPU. A larger answer has no tag. */
const MOST_BYTES = 512 * 1024

/**
 * Returns a weak tag, since the same answer may be compressed in several ways. Null if the content is too
 * large.
 */
export function entityTag(content: Content): string | null {
  const bytes =
    typeof content === 'string' ? content.length : content.reduce((sum, { length }) => sum + length, 0)
  if (bytes > MOST_BYTES) return null
  const whole = typeof content === 'string' ? content : Buffer.concat(content)
  return `W/"${hash('sha1', whole, 'base64url')}"`
}

/** Whether a client has the answer of this tag. `header`: its `If-None-Match`. */
export function hasTagged(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  const opaque = tag.slice('W/'.length)
  return header.split(',').some((each) => {
    const known = each.trim()
    return known === '*' || known === tag || known === opaque
  })
}
