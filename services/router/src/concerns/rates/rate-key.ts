/** Makes the keys by which the rules of limits tell requests apart. */
import { hash } from 'node:crypto'

/** Characters above which a key is replaced by its digest. */
const LONGEST = 128

/** A text for the bucket of these values, of a length that clients do not choose. */
export function bucketKey(rule: string, values: readonly (string | null)[]): string {
  let text = `${rule}:`
  // With its length, so that no value can look like several.
  for (const value of values) text += value === null ? '|' : `${value.length}:${value}|`
  return text.length > LONGEST ? `${rule}:${hash('sha256', Buffer.from(text, 'utf16le'), 'base64url')}` : text
}
