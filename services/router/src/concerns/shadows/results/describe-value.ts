/** Describes values that differ without telling them, unless the settings say so. */
import { createHmac, randomBytes } from 'node:crypto'
import type { DescribeValue } from './result-table.ts'

/** Characters of a value that are told, and of its hash. */
const MAX_VALUE = 200
const HASH_LENGTH = 16

/**
 * Makes a function that tells the type of a value and a hash of it. The key of the hashes is new with each
 * start and leaves the process nowhere: whoever reads them cannot try out values. While `keepsValues` says
 * so it tells the value as well, cut. Objects and lists are told by their types only.
 */
export function describeValues(keepsValues: () => boolean): DescribeValue {
  const key = randomBytes(32)
  return ({ type, value }) => {
    if (value === null || value === undefined || Array.isArray(value) || type === 'object')
      return { type, hash: null }
    const text = JSON.stringify(value)
    // A type with a name is an object type.
    if (text === undefined || text.startsWith('{')) return { type, hash: null }
    const hash = createHmac('sha256', key).update(text).digest('base64url').slice(0, HASH_LENGTH)
    return keepsValues() ? { type, hash, value: text.slice(0, MAX_VALUE) } : { type, hash }
  }
}
