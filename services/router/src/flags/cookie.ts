const EQUALS = 0x3d
const SEMICOLON = 0x3b

/**
 * The value of the first cookie of a name, or null. Quotes around it are taken off and it is percent-decoded
 * once; a value that is not valid percent-encoding stays as it is.
 */
export function cookieValue(header: string | undefined, name: string): string | null {
  if (header === undefined || name === '') return null
  for (let at = header.indexOf(name); at >= 0; at = header.indexOf(name, at + name.length)) {
    if (!beginsPair(header, at)) continue
    const equals = endOfBlanks(header, at + name.length)
    if (header.charCodeAt(equals) !== EQUALS) continue
    const end = header.indexOf(';', equals)
    return valueOf(header.slice(equals + 1, end < 0 ? header.length : end))
  }
  return null
}

/** The cookies of the request that was read last, for those who look for many names in it. */
export class CookieJar {
  #header = ''
  /** Values as they are in the header, by name. */
  #values: ReadonlyMap<string, string> = new Map()

  /** Returns what `cookieValue` returns. */
  value(header: string | undefined, name: string): string | null {
    if (header === undefined) return null
    if (header !== this.#header) {
      this.#values = pairsOf(header)
      this.#header = header
    }
    const value = this.#values.get(name)
    return value === undefined ? null : valueOf(value)
  }
}

function pairsOf(header: string): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>()
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=')
    const name = pair.slice(0, Math.max(0, equals)).trim()
    if (name !== '' && !pairs.has(name)) pairs.set(name, pair.slice(equals + 1))
  }
  return pairs
}

function valueOf(text: string): string {
  const value = text.trim()
  const quoted = value.length >= 2 && value.startsWith('"') && value.endsWith('"')
  return decoded(quoted ? value.slice(1, -1) : value).trim()
}

function beginsPair(header: string, at: number): boolean {
  let before = at - 1
  while (before >= 0 && isBlank(header.charCodeAt(before))) before--
  return before < 0 || header.charCodeAt(before) === SEMICOLON
}

function endOfBlanks(header: string, at: number): number {
  let end = at
  while (isBlank(header.charCodeAt(end))) end++
  return end
}

/** Whether `trim` takes the character away, of those that headers have. */
function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d) || code === 0xa0
}

function decoded(value: string): string {
  if (!value.includes('%')) return value
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
