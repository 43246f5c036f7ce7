/**
 * Reads the answers on one connection, in pieces as they arrive. The parser is strict: an answer whose end
 * could be understood in two ways is refused, because one program might take for the end of an answer what
 * another one takes for the beginning of the next.
 */
import { ChunkedBody } from './chunked-body.ts'
import { MalformedAnswerError } from './connection-errors.ts'
import { MAX_HEAD_SIZE, MAX_INTERIM_ANSWERS } from './limits.ts'
import { parseResponseHead, type ResponseHead } from './response-head.ts'

/** Receives the parts of an answer, in this order: its head, pieces of its body, its end. */
export interface ResponseSink {
  head(head: ResponseHead): void
  /**
   * `bytes` are overwritten afterwards, so those that are kept have to be copied. `isWhole` is true if they
   * are the whole body.
   */
  data(bytes: Buffer, isWhole: boolean): void
  end(): void
}

const PROTOCOL = 'HTTP/1.'
/**
 * Bytes in which nearly all heads fit. If a head is longer, it is searched for again in all bytes that have
 * arrived.
 */
const USUAL_HEAD_SIZE = 1024

/** Reads one answer after the other. */
export class ResponseParser {
  readonly #sink: ResponseSink
  readonly #chunks = new ChunkedBody()
  #head: ResponseHead | null = null
  /** The part of an incomplete head that has arrived. */
  #partialHead = ''
  #interim = 0
  /** Bytes of the body that are still to come, if its length was declared. */
  #remaining = 0
  /** True if a piece of the body was handed on. */
  #hasBegun = false

  constructor(sink: ResponseSink) {
    this.#sink = sink
  }

  /**
   * Reads the first `length` bytes of `buffer`, which it may change. Returns how many of them belong to the
   * answer: fewer than `length` if something follows its end. Throws MalformedAnswerError.
   */
  read(buffer: Buffer, length: number): number {
    let at = 0
    while (this.#head === null) {
      if (at === length) return at
      at = this.#readHead(buffer, at, length)
    }
    return this.#readBody(this.#head, buffer, at, length)
  }

  /** Ends the answer if it ends with the connection, which the other side has closed properly. */
  finish(): void {
    if (this.#head?.framing.kind === 'until-close') this.#end()
  }

  /**
   * Reads a head. Returns the index where it stopped: behind the head, or `end` if more of the head is to
   * come.
   */
  #readHead(buffer: Buffer, start: number, end: number): number {
    const known = this.#partialHead
    let to = Math.min(end, start + USUAL_HEAD_SIZE)
    let text = known + buffer.toString('latin1', start, to)
    let length = lengthOfHead(text, known.length)
    if (length < 0 && to < end) {
      to = Math.min(end, start + MAX_HEAD_SIZE + 4)
      text = known + buffer.toString('latin1', start, to)
      length = lengthOfHead(text, known.length)
    }
    if (length > MAX_HEAD_SIZE || (length < 0 && text.length > MAX_HEAD_SIZE + 1))
      throw new MalformedAnswerError(`has more than ${MAX_HEAD_SIZE} bytes of header fields`)
    if (length < 0) {
      refuseEarly(text, known.length)
      this.#partialHead = text
      return end
    }
    this.#partialHead = ''
    this.#take(parseResponseHead(text.slice(0, length)))
    return start + length + 2 - known.length
  }

  /** Takes a complete head. An interim answer is passed over (RFC 9110, section 15.2). */
  #take(head: ResponseHead): void {
    if (head.status >= 200) {
      this.#head = head
      if (head.framing.kind === 'length') this.#remaining = head.framing.length
      return this.#sink.head(head)
    }
    if (head.status === 101) throw new MalformedAnswerError('switches to a protocol that nobody asked for')
    if (++this.#interim > MAX_INTERIM_ANSWERS)
      throw new MalformedAnswerError(`comes after more than ${MAX_INTERIM_ANSWERS} interim answers`)
  }

  #readBody({ framing }: ResponseHead, buffer: Buffer, start: number, end: number): number {
    switch (framing.kind) {
      case 'none':
        this.#end()
        return start
      case 'length':
        return this.#readCounted(buffer, start, end)
      case 'chunked':
        return this.#readChunks(buffer, start, end)
      case 'until-close':
        if (end > start) this.#sink.data(buffer.subarray(start, end), false)
        return end
      default:
        return framing satisfies never
    }
  }

  #readCounted(buffer: Buffer, start: number, end: number): number {
    const to = Math.min(end, start + this.#remaining)
    this.#remaining -= to - start
    const isComplete = this.#remaining === 0
    if (to > start) this.#handOn(buffer.subarray(start, to), isComplete)
    if (isComplete) this.#end()
    return to
  }

  #readChunks(buffer: Buffer, start: number, end: number): number {
    const at = this.#chunks.read(buffer, start, end)
    const { dataEnd, isComplete } = this.#chunks
    if (dataEnd > start) this.#handOn(buffer.subarray(start, dataEnd), isComplete)
    if (isComplete) this.#end()
    return at
  }

  #handOn(bytes: Buffer, isComplete: boolean): void {
    const isWhole = isComplete && !this.#hasBegun
    this.#hasBegun = true
    this.#sink.data(bytes, isWhole)
  }

  #end(): void {
    this.#head = null
    this.#hasBegun = false
    this.#interim = 0
    this.#chunks.reset()
    this.#sink.end()
  }
}

/**
 * Returns the length of the head up to its empty line, with the line break before it. It is negative if the
 * empty line has not arrived.
 */
function lengthOfHead(text: string, known: number): number {
  const end = text.indexOf('\r\n\r\n', Math.max(0, known - 3))
  return end < 0 ? end : end + 2
}

/**
 * Refuses text that can never become a head, because the router would wait for its end until the call times
 * out.
 */
function refuseEarly(text: string, known: number): void {
  if (!text.startsWith(PROTOCOL.slice(0, text.length)))
    throw new MalformedAnswerError('does not begin with a status line of HTTP/1.1')
  for (let at = text.indexOf('\n', known); at >= 0; at = text.indexOf('\n', at + 1))
    if (text[at - 1] !== '\r') throw new MalformedAnswerError('has a line that does not end with CR LF')
}
