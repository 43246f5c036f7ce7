/** User, password and query string of URLs: hidden wherever a URL stands. */
import type { Meter, Sliced } from './meter.ts'
import type { NameTest } from './sensitive-names.ts'
import { type HiddenSpan, REDACTED } from './spans.ts'

type OnSecret = (secret: string) => void

const LONGEST_SCHEME = 32
const SCHEME = /[a-z][a-z0-9+.-]*$/i
/** Characters that cannot occur in a URL, or end one in a sentence, in JSON or in Markdown. */
const END_OF_URL = /[\s"'<>`{}|^\\]/g
/**
 * Parameters of GraphQL over HTTP, which the trace shows as the request, and the one that asks for the trace.
 */
const SHOWN_ELSEWHERE = /^(?:query|variables|operationName|extensions|.*_trace)$/i
const PLAIN_WORDS = /^[\p{L} ,.+_-]*$/u

/**
 * Returns the parts to hide of a text that is a URL, also one without an origin. All values in its query
 * string are secrets.
 */
export function* spansOfUrl(url: string, onSecret: OnSecret, meter: Meter): Sliced<readonly HiddenSpan[]> {
  const start = /^[^/?#]*:\/\//.exec(url)?.[0].length
  const spans = start === undefined ? [] : userinfo(url, start, url.length, onSecret)
  return [...spans, ...(yield* queryString(url, 0, url.length, () => true, onSecret, meter))]
}

/**
 * Returns the parts to hide of the URLs somewhere in a text. Values of their query strings are secrets if the
 * parameter has a sensitive name or if they are not plain words: `?sort=popularity` must not hide each
 * "popularity" of an answer.
 */
export function* spansOfUrlsIn(
  text: string,
  isSensitive: NameTest,
  onSecret: OnSecret,
  meter: Meter,
): Sliced<readonly HiddenSpan[]> {
  const spans: HiddenSpan[] = []
  const isSecret = (name: string, value: string) => isSensitive(name) || !PLAIN_WORDS.test(value)
  for (let at = text.indexOf('://'); at !== -1; ) {
    const start = at + 3
    END_OF_URL.lastIndex = start
    const end = END_OF_URL.exec(text)?.index ?? text.length
    if (SCHEME.test(text.slice(Math.max(0, at - LONGEST_SCHEME), at))) {
      const users = userinfo(text, start, end, onSecret)
      spans.push(...users, ...(yield* queryString(text, start, end, isSecret, onSecret, meter)))
    }
    if (meter.take(64)) yield
    at = text.indexOf('://', end)
  }
  return spans
}

function userinfo(text: string, start: number, end: number, onSecret: OnSecret): readonly HiddenSpan[] {
  const authority = /^[^/?#]*/.exec(text.slice(start, end))?.[0] ?? ''
  const at = authority.lastIndexOf('@')
  if (at === -1) return []
  const all = authority.slice(0, at)
  const colon = all.indexOf(':')
  const parts = colon === -1 ? [all] : [all, all.slice(0, colon), all.slice(colon + 1)]
  for (const secret of parts.flatMap(asWrittenAndMeant)) onSecret(secret)
  return [{ start, end: start + at, shown: REDACTED }]
}

function* queryString(
  text: string,
  from: number,
  to: number,
  isSecret: (name: string, value: string) => boolean,
  onSecret: OnSecret,
  meter: Meter,
): Sliced<readonly HiddenSpan[]> {
  const [before = '', query = ''] = /^[^?#]*\?([^#]*)/.exec(text.slice(from, to)) ?? []
  if (query === '') return []
  let [anySecret, shownElsewhere] = [false, false]
  for (const [parameter] of query.matchAll(/[^&]+/g)) {
    if (meter.take(parameter.length + 16)) yield
    const equals = parameter.indexOf('=')
    const name = meant(equals === -1 ? '' : parameter.slice(0, equals))
    if (SHOWN_ELSEWHERE.test(name)) {
      shownElsewhere = true
      continue
    }
    const values = asWrittenAndMeant(parameter.slice(equals + 1))
    if (!values.some((value) => isSecret(name, value))) continue
    anySecret = true
    values.forEach(onSecret)
  }
  if (anySecret && !shownElsewhere) onSecret(query)
  const end = from + before.length
  return [{ start: end - query.length, end, shown: REDACTED }]
}

function asWrittenAndMeant(component: string): readonly string[] {
  const decoded = meant(component)
  return decoded === component ? [component] : [component, decoded]
}

function meant(component: string): string {
  try {
    return decodeURIComponent(component.replaceAll('+', ' '))
  } catch {
    return component
  }
}
