/**
 * Makes an attempt of a call, and hedges it with a second one when no answer begins soon. It stands between a
 * pool and the handler of the call, which sees one attempt only: the one whose answer is the first to begin
 * and can be used. The other attempt is given up then.
 *
 * Only calls of queries are hedged. They change nothing, so a subgraph may carry out the same one twice.
 */
import type { HedgeOutcome } from './events.ts'
import { SMALL_ANSWER } from '../../in-flight/answer-intake.ts'
import { type CallInFlight, isJson, STOPPED } from '../../in-flight/call-in-flight.ts'
import {
  type ReceivedHeaders,
  type CallController,
  type CallHandler,
  handOnBody,
} from '../../../transport/dispatch/call-pool.ts'
import type { CallResult } from '../circuit/circuit-breaker.ts'

/** The hedged attempt, which may be made now. */
export interface Hedge {
  /** Makes the attempt. Throws what the pool throws. */
  send(handler: CallHandler): void
  /** The first attempt ended with this result, and only the hedged one is left. Not called after `ended`. */
  firstEnded(result: CallResult): void
  /**
   * The hedging is over. Called once. `result` is what the hedged attempt says about its endpoint, unless the
   * first attempt had ended before it.
   */
  ended(outcome: HedgeOutcome, result: CallResult): void
}

export type HedgedAttemptOptions = {
  readonly call: Pick<CallInFlight, 'isOver' | 'whenOver'>
  readonly handler: CallHandler
  /** Milliseconds to wait for the beginning of an answer before a hedged attempt is made. */
  readonly after: number
  /**
   * The moment from which `after` counts. From `made` on, the wait for a connection counts, too, which makes
   * sense if the hedged attempt does not wait for the same connections.
   */
  readonly since: 'made' | 'sent'
  /** Makes the first attempt. Throws what the pool throws. */
  readonly send: (handler: CallHandler) => void
  /** Returns the hedged attempt, or null if none may be made. */
  readonly hedge: () => Hedge | null
  /** Calls `then` in so many milliseconds. Returns a function that prevents it. */
  readonly wait?: (milliseconds: number, then: () => void) => () => void
}

export class HedgedAttempt implements CallController {
  readonly #options: HedgedAttemptOptions
  readonly #first = new HedgedCall(this)
  #second: HedgedCall | null = null
  /** Receives the result of the hedged attempt. Null if there is none, or its result was reported. */
  #hedge: Hedge | null = null
  /** The attempt whose answer the handler gets. */
  #answering: HedgedCall | null = null
  #reason: Error | null = null
  #stopWaiting: (() => void) | null = null

  constructor(options: HedgedAttemptOptions) {
    this.#options = options
  }

  /** Makes the first attempt. Throws what the pool throws. */
  start(): void {
    const { call, since, send } = this.#options
    call.whenOver(() => this.#stop(STOPPED))
    if (since === 'made') this.#wait()
    send(this.#first)
  }

  get aborted(): boolean {
    return this.#reason !== null
  }

  get reason(): Error | null {
    return this.#reason
  }

  get paused(): boolean {
    return this.#answering?.controller?.paused ?? false
  }

  pause(): void {
    this.#answering?.controller?.pause()
  }

  resume(): void {
    this.#answering?.controller?.resume()
  }

  abort(reason: Error): void {
    this.#reason ??= reason
    this.#stop(reason)
    this.#answering?.controller?.abort(reason)
  }

  started(call: HedgedCall): void {
    if (call === this.#first && this.#options.since === 'sent') this.#wait()
    this.#options.handler.onRequestStart(this)
  }

  /** Returns whether the answer is handed on. */
  answerBegan(...[call, status, headers]: AnswerBegan): boolean {
    if (this.#isOtherWaiting(call) && !isUsable(status, headers)) {
      this.#fell(call, status === TOO_MANY_REQUESTS ? 'answered' : 'failed')
      return false
    }
    this.#answering = call
    this.#end(call === this.#second ? 'won' : 'lost')
    this.#giveUpOthers(call, STOPPED)
    this.#options.handler.onResponseStart(this, status, headers)
    return true
  }

  /** An attempt failed before its answer began. */
  failed(call: HedgedCall, error: Error): void {
    if (this.#isOtherWaiting(call)) return this.#fell(call, 'failed')
    this.#end('failed', 'failed')
    this.#giveUpOthers(call, STOPPED)
    this.#options.handler.onResponseError(this, error)
  }

  get handler(): CallHandler {
    return this.#options.handler
  }

  #isOtherWaiting(call: HedgedCall): boolean {
    return (call === this.#first ? this.#second : this.#first)?.isWaiting === true
  }

  /** Reports that one attempt fell away while the other one goes on. */
  #fell(call: HedgedCall, result: CallResult): void {
    if (call === this.#first) this.#hedge?.firstEnded(result)
    else this.#end('failed', result)
  }

  #wait(): void {
    const { after, wait = waitForAnswers } = this.#options
    this.#stopWaiting = wait(after, () => {
      this.#stopWaiting = null
      if (this.#first.isWaiting && !this.#options.call.isOver) this.#sendSecond()
    })
  }

  #sendSecond(): void {
    const hedge = this.#options.hedge()
    if (hedge === null) return
    const second = new HedgedCall(this)
    this.#hedge = hedge
    this.#second = second
    try {
      hedge.send(second)
    } catch (error) {
      second.onResponseError(null, error instanceof Error ? error : new Error(String(error)))
    }
  }

  /** Gives up both attempts, except the one whose answer has begun. */
  #stop(reason: Error): void {
    this.#end('given-up')
    this.#giveUpOthers(this.#answering, reason)
  }

  #giveUpOthers(call: HedgedCall | null, reason: Error): void {
    this.#stopWaiting?.()
    this.#stopWaiting = null
    if (call !== this.#first) this.#first.giveUp(reason)
    if (call !== this.#second) this.#second?.giveUp(reason)
  }

  #end(outcome: HedgeOutcome, result: CallResult = 'unknown'): void {
    const hedge = this.#hedge
    this.#hedge = null
    hedge?.ended(outcome, result)
  }
}

type AnswerBegan = readonly [call: HedgedCall, status: number, headers: ReceivedHeaders]

/** One of the two attempts. */
class HedgedCall implements CallHandler {
  readonly #attempt: HedgedAttempt
  /** Null if the attempt has no connection yet. */
  controller: CallController | null = null
  #state: 'waiting' | 'handed-on' | 'dropped' | 'over' = 'waiting'
  /** Bytes of an answer that is dropped. */
  #dropped = 0
  #reason: Error | null = null

  constructor(attempt: HedgedAttempt) {
    this.#attempt = attempt
  }

  /** True if no answer has begun. */
  get isWaiting(): boolean {
    return this.#state === 'waiting'
  }

  /**
   * Gives the attempt up and reports nothing of it from now on. If it waits for a connection, it is given up
   * once it gets one.
   */
  giveUp(reason: Error): void {
    if (this.#state === 'over') return
    this.#state = 'over'
    this.#reason = reason
    this.controller?.abort(reason)
  }

  onRequestStart(controller: CallController): void {
    this.controller = controller
    if (this.#reason === null) this.#attempt.started(this)
    else controller.abort(this.#reason)
  }

  onResponseStart(_controller: CallController, status: number, headers: ReceivedHeaders): void {
    if (this.#state !== 'waiting') return
    // The attempt does not wait any more, whether its answer is handed on or dropped.
    this.#state = 'handed-on'
    if (!this.#attempt.answerBegan(this, status, headers)) this.#state = 'dropped'
  }

  onResponseData(_controller: CallController, chunk: Buffer): void {
    if (this.#state === 'handed-on') this.#attempt.handler.onResponseData(this.#attempt, chunk)
    else this.#drop(chunk)
  }

  onWholeBody(_controller: CallController, bytes: Buffer): void {
    if (this.#state === 'handed-on') handOnBody(this.#attempt.handler, this.#attempt, bytes)
    else this.#drop(bytes)
  }

  onResponseEnd(_controller: CallController, trailers: ReceivedHeaders): void {
    if (this.#leave() === 'handed-on') this.#attempt.handler.onResponseEnd(this.#attempt, trailers)
  }

  onResponseError(_controller: CallController | null, error: Error): void {
    const state = this.#leave()
    if (state === 'handed-on') this.#attempt.handler.onResponseError(this.#attempt, error)
    else if (state === 'waiting') this.#attempt.failed(this, error)
  }

  /**
   * Counts the bytes of a dropped answer. A short one is read to its end, so that its connection can be used
   * again.
   */
  #drop({ length }: Buffer): void {
    this.#dropped += length
    if (this.#dropped > SMALL_ANSWER) this.giveUp(STOPPED)
  }

  /** Marks the attempt as over. Returns the state that it had. */
  #leave() {
    const state = this.#state
    this.#state = 'over'
    return state
  }
}

const TOO_MANY_REQUESTS = 429

/**
 * Returns whether the head of an answer shows one that can be used. Another answer would be an error for
 * clients, and the other attempt may do better.
 */
function isUsable(status: number, { 'content-type': type }: AnswerBegan[2]): boolean {
  if (status >= 300 && status < 400) return false
  return status !== TOO_MANY_REQUESTS && status < 500 && (type === undefined || isJson(String(type)))
}

/**
 * Waits with a timer and then until the loop has read from its sockets. If the event loop was held up,
 * answers may have come in the meantime, and timers run before those are read.
 */
function waitForAnswers(milliseconds: number, then: () => void): () => void {
  let immediate: NodeJS.Immediate | null = null
  const timer = setTimeout(() => (immediate = setImmediate(then)), milliseconds).unref()
  return () => {
    clearTimeout(timer)
    if (immediate !== null) clearImmediate(immediate)
  }
}
