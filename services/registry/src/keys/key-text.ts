/**
 * The text of an API key: `swy_<id>_<secret>`, both in lower-case hex, so that the underscores divide it in
 * one way only. The id is no secret: it finds the key, stands in lists and in the log.
 */
import { createHash, randomBytes } from 'node:crypto'

const ID_BYTES = 8
const SECRET_BYTES = 32

export type NewKey = { readonly id: string; readonly text: string; readonly sha256: string }

export function newKey(): NewKey {
  const id = randomBytes(ID_BYTES).toString('hex')
  const text = `swy_${id}_${randomBytes(SECRET_BYTES).toString('hex')}`
  return { id, text, sha256: sha256Of(text).toString('hex') }
}

/** Null for a text that is not of this form, such as a bootstrap key. */
export function idOfKey(text: string): string | null {
  return /^swy_([0-9A-Za-z]+)_./.exec(text)?.[1] ?? null
}

/** The hash of the whole text, which is all that is stored of a key, and what is compared. */
export function sha256Of(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
