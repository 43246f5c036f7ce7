/**
 * Another user as somebody types it into the page, and as the router is sent it: base64 of JSON with claims
 * and headers. Cookies are a header.
 */

/** The texts of the fields. They are kept in the page only, never in the browser's storage. */
export type StandInFields = {
  /** A JSON object. */
  readonly claims: string
  /** Lines of `name: value`. */
  readonly headers: string
  /** Lines of `name=value`, each value as browsers show it. */
  readonly cookies: string
}

export const NOBODY_ELSE: StandInFields = { claims: '', headers: '', cookies: '' }

/** The fields as they are read. A problem is a sentence for the field; null if there is none. */
export type ReadStandIn = {
  readonly problems: Readonly<Record<keyof StandInFields, string | null>>
  /** The value of the header for the router; null if all fields are blank, or one has a problem. */
  readonly encoded: string | null
}

/** Characters of the header that a router takes. */
const LONGEST = 8192
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** Visible ASCII, space, tab and the upper half of Latin-1. */
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
/** Characters that cookies are not to have; routers decode what is encoded. */
const NO_COOKIE = /[^\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]/gu

type Read<Value> = { readonly value: Value | null; readonly problem: string | null }

const BLANK: Read<never> = { value: null, problem: null }

/** Reads the fields. */
export function readStandIn(fields: StandInFields): ReadStandIn {
  const claims = claimsOf(fields.claims)
  const cookies = linesOf(fields.cookies, '=')
  const headers = linesOf(fields.headers, ':', cookies.value === null ? [] : ['cookie'])
  const problems = { claims: claims.problem, headers: headers.problem, cookies: cookies.problem }
  const isWrong = Object.values(problems).some((problem) => problem !== null)
  const isBlank = claims.value === null && headers.value === null && cookies.value === null
  if (isWrong || isBlank) return { problems, encoded: null }
  const own = Object.fromEntries(headers.value ?? [])
  const all = cookies.value === null ? own : { ...own, Cookie: cookies.value.map(cookieOf).join('; ') }
  const hasHeaders = headers.value !== null || cookies.value !== null
  const encoded = base64Of({
    ...(claims.value !== null && { claims: claims.value }),
    ...(hasHeaders && { headers: all }),
  })
  if (encoded.length <= LONGEST) return { problems, encoded }
  return { problems: { ...problems, claims: TOO_LONG }, encoded: null }
}

const TOO_LONG = 'The three fields together are longer than a router takes.'

function claimsOf(text: string): Read<object> {
  if (text.trim() === '') return BLANK
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { value, problem: null }
  } catch {
    // Said below.
  }
  return { value: null, problem: 'This is no JSON object.' }
}

type Pair = readonly [name: string, value: string]

/** Reads lines of pairs. `taken` are names that may not be among them, in lower case. */
function linesOf(text: string, sign: ':' | '=', taken: readonly string[] = []): Read<readonly Pair[]> {
  const lines = text.split('\n')
  if (lines.every((line) => line.trim() === '')) return BLANK
  const pairs: Pair[] = []
  const names = new Set<string>()
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue
    const at = line.indexOf(sign)
    const [name, value] = [line.slice(0, Math.max(0, at)).trim(), line.slice(at + 1).trim()]
    // Names of headers are the same in every case, and those of cookies are not.
    const key = sign === ':' ? name.toLowerCase() : name
    const wrong = (problem: string) => ({ value: null, problem: `Line ${index + 1}: ${problem}` })
    if (!NAME.test(name)) return wrong(`expected ${sign === ':' ? 'name: value' : 'name=value'}.`)
    if (sign === ':' && !VALUE.test(value)) return wrong('no header can have this value.')
    if (names.has(key)) return wrong(`${name} is there twice.`)
    if (taken.includes(key)) return wrong('cookies are in the field for them already.')
    names.add(key)
    pairs.push([name, value])
  }
  return { value: pairs, problem: null }
}

function cookieOf([name, value]: Pair): string {
  const encoded = value.toWellFormed().replaceAll(NO_COOKIE, (character) => encodeURIComponent(character))
  return `${name}=${encoded}`
}

function base64Of(value: object): string {
  const bytes = new TextEncoder().encode(JSON.stringify(value))
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
