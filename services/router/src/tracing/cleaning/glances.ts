/** Native searches that tell, for most texts, that nothing in them has to be hidden where it stands. */
import { MAX_DEPTH } from './json-members.ts'
import type { RedactionRules } from './redaction-rules.ts'

/** Whether a text has no sensitive name, no URL, and no escapes, behind which either may be. */
export function isHarmless(text: string, rules: RedactionRules): boolean {
  return !text.includes('\\') && hasNoName(text, rules)
}

export function hasNoName(text: string, { names }: RedactionRules): boolean {
  return !text.includes('://') && !names.mayBeIn(text)
}

/** Whether there are so few brackets that lists and objects do not nest too deeply. */
export function hasFewBrackets(json: string): boolean {
  let left = MAX_DEPTH
  for (const bracket of ['{', '['])
    for (let at = json.indexOf(bracket); at !== -1; at = json.indexOf(bracket, at + 1))
      if (left-- === 0) return false
  return true
}

/** Whether a URL may have a user, a password or a query string. */
export function hasSecretParts(url: string): boolean {
  return /[@?]/.test(url)
}

/** The beginning of requests that the router writes. */
const QUERY = '{"query":"'

/** Returns the document of a request; null if it is none of GraphQL over HTTP as the router writes it. */
export function documentIn(json: string): string | null {
  if (!json.startsWith(QUERY)) return null
  let close = json.indexOf('"', QUERY.length)
  while (close !== -1 && isEscaped(json, close)) close = json.indexOf('"', close + 1)
  return String(JSON.parse(json.slice(QUERY.length - 1, close + 1)))
}

function isEscaped(json: string, quote: number): boolean {
  let first = quote
  while (json[first - 1] === '\\') first--
  return (quote - first) % 2 === 1
}
