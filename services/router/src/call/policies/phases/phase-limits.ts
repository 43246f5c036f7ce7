/**
 * Time limits of the phases of a call, within the limit of the whole call: from the sent request until its
 * answer begins, and between two pieces of the body. So a subgraph that hangs is noticed sooner than one that
 * has a lot to send.
 */
import {
  type ReceivedHeaders,
  type CallController,
  type CallHandler,
  handOnBody,
} from '../../../transport/dispatch/call-pool.ts'
import type { Deadlines, Expiring } from '../../in-flight/deadlines.ts'

/** Limits in milliseconds. Null if a phase has no limit but that of the whole call. */
export type PhaseLimits = {
  readonly firstByte: number | null
  readonly idle: number | null
  /** When the first phase begins: with the request, or when all of it is sent. */
  readonly from?: 'begun' | 'sent'
}

type Phase = 'firstByte' | 'idle'

/** A phase took too long. */
export class PhaseTimeoutError extends Error {
  override readonly name = 'PhaseTimeoutError'
  readonly code = 'SUBGRAPH_TIMEOUT'
  readonly phase: Phase
  readonly milliseconds: number

  constructor(phase: Phase, milliseconds: number) {
    super(
      phase === 'firstByte'
        ? `no answer began within ${milliseconds} ms of the request (subgraphs.first_byte_timeout)`
        : `nothing more of the answer came for ${milliseconds} ms (subgraphs.idle_timeout)`,
    )
    this.phase = phase
    this.milliseconds = milliseconds
  }
}

/**
 * Applies the limits to one attempt of a call, between a pool and the handler. It shares its timers with
 * other calls.
 */
export class PhasedCall implements CallHandler, CallController, Expiring {
  readonly #handler: CallHandler
  readonly #limits: PhaseLimits
  readonly #deadlines: Deadlines
  readonly #now: () => number
  #controller: CallController | null = null
  #phase: Phase = 'firstByte'
  #ticket: number | null = null
  /** The time when bytes came last, or reading was resumed. */
  #last = 0
  #isOver = false

  constructor(
    handler: CallHandler,
    limits: PhaseLimits,
    deadlines: Deadlines,
    now: () => number = () => performance.now(),
  ) {
    this.#handler = handler
    this.#limits = limits
    this.#deadlines = deadlines
    this.#now = now
  }

  get aborted(): boolean {
    return this.#controller?.aborted ?? false
  }

  get reason(): Error | null {
    return this.#controller?.reason ?? null
  }

  get paused(): boolean {
    return this.#controller?.paused ?? false
  }

  pause(): void {
    this.#controller?.pause()
  }

  /** Reads on. Time during which nobody read does not count. */
  resume(): void {
    this.#last = this.#now()
    this.#controller?.resume()
  }

  abort(reason: Error): void {
    this.#disarm()
    this.#controller?.abort(reason)
  }

  onRequestStart(controller: CallController): void {
    this.#controller = controller
    if (this.#limits.from !== 'sent') this.#begin('firstByte')
    this.#handler.onRequestStart(this)
  }

  onRequestSent(): void {
    if (this.#limits.from === 'sent' && this.#phase === 'firstByte') this.#begin('firstByte')
    this.#handler.onRequestSent?.()
  }

  onResponseStart(_controller: CallController, status: number, headers: ReceivedHeaders): void {
    if (this.#isOver) return
    this.#begin('idle')
    this.#handler.onResponseStart(this, status, headers)
  }

  onResponseData(_controller: CallController, chunk: Buffer): void {
    if (this.#isOver) return
    this.#last = this.#now()
    this.#handler.onResponseData(this, chunk)
  }

  onWholeBody(_controller: CallController, bytes: Buffer): void {
    if (this.#isOver) return
    handOnBody(this.#handler, this, bytes)
  }

  onResponseEnd(_controller: CallController, trailers: ReceivedHeaders): void {
    if (this.#close()) this.#handler.onResponseEnd(this, trailers)
  }

  onResponseError(_controller: CallController | null, error: Error): void {
    if (this.#close()) this.#handler.onResponseError(this, error)
  }

  expire(): void {
    this.#ticket = null
    if (this.#isOver) return
    const limit = this.#limits[this.#phase]
    if (limit === null) return
    const rest = this.paused ? limit : this.#last + limit - this.#now()
    if (rest > 0) {
      this.#ticket = this.#deadlines.add(this, rest)
      return
    }
    const error = new PhaseTimeoutError(this.#phase, limit)
    const controller = this.#controller
    this.onResponseError(controller, error)
    controller?.abort(error)
  }

  #begin(phase: Phase): void {
    this.#disarm()
    this.#phase = phase
    this.#last = this.#now()
    const limit = this.#limits[phase]
    if (limit !== null && !this.#isOver) this.#ticket = this.#deadlines.add(this, limit)
  }

  /** Marks the attempt as over. Returns false if it was over before. */
  #close(): boolean {
    if (this.#isOver) return false
    this.#isOver = true
    this.#disarm()
    return true
  }

  #disarm(): void {
    if (this.#ticket !== null) this.#deadlines.cancel(this, this.#ticket)
    this.#ticket = null
  }
}
