/**
 * `JSON.parse` for numbers that a double cannot hold.
 *
 * The text is parsed as usual and then read once more, for the numbers alone: those that would change are put
 * into copies of the lists and objects around them. A reviver, which is told the text of each number, takes
 * 50 times as long, as it is called for every value and told of each what it is in.
 */
import { isJsonObject, write } from './json-object.ts'
import { atOnce, inSlices, type SlicedWork, type Turns } from '../work/slices.ts'
import { ExactNumber, exactNumber } from './exact-number.ts'

/**
 * `JSON.parse`, except that a number which would change its value becomes an `ExactNumber`. `parsed` is what
 * `JSON.parse` gave, where that is known already; it is not written to.
 */
export function parseExactly(text: string, parsed: unknown = JSON.parse(text)): unknown {
  if (!mayLoseDigits(text)) return parsed
  const reader = new ExactReader(text, parsed)
  atOnce(reader)
  return reader.result
}

/** The same, with others in between where there is much to read: a promise only then. */
export function parseExactlyInTurns(text: string, parsed: unknown, turns: Turns): unknown {
  if (!mayLoseDigits(text)) return parsed
  const reader = new ExactReader(text, parsed)
  return inSlices(reader, turns)?.then(() => reader.result) ?? reader.result
}

/**
 * Finds texts that may hold a long number. A number of more than 15 digits has eight on one side of its
 * point. This is tested first, since it costs a tenth of parsing the text, and `LONG_NUMBER` nearly as much
 * as parsing it (70 kB: 18, 165 and 190 µs).
 */
const MANY_DIGITS = /\d{8}|\d[eE][+-]?\d{3}/

/** Up to 15 digits and a small exponent are always exact; 16 characters leave room for the point. */
const LONG_NUMBER = /[\d.]{16}|\d[eE][+-]?\d{3}/

function mayLoseDigits(text: string): boolean {
  return MANY_DIGITS.test(text) && LONG_NUMBER.test(text)
}

/** A list or an object that is being read. */
type Frame = {
  readonly isList: boolean
  /**
   * The value that `JSON.parse` made of it. If an object has a key twice, this is the value of the last one,
   * so its kind may differ from `isList`.
   */
  readonly parsed: unknown
  /** A copy with exact numbers; null until one is needed. */
  copy: unknown[] | Record<string, unknown> | null
  /** The index of the item that is being read, in a list. */
  index: number
  /**
   * The place where the key of the member that is being read begins, without its quotes, in an object. -1
   * means that a key comes next.
   */
  keyStart: number
  keyEnd: number
}

const QUOTE = 0x22
const COMMA = 0x2c
const MINUS = 0x2d
const ZERO = 0x30
const NINE = 0x39
const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

const CHARACTERS_PER_STEP = 32

/** The text is JSON: nothing is checked. */
class ExactReader implements SlicedWork {
  readonly #text: string
  readonly #root: unknown
  readonly #frames: Frame[] = []
  #at = 0
  /** Once everything is read. */
  result: unknown

  constructor(text: string, parsed: unknown) {
    this.#text = text
    this.#root = parsed
    this.result = parsed
  }

  proceed(steps: number): boolean {
    const text = this.#text
    const end = Math.min(text.length, this.#at + steps * CHARACTERS_PER_STEP)
    let frame = this.#frames.at(-1)
    let at = this.#at
    for (; at < end; at++) {
      const code = text.charCodeAt(at)
      if (code === QUOTE) {
        const last = this.#endOfString(at)
        if (frame !== undefined && !frame.isList && frame.keyStart < 0) {
          frame.keyStart = at + 1
          frame.keyEnd = last
        }
        at = last
      } else if (code === COMMA) {
        if (frame !== undefined) {
          frame.index++
          frame.keyStart = -1
        }
      } else if (code === MINUS || (code >= ZERO && code <= NINE)) {
        const next = this.#endOfNumber(at)
        this.#number(frame, at, next)
        at = next - 1
      } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
        const parsed = frame === undefined ? this.#root : this.#parsedIn(frame)
        frame = { isList: code === OPEN_LIST, parsed, copy: null, index: 0, keyStart: -1, keyEnd: -1 }
        this.#frames.push(frame)
      } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
        const closed = this.#frames.pop()
        frame = this.#frames.at(-1)
        // Of the same key twice, the last one counts, also if it has no exact numbers and the other one has.
        if (closed?.copy === null && frame !== undefined && frame.copy !== null)
          this.#put(frame, closed.parsed)
      }
    }
    this.#at = at
    return at >= text.length
  }

  #number(frame: Frame | undefined, start: number, end: number): void {
    const exact = end - start < 5 ? null : this.#exact(start, end)
    if (frame === undefined) {
      this.result = exact ?? this.#root
      return
    }
    if (exact === null) {
      if (frame.copy !== null && !frame.isList) this.#put(frame, this.#parsedIn(frame))
      return
    }
    if (this.#parsedIn(frame) !== Number(exact.text)) return
    this.#own()
    this.#put(frame, exact)
  }

  /** Returns the exact number, or null if a double holds it. */
  #exact(start: number, end: number): ExactNumber | null {
    const text = this.#text.slice(start, end)
    if (!LONG_NUMBER.test(text)) return null
    const number = exactNumber(text)
    return number instanceof ExactNumber ? number : null
  }

  /** Copies all lists and objects that are being read, from the outermost one without a copy. */
  #own(): void {
    let first = this.#frames.length
    while (first > 0 && this.#frames[first - 1]?.copy === null) first--
    for (const [offset, frame] of this.#frames.slice(first).entries()) {
      const copy = copyOf(frame.parsed)
      frame.copy = copy
      const outer = this.#frames[first + offset - 1]
      if (outer === undefined) this.result = copy
      else this.#put(outer, copy)
    }
  }

  #put(frame: Frame, value: unknown): void {
    if (Array.isArray(frame.copy)) frame.copy[frame.index] = value
    else if (frame.copy !== null) write(frame.copy, this.#key(frame), value)
  }

  /** Returns the value that `JSON.parse` made of the item or member that is being read. */
  #parsedIn(frame: Frame): unknown {
    const { parsed, isList, index } = frame
    if (isList) return Array.isArray(parsed) ? parsed[index] : undefined
    if (!isJsonObject(parsed)) return undefined
    const key = this.#key(frame)
    return Object.hasOwn(parsed, key) ? parsed[key] : undefined
  }

  #key({ keyStart, keyEnd }: Frame): string {
    const raw = this.#text.slice(keyStart, keyEnd)
    return raw.includes('\\') ? String(JSON.parse(`"${raw}"`)) : raw
  }

  /** Returns the index of the string's last quote. */
  #endOfString(start: number): number {
    const text = this.#text
    for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
      let escapes = 0
      while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++
      if (escapes % 2 === 0) return end
    }
    return text.length
  }

  #endOfNumber(start: number): number {
    const text = this.#text
    let end = start + 1
    while (end < text.length) {
      const code = text.charCodeAt(end)
      const isPart =
        (code >= ZERO && code <= NINE) ||
        code === 0x2e ||
        code === 0x2b ||
        code === MINUS ||
        code === 0x45 ||
        code === 0x65
      if (!isPart) break
      end++
    }
    return end
  }
}

function copyOf(parsed: unknown): unknown[] | Record<string, unknown> {
  if (Array.isArray(parsed)) return [...parsed]
  return isJsonObject(parsed) ? { ...parsed } : {}
}
