/**
 * Reads an event stream:
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 *
 * Bytes may be cut anywhere. They are copied into two buffers, one for the line that has begun and one for
 * the data of the event that has begun. Neither becomes larger than an event may be.
 */

/** Receives what an event stream has. */
export interface StreamSink {
  /**
   * An event. Its name is empty if it has none. `data` may be kept. An event that has neither a name nor data
   * is not told.
   */
  event(name: string, data: Uint8Array<ArrayBuffer>): void
  /** An event or a line is larger than allowed. The parser reads no further. */
  tooLarge(): void
}

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const SPACE = 0x20
const COLON = 0x3a
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]
/** Characters of an event's name that are read. The names that mean something have eight at most. */
const MAX_NAME = 64
/** Bytes of a line beside the data in it: the name of the field, and what may stand around it. */
const AROUND_DATA = 16

/** Reads one event stream. */
export class StreamParser {
  readonly #sink: StreamSink
  readonly #line: GrowingBuffer
  readonly #data: GrowingBuffer
  #hasData = false
  #name = ''
  #isFirstLine = true
  /** True if the last byte ended a line as a carriage return: a line feed after it belongs to it. */
  #endedByReturn = false
  #isOver = false

  /** `limit` is the number of bytes that the data of an event may have. */
  constructor(sink: StreamSink, limit: number) {
    this.#sink = sink
    this.#line = new GrowingBuffer(limit + AROUND_DATA)
    // Each line of data is followed by a line feed, of which the last one is dropped.
    this.#data = new GrowingBuffer(limit + 1)
  }

  /** Reads no further, whatever comes. */
  stop(): void {
    this.#isOver = true
    this.#line.clear()
    this.#data.clear()
  }

  read(chunk: Uint8Array): void {
    let from = 0
    for (let at = 0; at < chunk.length && !this.#isOver; at++) {
      const byte = chunk[at]
      if (byte !== LINE_FEED && byte !== CARRIAGE_RETURN) {
        this.#endedByReturn = false
        continue
      }
      const isSecondHalf = byte === LINE_FEED && this.#endedByReturn
      this.#endedByReturn = byte === CARRIAGE_RETURN
      if (!isSecondHalf) this.#endLine(chunk.subarray(from, at))
      from = at + 1
    }
    if (!this.#isOver && from < chunk.length && !this.#line.append(chunk.subarray(from))) this.#refuse()
  }

  #endLine(rest: Uint8Array): void {
    if (!this.#line.append(rest)) return this.#refuse()
    const line = this.#line.bytes
    const hasMark = this.#isFirstLine && BYTE_ORDER_MARK.every((byte, at) => line[at] === byte)
    const begin = hasMark ? BYTE_ORDER_MARK.length : 0
    this.#isFirstLine = false
    if (begin === line.length) this.#dispatch()
    else this.#field(line.subarray(begin))
    this.#line.clear()
  }

  #field(line: Uint8Array): void {
    const colon = line.indexOf(COLON)
    // A line that begins with a colon is a comment.
    if (colon === 0) return
    const name = latin1(line.subarray(0, colon < 0 ? line.length : colon))
    let value = colon < 0 ? line.length : colon + 1
    if (line[value] === SPACE) value++
    if (name === 'event') this.#name = latin1(line.subarray(value))
    if (name !== 'data') return
    this.#hasData = true
    if (!this.#data.append(line.subarray(value)) || !this.#data.append(END_OF_LINE)) this.#refuse()
  }

  #dispatch(): void {
    const name = this.#name
    const hasData = this.#hasData
    const { bytes } = this.#data
    const data = hasData ? bytes.slice(0, -1) : EMPTY
    this.#data.clear()
    this.#hasData = false
    this.#name = ''
    if (hasData || name !== '') this.#sink.event(name, data)
  }

  #refuse(): void {
    if (this.#isOver) return
    this.stop()
    this.#sink.tooLarge()
  }
}

const END_OF_LINE = Uint8Array.of(LINE_FEED)
const EMPTY = new Uint8Array(0)

/** Returns the first bytes as text, of which each is one character. */
function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(0, MAX_NAME))
}

/** Bytes up to which a buffer is kept when it is cleared. */
const KEPT = 4096

/** Bytes that are appended piece by piece. */
class GrowingBuffer {
  readonly #limit: number
  #buffer = EMPTY
  #length = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** The bytes. They are overwritten after `clear`. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#buffer.subarray(0, this.#length)
  }

  /** Returns false if there would be more bytes than allowed. */
  append(bytes: Uint8Array): boolean {
    const length = this.#length + bytes.length
    if (length > this.#limit) return false
    if (length > this.#buffer.length) {
      const grown = new Uint8Array(Math.min(this.#limit, Math.max(256, length * 2)))
      grown.set(this.#buffer.subarray(0, this.#length))
      this.#buffer = grown
    }
    this.#buffer.set(bytes, this.#length)
    this.#length = length
    return true
  }

  clear(): void {
    this.#length = 0
    if (this.#buffer.length > KEPT) this.#buffer = EMPTY
  }
}
