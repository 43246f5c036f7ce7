/**
 * Identifiers of documents, as the appendix "Persisted Documents" of GraphQL over HTTP spells them:
 * `sha256:` and 64 hexadecimal digits in lower case, or a text of its own. Apollo's clients and most
 * manifests leave the prefix out.
 */
import { hash } from 'node:crypto'

/** Under it a document is found, however its identifier was written. */
export type DocumentKey = string

const SHA256 = /^[0-9a-f]{64}$/
const PREFIX = 'sha256:'
/** Most characters of an identifier. */
export const MAX_ID = 512

/** The same for an identifier with and without the prefix. */
export function documentKey(id: string): DocumentKey {
  return id.startsWith(PREFIX) ? id.slice(PREFIX.length) : id
}

/** Whether it can only stand for a text with this hash. */
export function isSha256(key: DocumentKey): boolean {
  return SHA256.test(key)
}

/**
 * Whether a key of this kind is that of the text. Different texts with halves of surrogate pairs have the
 * same UTF-8, and so the same hash: such a text has no key.
 */
export function isKeyOf(key: DocumentKey, text: string): boolean {
  return text.isWellFormed() && hash('sha256', text) === key
}
