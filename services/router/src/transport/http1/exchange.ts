/** One request and its answer. */
import type { BodySource } from '../../http/body-source.ts'
import type { CallController, CallHandler } from '../dispatch/call-pool.ts'

/** A connection as the exchange on it sees it. */
export interface ExchangeCarrier {
  /** Stops reading for now. */
  pause(): void
  resume(): void
  /** Gives up the exchange, because nobody waits for the rest of its answer. */
  giveUp(): void
}

/** A request, from when it is handed to a pool until its handler knows the result. */
export class Http1Call<Head = string> implements CallController {
  /** The head of the request. For HTTP/1.1 it is text without the field that frames the body. */
  readonly head: Head
  readonly body: string | BodySource
  readonly handler: CallHandler
  /**
   * The time by `performance.now()` since which no connection could be made for the request. Null if none
   * failed.
   */
  refusedSince: number | null = null
  /** How often the request was sent again. */
  repeats = 0
  #carrier: ExchangeCarrier | null = null
  #hasBegun = false
  #isOver = false
  #reason: Error | null = null
  #paused = false

  constructor(head: Head, body: string | BodySource, handler: CallHandler) {
    this.head = head
    this.body = body
    this.handler = handler
  }

  get aborted(): boolean {
    return this.#reason !== null
  }

  get reason(): Error | null {
    return this.#reason
  }

  /** Whether the request can be sent again; a body that comes in pieces is gone once it was sent. */
  get isRepeatable(): boolean {
    return typeof this.body === 'string'
  }

  /** True if the handler knows the result. */
  get isOver(): boolean {
    return this.#isOver
  }

  get paused(): boolean {
    return this.#paused
  }

  /**
   * Prepares to send the request, and tells its handler so the first time. Returns false if the request was
   * given up, perhaps by its handler just now; then no connection is lost.
   */
  begin(carrier: ExchangeCarrier): boolean {
    if (!this.#hasBegun) this.#tellOfBegin()
    if (this.#isOver) return false
    this.#carrier = carrier
    return true
  }

  #tellOfBegin(): void {
    this.#hasBegun = true
    try {
      this.handler.onRequestStart(this)
    } catch (error) {
      this.failWith(error)
    }
  }

  abort(reason: Error): void {
    if (this.#isOver) return
    this.#reason = reason
    const carrier = this.#carrier
    this.fail(reason)
    carrier?.giveUp()
  }

  pause(): void {
    if (this.#isOver || this.#paused) return
    this.#paused = true
    this.#carrier?.pause()
  }

  resume(): void {
    if (!this.#paused) return
    this.#paused = false
    this.#carrier?.resume()
  }

  /** Reports that the answer is complete. */
  end(): void {
    if (!this.#finish()) return
    this.handler.onResponseEnd(this, {})
  }

  /** Reports that there will be no answer, or no more of it. */
  fail(error: Error): void {
    if (!this.#finish()) return
    this.handler.onResponseError(this, error)
  }

  /** Fails with whatever was thrown. */
  failWith(thrown: unknown): void {
    this.fail(thrown instanceof Error ? thrown : new Error(String(thrown)))
  }

  #finish(): boolean {
    if (this.#isOver) return false
    this.#isOver = true
    this.#carrier = null
    if (typeof this.body !== 'string') this.body.stop()
    return true
  }
}
