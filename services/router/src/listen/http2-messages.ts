/**
 * Corrects how node:http2 presents requests and answers to handlers that were written for node:http. It
 * differs where a message ends early and where a client does not read.
 *
 * The properties are defined with `defineProperty` because the types of node:http2 declare fields where its
 * classes have accessors, so `get` cannot override them.
 */
import { constants, Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { HeldBytes, ByteHolder } from '../fairness/byte-shares.ts'
import { type ClientStalledError, slowestReaderError, readNothing } from '../request/client-stalled.ts'
import type { UnsentAnswers } from './unsent-answers.ts'

/**
 * Answers are written in slices of this size. node:http2 reports only that a whole write is done, so a client
 * that reads a large write slowly would look like one that reads nothing.
 */
const SLICE = 64 * 1024
/** Bytes that may wait before a writer is told to pause; the default of all Node streams. */
const MAX_WAITING = 16 * 1024

/**
 * A slice to be sent. `frees` are the bytes of memory that are released once it is sent. All slices of one
 * piece share its memory, so only the last one frees it.
 */
type Slice = { readonly bytes: string | Uint8Array; readonly length: number; readonly frees: number }

/** An HTTP/2 request whose `complete` is true only if the whole body arrived. */
export class WholeRequest extends Http2ServerRequest {
  static {
    /** node:http2 also calls a request complete that the client broke off. */
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
  /** Counts the bytes of this response that are not sent yet. */
  unsent: UnsentAnswers | null = null
  readonly #unsent: Slice[] = []
  #held: HeldBytes | null = null
  /** Bytes that are not sent yet, including the slice that is being sent. */
  #waiting = 0
  #isSending = false
  #isEnding = false
  /** Whether `write` returned false, so that the writer waits for `drain`. */
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
    /** node:http2 also calls a response finished whose client went away before its end. */
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

  /** node:http2 emits `drain` after each slice; it is passed on only when all slices are sent. */
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
    // The client has reset the stream or is gone; writing would only cause errors that nobody reads.
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
    // If the client reads nothing from the whole connection, the reset cannot be sent either.
    this.stream.destroy()
  }
}
