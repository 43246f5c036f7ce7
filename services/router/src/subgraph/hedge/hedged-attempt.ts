/**
 * An attempt of a call that is made a second time, beside the first, when no answer begins soon. It stands
 * between a pool and the handler of the call, which is told of one of the two as if there were no other: of
 * the first answer that begins and can be used. The other one is given up then.
 *
 * Only calls of queries get one. They change nothing, so a subgraph may carry out the same one twice.
 */
import type { Dispatcher } from 'undici'
import type { HedgeOutcome } from './events.ts'
import { SMALL_ANSWER } from '../answer-intake.ts'
import { type CallInFlight, isJson, STOPPED } from '../call-in-flight.ts'
import type { CallHandler } from '../call-pool.ts'
import type { CallResult } from '../circuit/circuit-breaker.ts'

/** What an attempt tells. */
export type AttemptHandler = Required<
  Pick<
    CallHandler,
    | 'onRequestStart'
    | 'onResponseStart'
    | 'onResponseData'
    | 'onWholeBody'
    | 'onResponseEnd'
    | 'onResponseError'
  >
>

/** The second call of an attempt, which may be made now. */
export interface Hedge {
  /** Makes it. Throws what the pool throws. */
  send(handler: CallHandler): void
  /** The first call came to this, and the hedge is all that is left. Not called after `ended`. */
  firstEnded(result: CallResult): void
  /** Called once. `result`: what it says of where it was made, if the first call did not end before it. */
  ended(outcome: HedgeOutcome, result: CallResult): void
}

export type HedgedAttemptOptions = {
  readonly call: Pick<CallInFlight, 'isOver' | 'whenOver'>
  readonly handler: AttemptHandler
  /** Milliseconds without the beginning of an answer. */
  readonly after: number
  /** From when: the wait for a connection counts, too, where the second call does not wait for the same. */
  readonly since: 'made' | 'sent'
  /** Makes the first call. Throws what the pool throws. */
  readonly send: (handler: CallHandler) => void
  /** null: no second call may be made. */
  readonly hedge: () => Hedge | null
  /** Calls `then` in so many milliseconds. Returns what prevents that. */
  readonly wait?: (milliseconds: number, then: () => void) => () => void
}

export class HedgedAttempt implements Dispatcher.DispatchController {
  readonly #options: HedgedAttemptOptions
  readonly #first = new HedgedCall(this)
  #second: HedgedCall | null = null
  /** null: there is no second call, or what became of it was told. */
  #hedge: Hedge | null = null
  /** Of which the handler is told. */
  #answering: HedgedCall | null = null
  #reason: Error | null = null
  #stopWaiting: (() => void) | null = null

  constructor(options: HedgedAttemptOptions) {
    this.#options = options
  }

  /** Makes the first call. Throws what the pool throws. */
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
    this.#options.handler.onRequestStart(this, null)
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

  /** No answer had begun. */
  failed(call: HedgedCall, error: Error): void {
    if (this.#isOtherWaiting(call)) return this.#fell(call, 'failed')
    this.#end('failed', 'failed')
    this.#giveUpOthers(call, STOPPED)
    this.#options.handler.onResponseError(this, error)
  }

  get handler(): AttemptHandler {
    return this.#options.handler
  }

  #isOtherWaiting(call: HedgedCall): boolean {
    return (call === this.#first ? this.#second : this.#first)?.isWaiting === true
  }

  /** The other call goes on. */
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

  /** Nobody waits for either call, unless it is the one whose answer is complete just now. */
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

type AnswerBegan = readonly [
  call: HedgedCall,
  status: number,
  headers: Record<string, string | string[] | undefined>,
]

/** One of the two calls. */
class HedgedCall implements CallHandler {
  readonly #attempt: HedgedAttempt
  /** null: it has no connection yet. */
  controller: Dispatcher.DispatchController | null = null
  #state: 'waiting' | 'handed-on' | 'dropped' | 'over' = 'waiting'
  /** Bytes of an answer that is dropped. */
  #dropped = 0
  #reason: Error | null = null

  constructor(attempt: HedgedAttempt) {
    this.#attempt = attempt
  }

  /** No answer has begun. */
  get isWaiting(): boolean {
    return this.#state === 'waiting'
  }

  /** Nothing is told of it from now on. One that waits for a connection is given up once it gets one. */
  giveUp(reason: Error): void {
    if (this.#state === 'over') return
    this.#state = 'over'
    this.#reason = reason
    this.controller?.abort(reason)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller
    if (this.#reason === null) this.#attempt.started(this)
    else controller.abort(this.#reason)
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (this.#state !== 'waiting') return
    // It waits for nothing any more, whatever is done about it.
    this.#state = 'handed-on'
    if (!this.#attempt.answerBegan(this, status, headers)) this.#state = 'dropped'
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#state === 'handed-on') this.#attempt.handler.onResponseData(this.#attempt, chunk)
    else this.#drop(chunk)
  }

  onWholeBody(_controller: Dispatcher.DispatchController, bytes: Buffer): void {
    if (this.#state === 'handed-on') this.#attempt.handler.onWholeBody(this.#attempt, bytes)
    else this.#drop(bytes)
  }

  onResponseEnd(
    _controller: Dispatcher.DispatchController,
    trailers: Record<string, string | string[] | undefined>,
  ): void {
    if (this.#leave() === 'handed-on') this.#attempt.handler.onResponseEnd(this.#attempt, trailers)
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    const state = this.#leave()
    if (state === 'handed-on') this.#attempt.handler.onResponseError(this.#attempt, error)
    else if (state === 'waiting') this.#attempt.failed(this, error)
  }

  /** A short answer is read to its end, so that its connection can be used again. */
  #drop({ length }: Buffer): void {
    this.#dropped += length
    if (this.#dropped > SMALL_ANSWER) this.giveUp(STOPPED)
  }

  /** It is over. Returns what it was. */
  #leave() {
    const state = this.#state
    this.#state = 'over'
    return state
  }
}

const TOO_MANY_REQUESTS = 429

/** By its head. What is not would be an error for clients, and the other call may come to more. */
function isUsable(status: number, { 'content-type': type }: AnswerBegan[2]): boolean {
  if (status >= 300 && status < 400) return false
  return status !== TOO_MANY_REQUESTS && status < 500 && (type === undefined || isJson(String(type)))
}

/**
 * When the event loop was held up, answers may have come in the meantime. They are read before a turn ends,
 * and timers are run before that.
 */
function waitForAnswers(milliseconds: number, then: () => void): () => void {
  let immediate: NodeJS.Immediate | null = null
  const timer = setTimeout(() => (immediate = setImmediate(then)), milliseconds).unref()
  return () => {
    clearTimeout(timer)
    if (immediate !== null) clearImmediate(immediate)
  }
}
