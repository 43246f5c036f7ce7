/**
 * What a text says when it is read as percent-encoded, as JSON or GraphQL writes strings, or as base64. To find a secret in
 * whatever way it was encoded, the text is decoded rather than the secret encoded: `%2F` and `%2f`, `\/` and `\u002f`, the
 * two alphabets of base64 and a base64 text inside a longer one are all the same then.
 */

/** Bytes, and for each the bytes of the text it was made from. */
export type Decoded = {
  readonly bytes: Uint8Array
  readonly length: number
  readonly starts: Int32Array
  readonly ends: Int32Array
}

const PERCENT = 0x25
const BACKSLASH = 0x5c
/** Eight bytes, the shortest secret, take eleven characters. */
const SHORTEST_BASE64 = 11

export function decodePercent(bytes: Uint8Array, length: number): Decoded | null {
  const first = bytes.subarray(0, length).indexOf(PERCENT)
  if (first === -1 || first >= length - 2) return null
  const writer = new Writer(length)
  let changed = false
  for (let at = 0; at < length; ) {
    const high = bytes[at] === PERCENT ? hexDigit(bytes[at + 1]) : -1
    const low = high === -1 ? -1 : hexDigit(bytes[at + 2])
    if (low === -1 || at + 2 >= length) {
      writer.put(bytes[at] ?? 0, at, at + 1)
      at++
    } else {
      writer.put((high << 4) | low, at, at + 3)
      at += 3
      changed = true
    }
  }
  return changed ? writer.decoded() : null
}

export function decodeEscapes(bytes: Uint8Array, length: number): Decoded | null {
  const first = bytes.subarray(0, length).indexOf(BACKSLASH)
  if (first === -1 || first >= length - 1) return null
  const writer = new Writer(length)
  for (let at = 0; at < length; ) {
    if (bytes[at] !== BACKSLASH || at + 1 >= length) {
      writer.put(bytes[at] ?? 0, at, at + 1)
      at++
      continue
    }
    const code = bytes[at + 1] === 0x75 ? unicodeEscape(bytes, at, length) : null
    if (code !== null) {
      for (const byte of Buffer.from(String.fromCodePoint(code.point))) writer.put(byte, at, code.end)
      at = code.end
      continue
    }
    const letter = bytes[at + 1] ?? 0
    writer.put(ESCAPES.get(letter) ?? letter, at, at + 2)
    at += 2
  }
  return writer.decoded()
}

const ESCAPES: ReadonlyMap<number, number> = new Map(
  [...'b\bf\fn\nr\rt\t'.matchAll(/(.)([^])/g)].map(([, letter = '', meaning = '']) => [
    letter.charCodeAt(0),
    meaning.charCodeAt(0),
  ]),
)

type Escape = { readonly point: number; readonly end: number }

/** `\u0041`, two of them for one character beyond U+FFFF, and `\u{1F600}`, which only GraphQL has. */
function unicodeEscape(bytes: Uint8Array, at: number, length: number): Escape | null {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + at, Math.min(12, length - at)).toString('latin1')
  const braces = /^\\u\{([0-9a-fA-F]{1,6})\}/.exec(text)
  if (braces?.[1] !== undefined) {
    const point = Number.parseInt(braces[1], 16)
    return point > 0x10ffff ? null : { point, end: at + braces[0].length }
  }
  const units = /^\\u([0-9a-fA-F]{4})(?:\\u([dD][c-fC-F][0-9a-fA-F]{2}))?/.exec(text)
  if (units?.[1] === undefined) return null
  const high = Number.parseInt(units[1], 16)
  if (units[2] === undefined || high < 0xd800 || high > 0xdbff) return { point: high, end: at + 6 }
  const low = Number.parseInt(units[2], 16)
  return { point: 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00), end: at + 12 }
}

/**
 * Each run of the letters of base64 or base64url, read from each of its first four places: it may begin anywhere. What is
 * given is good until the next one is asked for: a new buffer for each made redaction of small traces a fifth slower.
 */
export function* decodeBase64(bytes: Uint8Array, length: number): Generator<Decoded> {
  let writer: Writer | null = null
  for (const run of base64Runs(bytes, length)) {
    writer ??= new Writer(Math.ceil((length * 3) / 4))
    for (let offset = 0; offset < 4; offset++) {
      if (run.sextets.length - offset < SHORTEST_BASE64) break
      writer.clear()
      decodeRun(run, offset, writer)
      yield writer.decoded()
    }
  }
}

type Run = { readonly sextets: readonly number[]; readonly places: readonly number[] }

function* base64Runs(bytes: Uint8Array, length: number): Generator<Run> {
  let sextets: number[] = []
  let places: number[] = []
  for (let at = 0; at <= length; at++) {
    const byte = at < length ? (bytes[at] ?? 0) : 0
    const sextet = SEXTETS[byte] ?? -1
    if (sextet !== -1) {
      sextets.push(sextet)
      places.push(at)
      continue
    }
    // Lines of a mail or a PEM file are broken.
    if (sextets.length > 0 && (byte === 0x0a || byte === 0x0d)) continue
    if (sextets.length === 0) continue
    if (sextets.length >= SHORTEST_BASE64) yield { sextets, places }
    sextets = []
    places = []
  }
}

function decodeRun({ sextets, places }: Run, offset: number, writer: Writer): void {
  for (let at = offset; at + 1 < sextets.length; at++) {
    const phase = (at - offset) & 3
    if (phase === 3) continue
    const pair = ((sextets[at] ?? 0) << 6) | (sextets[at + 1] ?? 0)
    writer.put((pair >> (4 - 2 * phase)) & 0xff, places[at] ?? 0, (places[at + 1] ?? 0) + 1)
  }
}

/** Of the letters of base64 and base64url, what they stand for; -1: it is none. */
export const SEXTETS = sextetTable()

function sextetTable(): Int8Array {
  const table = new Int8Array(256).fill(-1)
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
  for (const [sextet, letter] of alphabet.split('').entries()) table[letter.charCodeAt(0)] = sextet
  for (const [letter, sextet] of [
    ['+', 62],
    ['-', 62],
    ['/', 63],
    ['_', 63],
  ] as const)
    table[letter.charCodeAt(0)] = sextet
  return table
}

function hexDigit(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

class Writer {
  readonly #bytes: Uint8Array
  readonly #starts: Int32Array
  readonly #ends: Int32Array
  #length = 0

  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity)
    this.#starts = new Int32Array(capacity)
    this.#ends = new Int32Array(capacity)
  }

  put(byte: number, start: number, end: number): void {
    this.#bytes[this.#length] = byte
    this.#starts[this.#length] = start
    this.#ends[this.#length++] = end
  }

  clear(): void {
    this.#length = 0
  }

  decoded(): Decoded {
    return { bytes: this.#bytes, length: this.#length, starts: this.#starts, ends: this.#ends }
  }
}
