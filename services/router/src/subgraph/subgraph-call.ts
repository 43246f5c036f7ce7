/**
 * One HTTP call to a subgraph: collects the answer, keeps the size limit, and settles exactly once, by answer, failure,
 * deadline or cancellation. Messages never name an address: clients may read them.
 */
import type { SubgraphReply } from '@switchyard/engine'
import type { Dispatcher } from 'undici'
import { messageOf, type SubgraphErrorCode } from '../errors.ts'
import { AddressNotAllowedError } from './address-guard.ts'
import { readJson } from './read-json.ts'

const STOPPED = new Error('The router gave this call up.')
const NEVER_SENT = new Error(
  'never sent: every connection was busy, or none could be made (subgraphs.max_connections)',
)

export type CallOptions = {
  readonly subgraph: string
  /** Read numbers that a double cannot hold as `ExactNumber`. */
  readonly exactNumbers: boolean
  readonly maxResponseSize: number
  readonly timeout: number
  /** `detail` is for logs, never for clients. */
  readonly settle: (reply: SubgraphReply, detail: string | null) => void
}

export class SubgraphCall implements Dispatcher.DispatchHandler {
  readonly #options: CallOptions
  readonly #chunks: Buffer[] = []
  #controller: Dispatcher.DispatchController | null = null
  #status = 0
  #length = 0
  #unreadable: string | null = null
  #settled = false

  constructor(options: CallOptions) {
    this.#options = options
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
    if (type !== undefined && !isJson(String(type))) this.#unreadable = 'an answer that is not JSON'
    const { maxResponseSize } = this.#options
    if (Number(headers['content-length'] ?? 0) > maxResponseSize) this.#tooLarge()
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#length += chunk.length
    if (this.#length > this.#options.maxResponseSize) return this.#tooLarge()
    if (this.#unreadable === null) this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    if (this.#settled) return
    const answer = this.#unreadable === null ? this.#read() : { problem: this.#unreadable }
    if ('problem' in answer) {
      const redirect = this.#status >= 300 && this.#status < 400 ? '; redirects are not followed' : ''
      return this.#fail(
        this.#status >= 400 ? 'SUBGRAPH_HTTP_ERROR' : 'SUBGRAPH_INVALID_RESPONSE',
        `Subgraph "${this.#options.subgraph}" sent ${answer.problem} (HTTP status ${this.#status})${redirect}.`,
      )
    }
    this.#settle({ kind: 'answer', status: this.#status, body: answer.body }, null)
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    const { subgraph } = this.#options
    if (error instanceof AddressNotAllowedError) {
      this.#fail(error.code, `Subgraph "${subgraph}" is at an address that is not allowed.`, error)
    } else if (this.#status !== 0) {
      this.#fail('SUBGRAPH_INVALID_RESPONSE', `Subgraph "${subgraph}" broke its answer off.`, error)
    } else this.#fail('SUBGRAPH_UNREACHABLE', `Subgraph "${subgraph}" could not be reached.`, error)
  }

  #read() {
    if (this.#length === 0) return { problem: 'an empty answer' }
    const [only] = this.#chunks
    const bytes =
      this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks, this.#length)
    return readJson(bytes, this.#options.exactNumbers)
  }

  #tooLarge(): void {
    const { subgraph, maxResponseSize } = this.#options
    this.#fail(
      'SUBGRAPH_RESPONSE_TOO_LARGE',
      `Subgraph "${subgraph}" sent more than the ${maxResponseSize} bytes allowed.`,
    )
  }

  #fail(code: SubgraphErrorCode, message: string, cause?: Error): void {
    if (this.#settled) return
    this.#settle({ kind: 'failure', code, message }, cause === undefined ? null : messageOf(cause))
    this.#controller?.abort(STOPPED)
  }

  #settle(reply: SubgraphReply, detail: string | null): void {
    if (this.#settled) return
    this.#settled = true
    this.#options.settle(reply, detail)
    this.#chunks.length = 0
  }
}

function isJson(contentType: string): boolean {
  return /^application\/(?:[!#$&^_.+\w-]+\+)?json\s*(?:;|$)/i.test(contentType)
}
