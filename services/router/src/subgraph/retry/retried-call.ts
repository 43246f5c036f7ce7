/**
 * A call of a subgraph that is made again when it fails. It stands between a pool and the handler of the
 * call, which is told of the last attempt only: what the ones before came to is dropped.
 *
 * Only calls of queries get one. They change nothing, so a subgraph may carry out the same one twice.
 */
import type { Dispatcher } from 'undici'
import { SMALL_ANSWER } from '../answer-intake.ts'
import type { CallInFlight } from '../call-in-flight.ts'
import type { CallHandler } from '../call-pool.ts'
import type { AttemptHandler } from '../hedge/hedged-attempt.ts'
import { retriedFailure, retryAfter } from './retriable-failure.ts'
import type { RetryPolicy, RetryReason } from './retries.ts'

/** What waiting is done with; tests have others. */
export type RetryTimes = {
  /** From 0 to 1. */
  readonly random: () => number
  /** Calls `then` in so many milliseconds. Returns what prevents that. */
  readonly wait: (milliseconds: number, then: () => void) => () => void
}

export type RetriedCallOptions = {
  readonly call: Pick<CallInFlight, 'age' | 'isOver' | keyof AttemptHandler>
  readonly policy: RetryPolicy
  /** Time limit of the fetch that begins the call, in milliseconds. */
  readonly timeout: number
  /** Makes an attempt, of which `handler` is told. */
  readonly send: (handler: AttemptHandler) => void
  /** A retry is about to be waited for; `count`: how many there were with it. */
  readonly onRetry: (count: number) => void
  readonly times?: RetryTimes
}

/** The handler of all attempts of a call, and the one whom the call asks to give them up. */
export class RetriedCall implements CallHandler, Dispatcher.DispatchController {
  readonly #options: RetriedCallOptions
  readonly #times: RetryTimes
  /** Of the attempt in progress. */
  #controller: Dispatcher.DispatchController | null = null
  #retries = 0
  /** When to try again once the answer that arrives is complete, in milliseconds; null: it is handed on. */
  #dropping: number | null = null
  /** Bytes of that answer. */
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

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    this.#options.call.onRequestStart(this)
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.#dropping = this.#options.policy.config.statuses.has(status)
      ? this.#retry('status', String(status), retryAfter(headers['retry-after'], Date.now()))
      : null
    this.#dropped = 0
    if (this.#dropping !== null) return
    this.#answerBegan = true
    this.#options.call.onResponseStart(this, status, headers)
  }

  /** A short answer is read to its end, so that its connection can be used again. */
  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#dropping === null) return this.#options.call.onResponseData(this, chunk)
    this.#drop(controller, chunk)
  }

  onWholeBody(controller: Dispatcher.DispatchController, bytes: Buffer): void {
    if (this.#dropping === null) return this.#options.call.onWholeBody(this, bytes)
    this.#drop(controller, bytes)
  }

  onResponseEnd(): void {
    if (this.#dropping === null) this.#options.call.onResponseEnd()
    else this.#wait(this.#dropping)
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    const isFirst = this.#dropping === null && !this.#answerBegan
    const reason = isFirst ? retriedFailure(error) : null
    const delay = reason === null ? this.#dropping : this.#retry(reason, error.message, 0)
    if (delay === null) this.#options.call.onResponseError(this, error)
    else this.#wait(delay)
  }

  #drop(controller: Dispatcher.DispatchController, { length }: Buffer): void {
    this.#dropped += length
    if (this.#dropped > SMALL_ANSWER) controller.abort(NOT_NEEDED)
  }

  /**
   * In how many milliseconds to try again: a random part of the backoff, so that calls which failed together
   * do not come back together, after what the subgraph asked for. null: not at all.
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
    const { send, call } = this.#options
    try {
      send(this)
    } catch (error) {
      call.onResponseError(this, error instanceof Error ? error : new Error(String(error)))
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
