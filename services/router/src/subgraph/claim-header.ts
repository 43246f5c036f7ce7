/** What a subgraph is told of a claim of whoever asks, as the value of a header. */
import type { HeaderRule } from '../headers/settings.ts'
import { claimReader } from '../identity/claim-path.ts'

type ClaimRule = Extract<HeaderRule, { from_claim: unknown }>

/** The value for the claims of a request; null: there is none that can be sent. */
export type ClaimValue = (claims: Readonly<Record<string, unknown>> | null) => string | null

/** Visible ASCII, and spaces between: what every server reads alike (RFC 9110, section 5.5). */
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/
/** Characters. Many servers take 8 KiB for all headers together. */
const LONGEST = 4096

/** By the rule `{ set, from_claim, default?, format? }`. */
export function claimValue({ from_claim: from, default: fallback, format }: ClaimRule): ClaimValue {
  const read = claimReader(from)
  const print = format === 'json' ? asJson : asText
  return (claims) => {
    const text = claims === null ? null : print(read(claims))
    return text !== null && text.length <= LONGEST && VALUE.test(text) ? text : (fallback ?? null)
  }
}

/** A list of words as `scope` has it (RFC 8693, section 4.2): what is in one word cannot look like two. */
function asText(value: unknown): string | null {
  if (Array.isArray(value)) return value.every(isWord) ? value.join(' ') : null
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : null
}

function isWord(item: unknown): item is string {
  return typeof item === 'string' && /^[\x21-\x7e]+$/.test(item)
}

/** What is not ASCII is escaped, as JSON allows everywhere in a string. */
function asJson(value: unknown): string | null {
  const text = JSON.stringify(value) as string | undefined
  if (text === undefined) return null
  return text.replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
