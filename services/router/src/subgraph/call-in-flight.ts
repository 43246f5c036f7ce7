/**
 * One HTTP call of a subgraph, and the fetches that wait for its answer: the one that began it, and those
 * that joined it because they would have sent the same (`fetch-sharing.ts`).
 *
 * It belongs to none of them. A fetch that is given up, or whose time is over, leaves alone; the call is
 * given up when the last one has left. What has arrived is kept once, and counts for one of those who wait
 * until the answer is complete.
 */
import type { SpanContext } from '@opentelemetry/api'
import { GatheredPieces, PIECES } from '@switchyard/service-kit'
import type { Dispatcher } from 'undici'
import { AnswerBody } from './answer-body.ts'
import { type AnswerIntake, type ReceivingCall, SMALL_ANSWER } from './answer-intake.ts'
import type { AnswerTurns, WaitingCall } from './answer-turns.ts'
import type { CallHandler } from './call-pool.ts'
import { AnswerDecoder, type Coding, codingOf, type DecoderSink } from './decoding/answer-decoder.ts'
import { NOT_JSON, utf8Text } from './read-json.ts'
import { type CallOutcome, type Receiver, Receivers } from './receivers.ts'

const TOO_MANY_PIECES = `an answer in more than ${PIECES.any} pieces of less than ${PIECES.bytesEach} bytes on average`

export const STOPPED = new Error('The router gave this call up.')

/** As much of an answer as has arrived. */
export type PartialAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly chunks: readonly Buffer[]
}

/** What a call is made with. */
export type CallInFlightOptions = {
  /** The name of the subgraph, by the fetch that began the call. */
  readonly subgraph: string
  /** The identity of its span, which belongs to the fetch that began it. */
  readonly context: SpanContext
  /** Bytes, after it is decompressed. */
  readonly maxResponseSize: number
  /** In which its answer may be compressed. */
  readonly codings: readonly Coding[]
  readonly intake: AnswerIntake
  readonly turns: AnswerTurns
  /** Called once: nobody can join any more. */
  readonly onOver: () => void
}

/** The handler of one HTTP call. */
export class CallInFlight implements CallHandler, ReceivingCall, WaitingCall, DecoderSink {
  readonly #options: CallInFlightOptions
  readonly #began = performance.now()
  readonly #receivers = new Receivers()
  #controller: Dispatcher.DispatchController | null = null
  #sentAt = Number.POSITIVE_INFINITY
  #chunks: Buffer[] = []
  /** What has arrived, in pieces of a reasonable size: to be decoded, or to be kept. */
  readonly #arrived = new GatheredPieces((bytes) => this.#handOn(bytes))
  /** In place of chunks, of a body that arrived in one piece. */
  #text: string | null = null
  /** Bytes that have arrived. */
  #length = 0
  #status = 0
  #headers: PartialAnswer['headers'] = {}
  /** As its head tells; null: nothing is wrong with it. */
  #problem: string | null = null
  /** null: the answer is not compressed, or has not begun. */
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

  /** How long it has been in flight, in milliseconds. */
  get age(): number {
    return performance.now() - this.#began
  }

  /** A connection was found for it, and it is being sent. */
  get isSent(): boolean {
    return this.#controller !== null
  }

  /** How long ago a connection was found for it, in milliseconds; 0: none was. */
  get sentFor(): number {
    return Math.max(0, performance.now() - this.#sentAt)
  }

  /** It was given up, or its answer is known. */
  get isOver(): boolean {
    return this.#isOver
  }

  get isFull(): boolean {
    return this.#receivers.areFull
  }

  /** Of HTTP; 0: no answer has begun. */
  get status(): number {
    return this.#status
  }

  /** With which it ended; null: it has not, or otherwise. */
  get error(): Error | null {
    return this.#error
  }

  /** Of the answer; empty: none has begun. */
  get headers(): PartialAnswer['headers'] {
    return this.#headers
  }

  /** null: none has begun. */
  get answer(): PartialAnswer | null {
    if (this.#status === 0) return null
    this.#arrived.flush()
    const chunks = this.#text === null ? [...this.#chunks] : [Buffer.from(this.#text)]
    return { status: this.#status, headers: this.#headers, chunks }
  }

  /** Only before the call is over. */
  add(receiver: Receiver): void {
    this.#receivers.add(receiver)
  }

  /** It waits no longer: it was given up, or has read the answer. */
  leave(receiver: Receiver): void {
    if (this.#receivers.leave(receiver, this.#isOver ? null : this.#length)) this.#end()
  }

  /** Calls `then` once it is over, in place of what was told before. */
  whenOver(then: () => void): void {
    this.#whenOver = then
  }

  pause(): void {
    this.#isPaused = true
    this.#decoder?.pause()
    this.#controller?.pause()
  }

  /**
   * Later: undici reads nothing of a connection from within what it calls while it reads another one, and
   * asserts that.
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

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    this.#sentAt = performance.now()
    if (this.#isOver) controller.abort(STOPPED)
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
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

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
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

  /** Becomes text at once, so that its bytes are not copied. The text stands for the same bytes. */
  onWholeBody(controller: Dispatcher.DispatchController, bytes: Buffer): void {
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
    const body = new AnswerBody(
      { chunks: this.#chunks, text: this.#text, length: this.#length },
      this.#problem,
    )
    this.#finish({ kind: 'answer', status: this.#status, body })
  }

  /** What was sent is not what its head says. */
  failed(problem: string): void {
    if (this.#isOver) return
    const body = new AnswerBody({ chunks: [], text: null, length: 0 }, problem)
    this.#finish({ kind: 'answer', status: this.#status, body })
    this.#controller?.abort(STOPPED)
  }

  drained(): void {
    if (!this.#isPaused) this.resume()
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    if (!this.#isOver) this.#error = error
    this.#finish({ kind: 'error', status: this.#status, error })
  }

  /** Could not be made at all. Nobody is told. */
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
    // That may have ended the request, and with it the call.
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

  /** The last one has left. */
  #end(): void {
    if (this.#close()) this.#controller?.abort(STOPPED)
    this.#options.intake.ended(this)
    this.#chunks = []
    this.#text = null
  }

  /** false: it was over before. */
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
