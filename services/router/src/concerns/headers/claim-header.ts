/** Makes header values of a client's claims, for subgraphs to read. */
import { claimReader } from '@switchyard/values'
import type { Identity } from '../../identity/identity.ts'
import type { HeaderRule, HeadersConfig } from './settings.ts'

type ClaimRule = Extract<HeaderRule, { from_claim: unknown }>

/** Returns the header's value for the claims of a request. Null if there is none that can be sent. */
export type ClaimValue = (claims: Readonly<Record<string, unknown>> | null) => string | null

/** Visible ASCII with spaces between: values that every server reads alike (RFC 9110, section 5.5). */
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/
/** Characters of a value. Many servers accept 8 KiB for all headers together. */
const LONGEST = 4096

/** Compiles a rule `{ set, from_claim, default?, format? }`. */
export function claimValue({ from_claim: from, default: fallback, format }: ClaimRule): ClaimValue {
  const read = claimReader(from)
  const print = format === 'json' ? asJson : asText
  return (claims) => {
    const text = claims === null ? null : print(read(claims))
    return text !== null && text.length <= LONGEST && VALUE.test(text) ? text : (fallback ?? null)
  }
}

/** Returns what subgraphs may be sent of the claims of a request; null in place of a value that it lacks. */
export type SentClaims = (identity: Pick<Identity, 'claims'> | null) => readonly (string | null)[]

/** Compiles all rules with claims, whichever subgraphs and compositions they are for. */
export function sentClaims({ all, previews, bySubgraph, byFlag }: HeadersConfig): SentClaims {
  const flags = [...byFlag.values()].flatMap(({ request }) => request)
  const values = [...all, ...previews, ...[...bySubgraph.values()].flat(), ...flags].flatMap((rule) =>
    'from_claim' in rule ? [claimValue(rule)] : [],
  )
  return (identity) => values.map((value) => value(identity?.claims ?? null))
}

/**
 * Prints a claim as text, a list as words with spaces between, like `scope` (RFC 8693, section 4.2). A list
 * with an item that has a space in it is not printed: its one item would look like two.
 */
function asText(value: unknown): string | null {
  if (Array.isArray(value)) return value.every(isWord) ? value.join(' ') : null
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : null
}

function isWord(item: unknown): item is string {
  return typeof item === 'string' && /^[\x21-\x7e]+$/.test(item)
}

/** Prints a claim as JSON. Characters other than ASCII are escaped, as JSON allows everywhere in a string. */
function asJson(value: unknown): string | null {
  const text = JSON.stringify(value) as string | undefined
  if (text === undefined) return null
  return text.replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
