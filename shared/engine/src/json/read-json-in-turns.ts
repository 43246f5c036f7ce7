/**
 * `JSON.parse` for large texts, in slices. Five megabytes of JSON may take half a second to parse, by what is
 * in them, and `JSON.parse` cannot be interrupted. Here it parses what is complete in a window of limited
 * bytes and values: all that this code does itself is to find where lists and objects begin and end. Those
 * that go on from one window to the next are `JsonFrames`.
 */
import { Buffer } from 'node:buffer'
import { inSlices, type SlicedWork, type Turns } from '../work/slices.ts'
import { asUtf8, JsonFrames, type JsonLimits, type JsonWindow, wrong } from './json-frames.ts'
import { isEscaped, JsonStringReader } from './json-string-reader.ts'

/** `chunks` are UTF-8. Rejects with a SyntaxError for what is no JSON, and with a `NotUtf8Error`. */
export async function readJsonInTurns(
  chunks: readonly Uint8Array[],
  turns: Turns,
  limits: JsonLimits,
): Promise<unknown> {
  const reader = new JsonReader(chunks, limits)
  await inSlices(reader, turns)
  return reader.result
}

const WINDOW: JsonWindow = { bytes: 65_536, values: 65_536 }
const BYTES_PER_STEP = 64
const MAX_NUMBER = 65_536
/**
 * V8 hashes longer texts by their length alone, and compares each name with all others of one hash: 3,800
 * names of 16,400 characters would take ten seconds.
 */
const MAX_NAME = 16_383

const TAB = 0x09
const NEW_LINE = 0x0a
const CARRIAGE_RETURN = 0x0d
const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]
/** The number of bytes within which a loop finds the end of a string faster than a call of `indexOf`. */
const SHORT_STRING = 32
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d*)?(?:[eE][+-]?\d*)?$/

/**
 * The list or object that is looked at: where it was opened in the window, and where its last comma and its
 * last closed value are.
 */
type Level = { readonly open: number; comma: number; close: number }

class JsonReader implements SlicedWork {
  result: unknown
  readonly #chunks: readonly Uint8Array[]
  readonly #limits: JsonLimits
  readonly #window: JsonWindow
  readonly #frames: JsonFrames
  #chunk = 0
  /** The place in the chunk. */
  #at = 0
  #isFirst = true
  /**
   * Bytes that are not taken yet. They begin between two values of the innermost frame, or in the middle of a
   * long string.
   */
  #rest: Uint8Array = new Uint8Array()
  /** A string that goes on for more than a window, and what stands before it. */
  #long: { readonly reader: JsonStringReader; readonly lead: string } | null = null
  /** The number of values in the window. The whole text is one value of the first window. */
  #values = 1

  constructor(chunks: readonly Uint8Array[], limits: JsonLimits) {
    this.#chunks = chunks
    this.#limits = limits
    this.#frames = new JsonFrames(limits)
    this.#window = limits.window ?? WINDOW
  }

  proceed(steps: number): boolean {
    for (let left = steps; left > 0; ) {
      const { window, isLast } = this.#next()
      const isOver = this.#read(window, isLast)
      this.#limits.budget.step(this.#values)
      left -= this.#values + window.length / BYTES_PER_STEP
      this.#values = 0
      if (isOver) return true
    }
    return false
  }

  /** Returns the rest of the previous window together with the bytes that follow it, as one window. */
  #next(): { readonly window: Uint8Array; readonly isLast: boolean } {
    const pieces = this.#rest.length === 0 ? [] : [this.#rest]
    let length = this.#rest.length
    const full = length + this.#window.bytes
    for (let chunk = this.#chunks[this.#chunk]; chunk !== undefined && length < full; ) {
      const piece = chunk.subarray(this.#at, this.#at + full - length)
      pieces.push(piece)
      length += piece.length
      this.#at += piece.length
      if (this.#at === chunk.length) {
        chunk = this.#chunks[++this.#chunk]
        this.#at = 0
      }
    }
    const isLast = this.#chunk >= this.#chunks.length
    const window = joined(pieces, length)
    if (!this.#isFirst || (length < BYTE_ORDER_MARK.length && !isLast)) return { window, isLast }
    this.#isFirst = false
    const isMarked = BYTE_ORDER_MARK.every((byte, index) => window[index] === byte)
    return { window: isMarked ? window.subarray(BYTE_ORDER_MARK.length) : window, isLast }
  }

  /** The last bytes of a window are read again, as the first ones of the next one. */
  #unread(bytes: number): void {
    let left = bytes
    while (left > this.#at) {
      left -= this.#at
      this.#at = this.#chunks[--this.#chunk]?.length ?? left
    }
    this.#at -= left
  }

  /** Whether everything is read. */
  #read(window: Uint8Array, isLast: boolean): boolean {
    const from = this.#long === null ? 0 : this.#continueString(window, this.#long, isLast)
    if (from < 0) return false
    if (!this.#scan(window, from, isLast) || this.#long !== null) return false
    this.result = this.#frames.whole()
    return true
  }

  /**
   * Takes the complete values of the window, and keeps the rest in `#rest`. Goes no further than the last
   * value that a window may hold. Returns whether the text is read to its end.
   */
  #scan(window: Uint8Array, from: number, isLast: boolean): boolean {
    const max = this.#window.values
    const levels: Level[] = []
    let level: Level = { open: from - 1, comma: -1, close: -1 }
    const end = window.length
    let openString = -1
    let at = from
    for (; at < end && this.#values <= max; at++) {
      switch (window[at]) {
        case QUOTE: {
          const close = endOfString(window, at + 1)
          if (close < 0) {
            openString = at
            at = end
          } else {
            if (close - at > MAX_NAME + 1 && isName(window, close)) throw this.#limits.exceeded('names')
            at = close
          }
          break
        }
        case COMMA:
          this.#values++
          level.comma = at
          break
        case OPEN_LIST:
        case OPEN_OBJECT:
          this.#values++
          levels.push(level)
          if (this.#frames.depth + levels.length > this.#limits.maxDepth) throw this.#limits.exceeded('depth')
          level = { open: at, comma: -1, close: -1 }
          break
        case CLOSE_LIST:
        case CLOSE_OBJECT: {
          const outer = levels.pop()
          if (outer === undefined) {
            this.#frames.take(window.subarray(level.open + 1, at))
            this.#frames.leave(window[at] === CLOSE_LIST)
            level = { open: at, comma: -1, close: -1 }
          } else {
            level = outer
            level.close = at
          }
          break
        }
        default:
      }
    }
    if (isLast && at >= end) {
      if (openString >= 0 || levels.length > 0) throw wrong()
      this.#frames.take(window.subarray(level.open + 1))
      this.#rest = new Uint8Array()
      return true
    }
    if (at < end) this.#unread(end - at)
    levels.push(level)
    for (const [index, { comma, open }] of levels.entries()) {
      const inner = levels[index + 1]
      if (inner !== undefined) this.#enter(window, open, comma, inner.open)
    }
    const taken = this.#takeUpTo(window, level)
    this.#keep(window.subarray(taken, at), openString < 0 ? -1 : openString - taken)
    return false
  }

  /** Takes all that is complete right in the innermost list or object; up to where that is. */
  #takeUpTo(window: Uint8Array, { open, comma, close }: Level): number {
    if (close > comma) {
      this.#frames.take(window.subarray(open + 1, close + 1))
      return close + 1
    }
    if (comma < 0) return open + 1
    this.#frames.takeWithComma(window.subarray(open + 1, comma))
    return comma + 1
  }

  /** A list or an object begins in the innermost one at `inner`, and does not end in this window. */
  #enter(window: Uint8Array, open: number, comma: number, inner: number): void {
    if (comma >= 0) this.#frames.takeWithComma(window.subarray(open + 1, comma))
    this.#frames.enter(window.subarray(Math.max(open, comma) + 1, inner), window[inner] === OPEN_LIST)
  }

  /**
   * Keeps the rest of a window. `openString` is where a string begins that goes on in the next window, or -1.
   */
  #keep(rest: Uint8Array, openString: number): void {
    if (openString < 0) {
      this.#rest = withoutSpace(rest)
      this.#checkRest()
      return
    }
    const lead = rest.subarray(0, openString)
    const isName = this.#frames.isInObject && !lead.includes(COLON)
    if (isName && rest.length - openString > MAX_NAME) throw this.#limits.exceeded('names')
    if (isName || rest.length - openString < this.#window.bytes) this.#rest = rest
    else {
      this.#long = { reader: new JsonStringReader(), lead: this.#frames.decode(lead) }
      this.#rest = rest.subarray(openString + 1)
    }
  }

  /**
   * Between two commas there are two strings or numbers at most, and no more than a window of space around
   * each.
   */
  #checkRest(): void {
    const { length } = this.#rest
    if (length > MAX_NUMBER) {
      const scalar = this.#frames.decode(this.#rest).replace(/^.*[:,"\s]/s, '')
      if (scalar.length > MAX_NUMBER) throw NUMBER.test(scalar) ? this.#limits.exceeded('numbers') : wrong()
    }
    if (length > MAX_NAME + 8 * this.#window.bytes) throw wrong()
  }

  /**
   * Reads on in a string from an earlier window. Returns where it ends in this window, or -1 if it goes on.
   */
  #continueString(
    window: Uint8Array,
    { reader, lead }: { reader: JsonStringReader; lead: string },
    isLast: boolean,
  ) {
    const end = endOfString(window, 0)
    if (end < 0) {
      if (isLast) throw wrong()
      this.#rest = window.subarray(asUtf8(() => reader.take(window)))
      return -1
    }
    const string = asUtf8(() => reader.end(window.subarray(0, end)))
    this.#long = null
    this.#frames.put(lead, string)
    return end + 1
  }
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = pieces
  return only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces, length)
}

/**
 * Returns the place of the quote that ends a string, or -1 if it is not in these bytes. No escape may go on
 * from before `from`.
 */
function endOfString(bytes: Uint8Array, from: number): number {
  for (let start = from; start < bytes.length; ) {
    const end = Math.min(bytes.length, start + SHORT_STRING)
    let at = start
    for (; at < end; at++) {
      const code = bytes[at]
      if (code === QUOTE) return at
      if (code === BACKSLASH) at++
    }
    if (at >= bytes.length) return -1
    const quote = nextQuote(bytes, at)
    if (quote < 0 || !isEscaped(bytes, quote)) return quote
    start = quote + 1
  }
  return -1
}

/** The method of `Buffer` looks at many bytes at once, unlike the one of `Uint8Array`. */
function nextQuote(bytes: Uint8Array, from: number): number {
  return Buffer.prototype.indexOf.call(bytes, QUOTE, from)
}

/**
 * Whether a string is the name of a member, which a colon follows. `close` is where the string ends in the
 * bytes.
 */
function isName(bytes: Uint8Array, close: number): boolean {
  let at = close + 1
  while (isSpace(bytes[at])) at++
  return bytes[at] === COLON
}

/** White space at the end, which may go on and on, is one character at most. */
function withoutSpace(bytes: Uint8Array): Uint8Array {
  let end = bytes.length
  while (end > 1 && isSpace(bytes[end - 1]) && isSpace(bytes[end - 2])) end--
  return bytes.subarray(0, end)
}

function isSpace(code: number | undefined): boolean {
  return code === SPACE || code === NEW_LINE || code === CARRIAGE_RETURN || code === TAB
}
