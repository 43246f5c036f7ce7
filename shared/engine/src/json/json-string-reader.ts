/**
 * A string of JSON, read piece by piece from bytes of UTF-8: one string may be all that a large text holds.
 */
const BACKSLASH = 0x5c
const LETTER_U = 0x75
/** The length of `\u0000`. */
const LONGEST_ESCAPE = 6

// oxlint-disable-next-line no-control-regex -- JSON allows none of these in strings
const SPECIAL = /[\\\u0000-\u001f]/

/** Throws a SyntaxError for what is no string, and a TypeError for what is not UTF-8. */
export class JsonStringReader {
  /** A character may be cut by the end of a piece. */
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  readonly #pieces: string[] = []

  /**
   * Takes the next bytes of a string that goes on behind them. Returns how many bytes were taken: an escape
   * that is cut stays.
   */
  take(bytes: Uint8Array): number {
    const end = beforeCutEscape(bytes)
    this.#pieces.push(unescaped(this.#decoder.decode(bytes.subarray(0, end), { stream: true })))
    return end
  }

  /** Returns the string, which ends with these bytes. */
  end(bytes: Uint8Array): string {
    this.#pieces.push(unescaped(this.#decoder.decode(bytes)))
    return this.#pieces.join('')
  }
}

/** Returns where the last escape begins if it goes on behind the bytes, otherwise their end. */
function beforeCutEscape(bytes: Uint8Array): number {
  const { length } = bytes
  for (let at = length - 1; at >= 0 && at > length - LONGEST_ESCAPE; at--) {
    if (bytes[at] !== BACKSLASH || isEscaped(bytes, at)) continue
    const size = bytes[at + 1] === LETTER_U || at + 1 === length ? LONGEST_ESCAPE : 2
    return at + size > length ? at : length
  }
  return length
}

/**
 * Whether a backslash stands before a byte, with no escape that goes on in `bytes` and begins before them.
 */
export function isEscaped(bytes: Uint8Array, at: number): boolean {
  let escapes = 0
  while (bytes[at - 1 - escapes] === BACKSLASH) escapes++
  return escapes % 2 === 1
}

/**
 * Returns the text between quotes with its escapes resolved. Throws a SyntaxError for characters that may not
 * stand there.
 */
function unescaped(raw: string): string {
  return SPECIAL.test(raw) ? String(JSON.parse(`"${raw}"`)) : raw
}
