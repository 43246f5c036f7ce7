/** User, password and query string of URLs: hidden wherever a URL stands. */
import { type HiddenSpan, REDACTED } from './hidden-span.ts'
import type { NameTest } from './sensitive-names.ts'

const LONGEST_SCHEME = 32
/** What cannot stand in a URL, or ends one in a sentence, in JSON or in Markdown. */
const END_OF_URL = /[\s"'<>`{}|^\\]/g
/** Parameters of GraphQL over HTTP: what they hold is shown in the body of the request, by the rules for that. */
const GRAPHQL_PARAMETERS: ReadonlySet<string> = new Set(['query', 'variables', 'operationName', 'extensions'])
/** Asks for the trace. */
const TRACE_PARAMETER = /_trace$/i

/** Of a text that is a URL, also one without an origin. All its values are secrets. */
export function spansOfUrl(url: string): readonly HiddenSpan[] {
  const scheme = url.indexOf('://')
  const spans: HiddenSpan[] = []
  if (scheme !== -1 && !/[/?#]/.test(url.slice(0, scheme))) addUserinfo(url, scheme + 3, url.length, spans)
  addQuery(url, 0, url.length, () => true, spans)
  return spans
}

/**
 * Of the URLs somewhere in a text. Values of their query strings are secrets when the parameter has a sensitive name or when
 * they are not plain words: `?sort=popularity` must not hide each "popularity" of an answer.
 */
export function spansOfUrlsIn(text: string, isSensitive: NameTest): readonly HiddenSpan[] {
  const spans: HiddenSpan[] = []
  let at = text.indexOf('://')
  while (at !== -1) {
    const start = at + 3
    END_OF_URL.lastIndex = start
    const end = END_OF_URL.exec(text)?.index ?? text.length
    if (/[a-z][a-z0-9+.-]*$/i.test(text.slice(Math.max(0, at - LONGEST_SCHEME), at))) {
      addUserinfo(text, start, end, spans)
      addQuery(text, start, end, (name, value) => isSensitive(name) || !PLAIN_WORDS.test(value), spans)
    }
    at = text.indexOf('://', end)
  }
  return spans
}

const PLAIN_WORDS = /^[\p{L} ,.+_-]*$/u

function addUserinfo(text: string, start: number, end: number, spans: HiddenSpan[]): void {
  const authority = /^[^/?#]*/.exec(text.slice(start, end))?.[0] ?? ''
  const at = authority.lastIndexOf('@')
  if (at === -1) return
  const userinfo = authority.slice(0, at)
  const [user = '', ...password] = userinfo.split(':')
  const secrets = [userinfo, user, password.join(':')].flatMap(asWrittenAndMeant)
  spans.push({ start, end: start + at, shown: REDACTED, secrets })
}

function addQuery(
  text: string,
  from: number,
  to: number,
  isSecret: (name: string, value: string) => boolean,
  spans: HiddenSpan[],
): void {
  const mark = text.slice(from, to).search(/[?#]/)
  if (mark === -1 || text[from + mark] === '#') return
  const start = from + mark + 1
  const fragment = text.slice(start, to).indexOf('#')
  const end = fragment === -1 ? to : start + fragment
  if (end === start) return
  const query = text.slice(start, end)
  const secrets: string[] = []
  let shownElsewhere = false
  for (const parameter of query.split('&')) {
    const equals = parameter.indexOf('=')
    const name = meant(equals === -1 ? '' : parameter.slice(0, equals))
    if (GRAPHQL_PARAMETERS.has(name) || TRACE_PARAMETER.test(name)) {
      shownElsewhere = true
      continue
    }
    const values = asWrittenAndMeant(equals === -1 ? parameter : parameter.slice(equals + 1))
    if (values.some((value) => isSecret(name, value))) secrets.push(...values)
  }
  if (!shownElsewhere && secrets.length > 0) secrets.push(query)
  spans.push({ start, end, shown: REDACTED, secrets })
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
