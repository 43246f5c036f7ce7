/**
 * What node:http2 offers for handlers written for node:http differs from it where a request or an answer ends
 * early, and where a client does not read. The two classes put that right. Its types say properties where the
 * classes have accessors, so these cannot be overridden by `get`.
 */
import { constants, Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { HeldBytes, ByteHolder } from '../clients/byte-shares.ts'
import { type ClientStalledError, slowestReaderError, readNothing } from './client-stalled.ts'
import type { UnsentAnswers } from './unsent-answers.ts'

/**
 * node:http2 tells of a write only when all of it is done, so a client that reads slowly would look like one
 * that does not read. Each slice is written when the one before it was taken.
 */
const SLICE = 64 * 1024
/** What may wait before a writer is asked to; as in all streams of Node. */
const MAX_WAITING = 16 * 1024

/**
 * `frees`: bytes that nothing holds any more once it is sent. A slice of a larger piece keeps all of it in
 * memory.
 */
type Slice = { readonly bytes: string | Uint8Array; readonly length: number; readonly frees: number }

/** A request of HTTP/2 that is complete only if all of it came. */
export class WholeRequest extends Http2ServerRequest {
  static {
    /** node:http2 calls a request complete that was broken off. */
    Object.defineProperty(this.prototype, 'complete', {
      get(this: WholeRequest): boolean {
        return this.readableEnded && !this.stream.aborted
      },
    })
  }
}

/** A response of HTTP/2 whose unsent bytes are counted, and which ends when its client reads nothing. */
export class WholeResponse extends Http2ServerResponse implements ByteHolder {
  /** Milliseconds without progress after which the stream is reset. */
  writeTimeout = 0
  /** Where its bytes are counted. */
  unsent: UnsentAnswers | null = null
  readonly #unsent: Slice[] = []
  #held: HeldBytes | null = null
  /** Bytes, with those of the slice that is being sent. */
  #waiting = 0
  #isSending = false
  #isEnding = false
  /** Whoever writes was told to wait for `drain`. */
  #isFull = false
  #timer: NodeJS.Timeout | null = null
  #stalled: ClientStalledError | null = null

  static {
    const define = (name: string, get: (response: WholeResponse) => unknown): void => {
      Object.defineProperty(this.prototype, name, {
        get(this: WholeResponse) {
          return get(this)
        },
      })
    }
    define('destroyed', ({ stream }) => stream.destroyed)
    define('errored', (response) => response.#stalled)
    define('writableLength', (response) => response.#waiting)
    define('writableEnded', (response) => response.#isEnding)
    /** node:http2 also calls finished what the client did not wait for. */
    define('writableFinished', ({ stream, writableEnded }) => {
      return writableEnded && stream.writableFinished && !stream.aborted
    })
  }

  override write(chunk: string | Uint8Array): boolean {
    const length = Buffer.byteLength(chunk)
    if (length <= SLICE) this.#unsent.push({ bytes: chunk, length, frees: length })
    else {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      for (let start = 0; start < length; start += SLICE) {
        const slice = bytes.subarray(start, start + SLICE)
        const isLast = start + SLICE >= length
        this.#unsent.push({ bytes: slice, length: slice.length, frees: isLast ? length : 0 })
      }
    }
    this.#waiting += length
    this.#hold(length)
    this.#isFull = this.#waiting >= MAX_WAITING
    this.#send()
    return !this.#isFull
  }

  override end(chunk?: unknown): this {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) this.write(chunk)
    this.#isEnding = true
    if (this.#unsent.length === 0) super.end()
    return this
  }

  /** `drain` is told of each slice; it means that all are out. */
  override emit(event: string | symbol, ...given: unknown[]): boolean {
    return event === 'drain' && this.#waiting > 0 ? false : super.emit(event, ...given)
  }

  giveWay(): void {
    this.#reset(slowestReaderError())
  }

  #send(): void {
    if (this.#isSending) return
    const slice = this.#unsent.shift()
    if (slice === undefined) return
    // Its client has reset the stream, or is gone: writing to it would only make errors that nobody looks at.
    if (!this.stream.writable) return
    this.#isSending = true
    this.#watch()
    super.write(slice.bytes, () => this.#sent(slice))
    if (this.#isEnding && this.#unsent.length === 0) super.end()
  }

  #sent({ length, frees }: Slice): void {
    this.#isSending = false
    this.#waiting -= length
    this.#hold(-frees)
    clearTimeout(this.#timer ?? undefined)
    if (this.stream.destroyed) return
    this.#send()
    if (this.#waiting > 0 || !this.#isFull) return
    this.#isFull = false
    this.emit('drain')
  }

  #watch(): void {
    if (this.#timer === null) this.once('close', () => this.#forget())
    this.#timer = setTimeout(() => this.#reset(readNothing(this.writeTimeout)), this.writeTimeout)
  }

  #hold(more: number): void {
    if (this.unsent === null || this.stream.destroyed) return
    this.#held ??= this.unsent.open(this.req, this)
    this.#held.set(this.#held.bytes + more)
  }

  #forget(): void {
    clearTimeout(this.#timer ?? undefined)
    this.#held?.[Symbol.dispose]()
  }

  #reset(why: ClientStalledError): void {
    this.#stalled = why
    this.#unsent.length = 0
    this.stream.close(constants.NGHTTP2_CANCEL)
    // The reset cannot be sent either where nothing is read from the whole connection.
    this.stream.destroy()
  }
}
