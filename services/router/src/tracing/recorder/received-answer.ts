/** A handler of one call that keeps what was received, and hands all of it on. */
import type { TraceOutput } from '@switchyard/request-trace'
import type { Dispatcher } from 'undici'
import { readJson } from '../../subgraph/read-json.ts'
import { headersOf } from './headers.ts'

export class ReceivedAnswer implements Dispatcher.DispatchHandler {
  readonly #handler: Dispatcher.DispatchHandler
  readonly #chunks: Buffer[] = []
  #head: Pick<TraceOutput, 'status_code' | 'headers'> | null = null
  #output: TraceOutput | null = null
  #over = false

  constructor(handler: Dispatcher.DispatchHandler) {
    this.#handler = handler
  }

  /** Nothing that comes from now on belongs to the answer: it was given up, or is complete. */
  end(): void {
    this.#over = true
  }

  /** null: none has begun. */
  output(): TraceOutput | null {
    if (this.#head === null || this.#output !== null) return this.#output
    const bytes = Buffer.concat(this.#chunks)
    const read = readJson(bytes, true)
    const body = 'problem' in read ? bytes.toString('utf8') : read.body
    const output = { body, ...this.#head, body_size: bytes.length }
    if (this.#over) {
      this.#output = output
      this.#chunks.length = 0
    }
    return output
  }

  onRequestStart(controller: Dispatcher.DispatchController, context: unknown): void {
    this.#handler.onRequestStart?.(controller, context)
  }

  onBodySent(chunk: Buffer): void {
    this.#handler.onBodySent?.(chunk)
  }

  onRequestSent(): void {
    this.#handler.onRequestSent?.()
  }

  onResponseStarted(): void {
    this.#handler.onResponseStarted?.()
  }

  onResponseStart(
    ...[controller, status, headers, message]: Parameters<
      Required<Dispatcher.DispatchHandler>['onResponseStart']
    >
  ): void {
    if (!this.#over) this.#head = { status_code: status, headers: headersOf(headers) }
    this.#handler.onResponseStart?.(controller, status, headers, message)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#over) this.#chunks.push(chunk)
    this.#handler.onResponseData?.(controller, chunk)
  }

  onResponseEnd(
    ...[controller, trailers]: Parameters<Required<Dispatcher.DispatchHandler>['onResponseEnd']>
  ): void {
    this.#handler.onResponseEnd?.(controller, trailers)
  }

  onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    this.#handler.onResponseError?.(controller, error)
  }
}
