/** One request and its answer. */
import type { Dispatcher } from 'undici'
import type { CallHandler } from '../call-pool.ts'

/** A connection as the exchange on it sees it. */
export interface ExchangeCarrier {
  /** Reads nothing more for now. */
  pause(): void
  resume(): void
  /** Nobody waits for the rest of the answer. */
  giveUp(): void
}

/** A request from when it is handed to a pool until its handler knows what became of it. */
export class Exchange implements Dispatcher.DispatchController {
  /** Up to the value of `content-length`. */
  readonly head: string
  readonly body: string
  readonly handler: CallHandler
  /** Since when no connection could be made for it, by `performance.now()`. */
  refusedSince: number | null = null
  #carrier: ExchangeCarrier | null = null
  #isOver = false
  #reason: Error | null = null
  #paused = false

  constructor(head: string, body: string, handler: CallHandler) {
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

  get paused(): boolean {
    return this.#paused
  }

  /**
   * It is about to be sent. Returns false if its handler has given it up, for which no connection is lost.
   */
  begin(carrier: ExchangeCarrier): boolean {
    try {
      this.handler.onRequestStart?.(this, null)
    } catch (error) {
      this.failWith(error)
    }
    if (this.#isOver) return false
    this.#carrier = carrier
    return true
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

  /** The answer is complete. */
  end(): void {
    if (!this.#finish()) return
    this.handler.onResponseEnd?.(this, {})
  }

  /** There will be no answer, or no more of it. */
  fail(error: Error): void {
    if (!this.#finish()) return
    this.handler.onResponseError?.(this, error)
  }

  /** Fails with whatever was thrown. */
  failWith(thrown: unknown): void {
    this.fail(thrown instanceof Error ? thrown : new Error(String(thrown)))
  }

  #finish(): boolean {
    if (this.#isOver) return false
    this.#isOver = true
    this.#carrier = null
    return true
  }
}
