/**
 * One HTTP call to a subgraph: collects the answer, keeps the size limit, and settles exactly once, by
 * answer, failure, deadline or cancellation. Messages never name an address: clients may read them.
 */
import { type ExecutionWork, ExecutionLimitError, type SubgraphReply } from '@switchyard/engine'
import type { Dispatcher } from 'undici'
import { messageOf, type SubgraphErrorCode } from '../errors/http-error.ts'
import { AddressNotAllowedError } from '../addresses/address-guard.ts'
import { type AnswerIntake, type ReceivingCall, SMALL_ANSWER } from './answer-intake.ts'
import { type ReadJson, NOT_JSON, readJson } from './read-json.ts'
import { LARGE_ANSWER, readLargeJson } from './read-large-json.ts'

const STOPPED = new Error('The router gave this call up.')
const NEVER_SENT = new Error(
  'never sent: every connection was busy, or none could be made (subgraphs.max_connections)',
)

/** What one call is made with. */
export type CallOptions = {
  readonly subgraph: string
  /** Read numbers that a double cannot hold as `ExactNumber`. */
  readonly exactNumbers: boolean
  readonly maxResponseSize: number
  readonly timeout: number
  /** What reading the answer is part of. */
  readonly work: ExecutionWork
  readonly intake: AnswerIntake
  /** Told how many bytes more, or less, the request holds. */
  readonly size: { received(bytes: number): void }
  /** `detail` is for logs, never for clients. */
  readonly settle: (reply: SubgraphReply, detail: string | null) => void
}

/** One call in progress. */
export class SubgraphCall implements Dispatcher.DispatchHandler, ReceivingCall {
  readonly #options: CallOptions
  readonly #chunks: Buffer[] = []
  #controller: Dispatcher.DispatchController | null = null
  #status = 0
  #length = 0
  /** Bytes in `chunks`, and in what was read of them. */
  #held = 0
  #unreadable: string | null = null
  #received = false
  #settled = false

  constructor(options: CallOptions) {
    this.#options = options
  }

  get subgraph(): string {
    return this.#options.subgraph
  }

  pause(): void {
    this.#controller?.pause()
  }

  /**
   * Later: undici reads nothing of a connection from within what it calls while it reads another one, and
   * asserts that.
   */
  resume(): void {
    setImmediate(() => {
      if (!this.#settled) this.#controller?.resume()
    })
  }

  get settled(): boolean {
    return this.#settled
  }

  expire(): void {
    const { subgraph, timeout } = this.#options
    this.#fail(
      'SUBGRAPH_TIMEOUT',
      `Subgraph "${subgraph}" did not answer within ${timeout} ms.`,
      this.#controller === null ? NEVER_SENT : undefined,
    )
  }

  cancel(): void {
    this.#fail('SUBGRAPH_CANCELLED', `The call to subgraph "${this.#options.subgraph}" was cancelled.`)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#settled) controller.abort(STOPPED)
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.#status = status
    const type = headers['content-type']
    if (type !== undefined && !isJson(String(type))) this.#unreadable = NOT_JSON
    const { maxResponseSize } = this.#options
    if (Number(headers['content-length'] ?? 0) > maxResponseSize) this.#tooLarge()
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#length += chunk.length
    if (this.#length > this.#options.maxResponseSize) return this.#tooLarge()
    if (this.#unreadable !== null) return
    this.#chunks.push(chunk)
    this.#held += chunk.length
    this.#options.size.received(chunk.length)
    // That may have ended the request.
    if (!this.#settled && this.#held > SMALL_ANSWER) this.#options.intake.received(this, this.#held)
  }

  onResponseEnd(): void {
    this.#received = true
    if (this.#settled) return
    if (this.#unreadable !== null) return this.#take({ problem: this.#unreadable })
    if (this.#length > LARGE_ANSWER) void this.#readInTurns()
    else this.#take(this.#read())
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    const { subgraph } = this.#options
    if (error instanceof AddressNotAllowedError) {
      this.#fail(error.code, `Subgraph "${subgraph}" is at an address that is not allowed.`, error)
    } else if (this.#status !== 0) {
      this.#fail('SUBGRAPH_INVALID_RESPONSE', `Subgraph "${subgraph}" broke its answer off.`, error)
    } else this.#fail('SUBGRAPH_UNREACHABLE', `Subgraph "${subgraph}" could not be reached.`, error)
  }

  #take(answer: ReadJson): void {
    if ('problem' in answer) {
      const redirect = this.#status >= 300 && this.#status < 400 ? '; redirects are not followed' : ''
      return this.#fail(
        this.#status >= 400 ? 'SUBGRAPH_HTTP_ERROR' : 'SUBGRAPH_INVALID_RESPONSE',
        `Subgraph "${this.#options.subgraph}" sent ${answer.problem} (HTTP status ${this.#status})${redirect}.`,
      )
    }
    this.#settle({ kind: 'answer', status: this.#status, body: answer.body }, null)
  }

  #read(): ReadJson {
    if (this.#length === 0) return { problem: 'an empty answer' }
    const [only] = this.#chunks
    const bytes =
      this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks, this.#length)
    return readJson(bytes, this.#options.exactNumbers)
  }

  /** The deadline still counts, and nothing goes on once the call is given up. */
  async #readInTurns(): Promise<void> {
    const { subgraph, exactNumbers, work } = this.#options
    const next = async () => {
      await work.turns.next()
      if (this.#settled) throw STOPPED
    }
    try {
      this.#take(await readLargeJson(this.#chunks.splice(0), exactNumbers, { next }, work.budget))
    } catch (error) {
      if (this.#settled) return
      const isTooMuch = error instanceof ExecutionLimitError
      this.#fail(
        isTooMuch ? 'SUBGRAPH_RESPONSE_TOO_LARGE' : 'SUBGRAPH_INVALID_RESPONSE',
        isTooMuch
          ? `Subgraph "${subgraph}" sent more values than one request may hold (limits.max_execution_steps).`
          : `The answer of subgraph "${subgraph}" could not be read.`,
        error,
      )
    }
  }

  #tooLarge(): void {
    const { subgraph, maxResponseSize } = this.#options
    this.#fail(
      'SUBGRAPH_RESPONSE_TOO_LARGE',
      `Subgraph "${subgraph}" sent more than the ${maxResponseSize} bytes allowed.`,
    )
  }

  #fail(code: SubgraphErrorCode, message: string, cause?: unknown): void {
    if (this.#settled) return
    this.#settle({ kind: 'failure', code, message }, cause === undefined ? null : messageOf(cause))
    // What has arrived as a whole has left its connection to others.
    if (!this.#received) this.#controller?.abort(STOPPED)
  }

  #settle(reply: SubgraphReply, detail: string | null): void {
    if (this.#settled) return
    this.#settled = true
    this.#chunks.length = 0
    this.#options.intake.ended(this)
    if (reply.kind === 'failure') this.#options.size.received(-this.#held)
    this.#options.settle(reply, detail)
  }
}

function isJson(contentType: string): boolean {
  return /^application\/(?:[!#$&^_.+\w-]+\+)?json\s*(?:;|$)/i.test(contentType)
}
