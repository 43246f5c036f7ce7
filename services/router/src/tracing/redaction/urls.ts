/** User, password and query string of URLs: hidden wherever a URL stands. */
import type { Meter, Sliced } from '../sliced.ts'
import { type HiddenSpan, REDACTED } from './hidden-span.ts'
import type { NameTest } from './sensitive-names.ts'

const LONGEST_SCHEME = 32
const SCHEME = /[a-z][a-z0-9+.-]*$/i
/** What cannot stand in a URL, or ends one in a sentence, in JSON or in Markdown. */
const END_OF_URL = /[\s"'<>`{}|^\\]/g
const PARAMETER = /[^&]+/g
/** Parameters of GraphQL over HTTP: what they hold is shown in the body of the request, by the rules for that. */
const GRAPHQL_PARAMETERS: ReadonlySet<string> = new Set(['query', 'variables', 'operationName', 'extensions'])
/** Asks for the trace. */
const TRACE_PARAMETER = /_trace$/i
const PLAIN_WORDS = /^[\p{L} ,.+_-]*$/u

export type UrlSecrets = {
  /** Whether the value of a parameter is a secret elsewhere, too. */
  readonly isSecret: (name: string, value: string) => boolean
  readonly onSecret: (secret: string) => void
}

/** Of a text that is a URL, also one without an origin. All its values are secrets. */
export function* spansOfUrl(
  url: string,
  onSecret: (secret: string) => void,
  meter: Meter,
): Sliced<readonly HiddenSpan[]> {
  const scheme = url.indexOf('://')
  const hasOrigin = scheme !== -1 && !/[/?#]/.test(url.slice(0, scheme))
  const spans = hasOrigin ? userinfo(url, scheme + 3, url.length, onSecret) : []
  return [...spans, ...(yield* queryString(url, 0, url.length, { isSecret: () => true, onSecret }, meter))]
}

/**
 * Of the URLs somewhere in a text. Values of their query strings are secrets when the parameter has a sensitive name or when
 * they are not plain words: `?sort=popularity` must not hide each "popularity" of an answer.
 */
export function* spansOfUrlsIn(
  text: string,
  isSensitive: NameTest,
  onSecret: (secret: string) => void,
  meter: Meter,
): Sliced<readonly HiddenSpan[]> {
  const spans: HiddenSpan[] = []
  const isSecret = (name: string, value: string) => isSensitive(name) || !PLAIN_WORDS.test(value)
  for (let at = text.indexOf('://'); at !== -1; ) {
    const start = at + 3
    END_OF_URL.lastIndex = start
    const end = END_OF_URL.exec(text)?.index ?? text.length
    if (SCHEME.test(text.slice(Math.max(0, at - LONGEST_SCHEME), at))) {
      const parts = userinfo(text, start, end, onSecret)
      spans.push(...parts, ...(yield* queryString(text, start, end, { isSecret, onSecret }, meter)))
    }
    if (meter.take(64)) yield
    at = text.indexOf('://', end)
  }
  return spans
}

function userinfo(
  text: string,
  start: number,
  end: number,
  onSecret: (secret: string) => void,
): readonly HiddenSpan[] {
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
  { isSecret, onSecret }: UrlSecrets,
  meter: Meter,
): Sliced<readonly HiddenSpan[]> {
  const url = text.slice(from, to)
  const mark = url.search(/[?#]/)
  if (mark === -1 || url[mark] === '#') return []
  const query = url.slice(mark + 1).split('#', 1)[0] ?? ''
  if (query === '') return []
  let anySecret = false
  let shownElsewhere = false
  for (const [parameter] of query.matchAll(PARAMETER)) {
    if (meter.take(parameter.length + 16)) yield
    const equals = parameter.indexOf('=')
    const name = meant(equals === -1 ? '' : parameter.slice(0, equals))
    if (GRAPHQL_PARAMETERS.has(name) || TRACE_PARAMETER.test(name)) {
      shownElsewhere = true
      continue
    }
    const values = asWrittenAndMeant(parameter.slice(equals + 1))
    if (!values.some((value) => isSecret(name, value))) continue
    anySecret = true
    values.forEach(onSecret)
  }
  if (anySecret && !shownElsewhere) onSecret(query)
  const start = from + mark + 1
  return [{ start, end: start + query.length, shown: REDACTED }]
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
