/**
 * Reads the header `Accept` as a list of media ranges (RFC 9110 section 12.5.1). Malformed elements are
 * dropped.
 */

/** One element of an `Accept` header. */
export type MediaRange = {
  /** The type in lower case, e.g. `application/json`, `multipart/*`. */
  readonly type: string
  /** Parameters by their names in lower case, without `q`. The first one of a name counts. */
  readonly parameters: ReadonlyMap<string, string>
  /** The weight from 0 to 1; with 0 the client refuses the type. */
  readonly quality: number
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i
const QUOTED = /^"(?:[^"\\]|\\.)*"$/
/**
 * A weight. Old clients send more digits than the standard allows, or numbers such as `.2`, which are
 * accepted.
 */
const QUALITY = /^(?:\d+\.?\d*|\.\d+)$/

/** Returns the elements of an `Accept` header in their order. Malformed ones are left out. */
export function parseAccept(header: string): readonly MediaRange[] {
  return splitOutsideQuotes(header, ',').flatMap((element) => rangeOf(element) ?? [])
}

/** Returns one element, or null if it is malformed. */
function rangeOf(element: string): MediaRange | null {
  const [first = '', ...rest] = splitOutsideQuotes(element, ';')
  const type = first.trim().toLowerCase()
  if (!isType(type)) return null
  let quality = 1
  const parameters = new Map<string, string>()
  for (const text of rest) {
    // RFC 9110 section 5.6.6: there may be nothing between two semicolons.
    if (text.trim() === '') continue
    const equals = text.indexOf('=')
    const name = text.slice(0, equals).trim().toLowerCase()
    if (equals < 0 || !TOKEN.test(name)) return null
    const written = text.slice(equals + 1).trim()
    if (name === 'q') quality = qualityOf(written)
    else {
      const value = valueOf(written)
      if (value === null) return null
      if (!parameters.has(name)) parameters.set(name, value)
    }
  }
  return { type, parameters, quality }
}

function isType(text: string): boolean {
  const [type = '', subtype = '', ...more] = text.split('/')
  if (more.length > 0 || !TOKEN.test(type) || !TOKEN.test(subtype)) return false
  return type !== '*' || subtype === '*'
}

/** Returns the weight, which is 1 if the value is not a number. */
function qualityOf(written: string): number {
  const text = valueOf(written) ?? ''
  return QUALITY.test(text) ? Math.min(Number(text), 1) : 1
}

function valueOf(written: string): string | null {
  if (TOKEN.test(written)) return written
  return QUOTED.test(written) ? written.slice(1, -1).replace(/\\(.)/g, '$1') : null
}

function splitOutsideQuotes(text: string, separator: string): string[] {
  if (!text.includes('"')) return text.split(separator)
  const parts: string[] = []
  let part = ''
  let quoted = false
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index)
    if (quoted && character === '\\') {
      part += character + text.charAt(++index)
      continue
    }
    if (character === '"') quoted = !quoted
    if (character === separator && !quoted) {
      parts.push(part)
      part = ''
    } else part += character
  }
  parts.push(part)
  return parts
}
