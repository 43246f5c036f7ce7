/** Makes the keys by which the rules of limits tell requests apart. */
import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { headerKey } from '../../headers/header-key.ts'
import { claimReader } from '../../identity/claim-path.ts'
import type { Identity } from '../../identity/identity.ts'
import type { KeyPart } from './settings.ts'

/** The properties of a request that rules can tell clients apart by. */
export type Asking = {
  /** An address, or a network of IPv6. */
  readonly address: string
  /** The name that the client gives itself. Empty if it gives none. */
  readonly clientName: string
  readonly headers: IncomingHttpHeaders
  readonly identity: Identity | null
}

/** Characters above which a key is replaced by its digest. */
const LONGEST = 128

/** Makes a function that reads the value of one part, or null if the request lacks it. */
export function readerOf(part: KeyPart): (asking: Asking) => string | null {
  if (part === 'address') return ({ address }) => address
  if (part === 'client') return ({ clientName }) => (clientName === '' ? null : clientName)
  if ('header' in part) {
    const key = headerKey(part.header)
    return ({ headers }) => {
      const value = headers[key]
      return value === undefined ? null : String(value)
    }
  }
  const read = claimReader(part.claim)
  return ({ identity }) => (identity === null ? null : textOf(read(identity.claims)))
}

/** Returns a plain value as text, or null for other values. */
function textOf(value: unknown): string | null {
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  return isPlain ? String(value) : null
}

/** A text for the bucket of these values, of a length that clients do not choose. */
export function bucketKey(rule: string, values: readonly (string | null)[]): string {
  let text = `${rule}:`
  // With its length, so that no value can look like several.
  for (const value of values) text += value === null ? '|' : `${value.length}:${value}|`
  return text.length > LONGEST ? `${rule}:${hash('sha256', Buffer.from(text, 'utf16le'), 'base64url')}` : text
}
