/**
 * Retries a call of a subgraph when it fails. It stands between a pool and the handler of the call, which
 * sees the last attempt only: the results of those before are dropped.
 *
 * Only calls of queries are retried. They change nothing, so a subgraph may carry out the same one twice.
 */
import { SMALL_ANSWER } from '../../in-flight/answer-intake.ts'
import type { CallInFlight } from '../../in-flight/call-in-flight.ts'
import {
  type ReceivedHeaders,
  type CallController,
  type CallHandler,
  handOnBody,
} from '../../../transport/dispatch/call-pool.ts'
import { retriedFailure, retryAfter } from './retriable-failure.ts'
import type { RetryPolicy, RetryReason } from './retries.ts'

/** The randomness and the timer of retries; tests have others. */
export type RetryTimes = {
  /** Returns a number from 0 to 1. */
  readonly random: () => number
  /** Calls `then` in so many milliseconds. Returns a function that prevents it. */
  readonly wait: (milliseconds: number, then: () => void) => () => void
}

export type RetriedCallOptions = {
  readonly call: Pick<CallInFlight, 'age' | 'isOver'>
  /** Receives the events of the last attempt. */
  readonly handler: CallHandler
  readonly policy: RetryPolicy
  /** The time limit in milliseconds of the fetch that begins the call. */
  readonly timeout: number
  /** Makes an attempt, whose events `handler` receives. */
  readonly send: (handler: CallHandler) => void
  /** A retry is about to be waited for. `count` is the number of retries including this one. */
  readonly onRetry: (count: number) => void
  readonly times?: RetryTimes
}

/** The handler of all attempts of a call, and the controller with which the call gives them up. */
export class RetriedCall implements CallHandler, CallController {
  readonly #options: RetriedCallOptions
  readonly #times: RetryTimes
  /** Controls the attempt in progress. */
  #controller: CallController | null = null
  #retries = 0
  /**
   * How long to wait for the next attempt once the answer that arrives is complete, in milliseconds. Null if
   * the answer is handed on and not dropped.
   */
  #dropping: number | null = null
  /** Bytes of the answer that is dropped. */
  #dropped = 0
  #answerBegan = false
  #reason: Error | null = null
  #stopWaiting: (() => void) | null = null

  constructor(options: RetriedCallOptions) {
    this.#options = options
    this.#times = options.times ?? SYSTEM_TIMES
  }

  /** Makes the first attempt. Throws what the pool throws. */
  start(): void {
    this.#options.policy.budget.callBegan()
    this.#options.send(this)
  }

  get aborted(): boolean {
    return this.#reason !== null
  }

  get reason(): Error | null {
    return this.#reason
  }

  get paused(): boolean {
    return this.#controller?.paused ?? false
  }

  pause(): void {
    this.#controller?.pause()
  }

  resume(): void {
    this.#controller?.resume()
  }

  abort(reason: Error): void {
    this.#reason ??= reason
    this.#stopWaiting?.()
    this.#stopWaiting = null
    this.#controller?.abort(reason)
  }

  onRequestStart(controller: CallController): void {
    this.#controller = controller
    this.#options.handler.onRequestStart(this)
  }

  onResponseStart(_controller: CallController, status: number, headers: ReceivedHeaders): void {
    this.#dropping = this.#options.policy.config.statuses.has(status)
      ? this.#retry('status', String(status), retryAfter(headers['retry-after'], Date.now()))
      : null
    this.#dropped = 0
    if (this.#dropping !== null) return
    this.#answerBegan = true
    this.#options.handler.onResponseStart(this, status, headers)
  }

  /**
   * Hands the bytes on, or drops them. A short answer is read to its end even if it is dropped, so that its
   * connection can be used again.
   */
  onResponseData(controller: CallController, chunk: Buffer): void {
    if (this.#dropping === null) return this.#options.handler.onResponseData(this, chunk)
    this.#drop(controller, chunk)
  }

  onWholeBody(controller: CallController, bytes: Buffer): void {
    if (this.#dropping === null) return handOnBody(this.#options.handler, this, bytes)
    this.#drop(controller, bytes)
  }

  onResponseEnd(_controller: CallController, trailers: ReceivedHeaders): void {
    if (this.#dropping === null) this.#options.handler.onResponseEnd(this, trailers)
    else this.#wait(this.#dropping)
  }

  onResponseError(_controller: CallController | null, error: Error): void {
    const isFirst = this.#dropping === null && !this.#answerBegan
    const reason = isFirst ? retriedFailure(error) : null
    const delay = reason === null ? this.#dropping : this.#retry(reason, error.message, 0)
    if (delay === null) this.#options.handler.onResponseError(this, error)
    else this.#wait(delay)
  }

  #drop(controller: CallController, { length }: Buffer): void {
    this.#dropped += length
    if (this.#dropped > SMALL_ANSWER) controller.abort(NOT_NEEDED)
  }

  /**
   * Decides whether to retry. Returns null if not, otherwise the milliseconds to wait: those that the
   * subgraph asked for, and a random part of the backoff, so that calls which failed together do not come
   * back together.
   */
  #retry(reason: RetryReason, detail: string, after: number): number | null {
    const { call, policy, timeout, onRetry } = this.#options
    const { maxRetries, backoff, maxBackoff } = policy.config
    if (call.isOver || this.aborted || this.#retries >= maxRetries) return null
    const delay = after + this.#times.random() * Math.min(maxBackoff, backoff * 2 ** this.#retries)
    if (call.age + delay >= timeout) return null
    if (!policy.budget.take()) {
      policy.events.budgetSpent(reason, detail)
      return null
    }
    policy.events.retried(reason, detail)
    onRetry(++this.#retries)
    return delay
  }

  #wait(delay: number): void {
    this.#dropping = null
    this.#controller = null
    if (this.#isOver()) return
    this.#stopWaiting = this.#times.wait(delay, () => {
      this.#stopWaiting = null
      if (!this.#isOver()) this.#sendAgain()
    })
  }

  #isOver(): boolean {
    return this.aborted || this.#options.call.isOver
  }

  #sendAgain(): void {
    const { send, handler } = this.#options
    try {
      send(this)
    } catch (error) {
      handler.onResponseError(this, error instanceof Error ? error : new Error(String(error)))
    }
  }
}

const NOT_NEEDED = new Error('Another answer is asked for in place of this one.')

const SYSTEM_TIMES: RetryTimes = {
  random: Math.random,
  wait: (milliseconds, then) => {
    const timer = setTimeout(then, milliseconds).unref()
    return () => clearTimeout(timer)
  },
}
