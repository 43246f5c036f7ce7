/** A string of JSON, read piece by piece: one string may be all that a large text holds. */
export const BACKSLASH = 0x5c
/** Characters; takes a tenth of a millisecond, if it is full of escapes. */
export const PIECE = 32_768
/** Of `\u0000`. */
const LONGEST_ESCAPE = 6

// oxlint-disable-next-line no-control-regex -- JSON allows none of these in strings
const SPECIAL = /[\\\u0000-\u001f]/

export class JsonStringReader {
  readonly #text: string
  #pieces: string[] | null = null
  /** What is read next; once the string is complete, what comes after it. */
  at: number

  /** `start`: behind the first quote. */
  constructor(text: string, start: number) {
    this.#text = text
    this.at = start
  }

  /** Reads one piece. The string once it is complete, before that null; throws a SyntaxError for what is none. */
  proceed(): string | null {
    const start = this.at
    const piece = this.#text.slice(start, start + PIECE)
    for (let quote = piece.indexOf('"'); quote >= 0; quote = piece.indexOf('"', quote + 1)) {
      if (isEscaped(piece, quote)) continue
      this.at = start + quote + 1
      return this.#whole(unescaped(piece.slice(0, quote)))
    }
    if (piece.length < PIECE) throw new SyntaxError('This is no JSON: a string does not end.')
    const end = boundaryOf(piece)
    this.#pieces ??= []
    this.#pieces.push(unescaped(piece.slice(0, end)))
    this.at = start + end
    return null
  }

  #whole(last: string): string {
    if (this.#pieces === null) return last
    this.#pieces.push(last)
    return this.#pieces.join('')
  }
}

/** No escape that goes on in `piece` begins before it. */
function isEscaped(piece: string, at: number): boolean {
  let escapes = 0
  while (piece.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes++
  return escapes % 2 === 1
}

/** The last place that is within no escape. */
function boundaryOf(piece: string): number {
  for (let at = piece.length - 1; at > piece.length - LONGEST_ESCAPE; at--)
    if (piece.charCodeAt(at) === BACKSLASH && !isEscaped(piece, at)) return at
  return piece.length
}

/** What stands between quotes; throws a SyntaxError for what must not. */
export function unescaped(raw: string): string {
  return SPECIAL.test(raw) ? String(JSON.parse(`"${raw}"`)) : raw
}
