/**
 * What node:http2 offers for handlers written for node:http differs from it where a request or an answer ends early, and
 * where a client does not read. The two classes put that right. Its types say properties where the classes have accessors,
 * so these cannot be overridden by `get`.
 */
import { constants, Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import { ClientStalledError } from './client-stalled.ts'

/**
 * node:http2 tells of a write only when all of it is done, so a client that reads slowly would look like one that does not
 * read. Each slice is written when the one before it was taken.
 */
const SLICE = 64 * 1024
/** What may wait before a writer is asked to; as in all streams of Node. */
const MAX_WAITING = 16 * 1024

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

export class WholeResponse extends Http2ServerResponse {
  /** Milliseconds without progress after which the stream is reset. */
  writeTimeout = 0
  readonly #unsent: (string | Uint8Array)[] = []
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
    if (length <= SLICE) this.#unsent.push(chunk)
    else {
      const bytes = Buffer.from(chunk)
      for (let start = 0; start < length; start += SLICE)
        this.#unsent.push(bytes.subarray(start, start + SLICE))
    }
    this.#waiting += length
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

  #send(): void {
    if (this.#isSending) return
    const slice = this.#unsent.shift()
    if (slice === undefined) return
    this.#isSending = true
    this.#watch()
    super.write(slice, () => this.#sent(Buffer.byteLength(slice)))
    if (this.#isEnding && this.#unsent.length === 0) super.end()
  }

  #sent(length: number): void {
    this.#isSending = false
    this.#waiting -= length
    clearTimeout(this.#timer ?? undefined)
    if (this.stream.destroyed) return
    this.#send()
    if (this.#waiting > 0 || !this.#isFull) return
    this.#isFull = false
    this.emit('drain')
  }

  #watch(): void {
    if (this.#timer === null) this.once('close', () => clearTimeout(this.#timer ?? undefined))
    this.#timer = setTimeout(() => {
      this.#stalled = new ClientStalledError(this.writeTimeout)
      this.stream.close(constants.NGHTTP2_CANCEL)
      // The reset cannot be sent either where nothing is read from the whole connection.
      this.stream.destroy()
    }, this.writeTimeout)
  }
}
