/**
 * One HTTP call of a subgraph, and the fetches that wait for its answer: the one that began it, and those
 * that joined it because they would have sent the same (`fetch-sharing.ts`).
 *
 * The call belongs to none of them. A fetch that is given up or times out leaves alone; the call is given up
 * when the last fetch has left. The bytes that have arrived are kept once, and until the answer is complete
 * they count against one of the waiting fetches.
 */
import type { SpanContext } from '@opentelemetry/api'
import { GatheredPieces, PIECES } from '@switchyard/service-kit'
import { SubgraphBody } from './answer-body.ts'
import { type AnswerIntake, type ReceivingCall, SMALL_ANSWER } from './answer-intake.ts'
import type { AnswerTurns, WaitingCall } from './answer-turns.ts'
import type { CallController, CallHandler } from '../../transport/dispatch/call-pool.ts'
import type { ContentCoding } from '../../settings/content-codings.ts'
import { AnswerDecoder, codingOf, type DecoderSink } from '../decoding/answer-decoder.ts'
import { NOT_JSON, utf8Text } from './read-json.ts'
import { type CallOutcome, type Receiver, Receivers } from './receivers.ts'

const TOO_MANY_PIECES = `an answer in more than ${PIECES.any} pieces of less than ${PIECES.bytesEach} bytes on average`

export const STOPPED = new Error('The router gave this call up.')

/** The part of an answer that has arrived. */
export type PartialAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly chunks: readonly Buffer[]
}

/** The options of one call. */
export type CallInFlightOptions = {
  /** The name of the subgraph that the fetch which began the call uses. */
  readonly subgraph: string
  /** The identity of the call's span, which belongs to the fetch that began the call. */
  readonly context: SpanContext
  /** The limit for the answer in bytes, after it is decompressed. */
  readonly maxResponseSize: number
  /** The codings in which the answer may be compressed. */
  readonly codings: readonly ContentCoding[]
  readonly intake: AnswerIntake
  readonly turns: AnswerTurns
  /** Called once, when the call is over and nobody can join it any more. */
  readonly onOver: () => void
}

/** The handler of one HTTP call. */
export class CallInFlight implements CallHandler, ReceivingCall, WaitingCall, DecoderSink {
  readonly #options: CallInFlightOptions
  readonly #began = performance.now()
  readonly #receivers = new Receivers()
  #controller: CallController | null = null
  #sentAt = Number.POSITIVE_INFINITY
  #chunks: Buffer[] = []
  /** Gathers arrived bytes into pieces of a reasonable size, which are then decoded or kept. */
  readonly #arrived = new GatheredPieces((bytes) => this.#handOn(bytes))
  /** The body, if it arrived in one piece; then there are no chunks. Otherwise null. */
  #text: string | null = null
  /** Bytes of the body that have arrived; of a compressed one, those that were decoded. */
  #length = 0
  #status = 0
  #headers: PartialAnswer['headers'] = {}
  /** The reason why the body cannot be read, as its headers tell. Null if they show no problem. */
  #problem: string | null = null
  /** Decompresses the answer. Null if the answer is not compressed, or has not begun. */
  #decoder: AnswerDecoder | null = null
  #error: Error | null = null
  #isPaused = false
  #waitsForTurn = false
  #isOver = false
  #whenOver: (() => void) | null = null

  constructor(options: CallInFlightOptions) {
    this.#options = options
  }

  get subgraph(): string {
    return this.#options.subgraph
  }

  get context(): SpanContext {
    return this.#options.context
  }

  /** Milliseconds since the call began. */
  get age(): number {
    return performance.now() - this.#began
  }

  /** True if a connection was found for the call, so that it is being sent. */
  get isSent(): boolean {
    return this.#controller !== null
  }

  /** Milliseconds since a connection was found for the call, or 0 if none was. */
  get sentFor(): number {
    return Math.max(0, performance.now() - this.#sentAt)
  }

  /** True if the call was given up, or its answer or error is known. */
  get isOver(): boolean {
    return this.#isOver
  }

  get isFull(): boolean {
    return this.#receivers.areFull
  }

  /** The HTTP status of the answer, or 0 if no answer has begun. */
  get status(): number {
    return this.#status
  }

  /** The error with which the call ended. Null if it has not ended, or has ended without one. */
  get error(): Error | null {
    return this.#error
  }

  /** The headers of the answer. Empty if no answer has begun. */
  get headers(): PartialAnswer['headers'] {
    return this.#headers
  }

  /** The answer as far as it has arrived. Null if none has begun. */
  get answer(): PartialAnswer | null {
    if (this.#status === 0) return null
    this.#arrived.flush()
    const chunks = this.#text === null ? [...this.#chunks] : [Buffer.from(this.#text)]
    return { status: this.#status, headers: this.#headers, chunks }
  }

  /** Lets a fetch wait for the answer. May only be called before the call is over. */
  add(receiver: Receiver): void {
    this.#receivers.add(receiver)
  }

  /** Removes a fetch that was given up, or that has read the answer. */
  leave(receiver: Receiver): void {
    if (this.#receivers.leave(receiver, this.#isOver ? null : this.#length)) this.#end()
  }

  /** Calls `then` once the call is over. A function that was set before is forgotten. */
  whenOver(then: () => void): void {
    this.#whenOver = then
  }

  pause(): void {
    this.#isPaused = true
    this.#decoder?.pause()
    this.#controller?.pause()
  }

  /**
   * Reads on after this turn of the event loop: the caller may be in the middle of what it has read before.
   */
  resume(): void {
    this.#isPaused = false
    setImmediate(() => this.#readOn())
  }

  waitForTurn(): void {
    this.#waitsForTurn = true
    this.#controller?.pause()
  }

  goOn(): void {
    this.#waitsForTurn = false
    this.#readOn()
  }

  #readOn(): void {
    if (this.#isOver || this.#isPaused) return
    this.#decoder?.resume()
    if (this.#decoder?.isFull !== true && !this.#waitsForTurn) this.#controller?.resume()
  }

  onRequestStart(controller: CallController): void {
    this.#controller = controller
    this.#sentAt = performance.now()
    if (this.#isOver) controller.abort(STOPPED)
  }

  onResponseStart(
    _controller: CallController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.#status = status
    this.#headers = headers
    const type = headers['content-type']
    if (type !== undefined && !isJson(String(type))) this.#problem = NOT_JSON
    const encoding = headers['content-encoding']
    if (encoding !== undefined) this.#decode(encoding)
    if (Number(headers['content-length'] ?? 0) > this.#options.maxResponseSize) this.#refuse()
  }

  onResponseData(_controller: CallController, chunk: Buffer): void {
    if (this.#isOver) return
    const isPlain = this.#decoder === null
    if (isPlain && !this.#mayTake(chunk.length)) return
    this.#arrived.add(chunk)
    if (isPlain) this.#took(chunk.length)
    if (this.#arrived.areTooMany) this.failed(TOO_MANY_PIECES)
    else this.#options.turns.taken(this)
  }

  decoded(chunk: Buffer): void {
    if (!this.#mayTake(chunk.length)) return
    this.#chunks.push(chunk)
    this.#took(chunk.length)
  }

  /**
   * Turns the body into text at once, so that its bytes need not be copied. Does so only if the text stands
   * for exactly these bytes.
   */
  onWholeBody(controller: CallController, bytes: Buffer): void {
    const text = this.#decoder === null ? utf8Text(bytes) : null
    if (text === null) return this.onResponseData(controller, Buffer.from(bytes))
    if (!this.#mayTake(bytes.length)) return
    this.#text = text
    this.#took(bytes.length)
  }

  onResponseEnd(): void {
    this.#arrived.flush()
    if (this.#decoder === null) this.ended()
    else if (!this.#isOver) this.#decoder.end()
  }

  ended(): void {
    const body = new SubgraphBody(
      { chunks: this.#chunks, text: this.#text, length: this.#length },
      this.#problem,
    )
    this.#finish({ kind: 'answer', status: this.#status, body })
  }

  /** Ends the call because the body cannot be decoded, or comes in too many pieces. `problem` says why. */
  failed(problem: string): void {
    if (this.#isOver) return
    const body = new SubgraphBody({ chunks: [], text: null, length: 0 }, problem)
    this.#finish({ kind: 'answer', status: this.#status, body })
    this.#controller?.abort(STOPPED)
  }

  drained(): void {
    if (!this.#isPaused) this.resume()
  }

  onResponseError(_controller: CallController | null, error: Error): void {
    if (!this.#isOver) this.#error = error
    this.#finish({ kind: 'error', status: this.#status, error })
  }

  /** Closes a call that could not be made at all. No fetch is told. */
  abandon(): void {
    this.#close()
  }

  #decode(encoding: string | readonly string[]): void {
    const coding = codingOf(encoding, this.#options.codings)
    if (coding === null) return
    if (typeof coding === 'object') this.#problem = coding.problem
    else this.#decoder = new AnswerDecoder(coding, this)
  }

  #handOn(bytes: Buffer): void {
    if (this.#decoder === null) this.#chunks.push(bytes)
    else if (!this.#isOver && !this.#decoder.write(bytes)) this.#controller?.pause()
  }

  #mayTake(bytes: number): boolean {
    if (this.#isOver) return false
    if (this.#length + bytes <= this.#options.maxResponseSize) return true
    this.#refuse()
    return false
  }

  #took(bytes: number): void {
    this.#length += bytes
    this.#receivers.hold(bytes)
    // Holding the bytes may have ended the request, and with it the call.
    if (!this.#hasEnded() && this.#length > SMALL_ANSWER) this.#options.intake.received(this, this.#length)
  }

  #hasEnded(): boolean {
    return this.#isOver
  }

  #refuse(): void {
    this.#finish({ kind: 'too-large' })
    this.#controller?.abort(STOPPED)
  }

  #finish(outcome: CallOutcome): void {
    if (this.#close()) this.#receivers.over(outcome, this.#length)
  }

  /** Gives the call up, because the last fetch has left. */
  #end(): void {
    if (this.#close()) this.#controller?.abort(STOPPED)
    this.#options.intake.ended(this)
    this.#chunks = []
    this.#text = null
  }

  /** Marks the call as over. Returns false if it was over before. */
  #close(): boolean {
    if (this.#isOver) return false
    this.#isOver = true
    this.#decoder?.destroy()
    this.#options.onOver()
    this.#whenOver?.()
    return true
  }
}

export function isJson(contentType: string): boolean {
  return /^application\/(?:[!#$&^_.+\w-]+\+)?json\s*(?:;|$)/i.test(contentType)
}
