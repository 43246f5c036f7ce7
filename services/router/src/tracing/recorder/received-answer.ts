/** A handler of one call that keeps what was received, and hands all of it on. */
import type { TraceOutput } from '@switchyard/request-trace'
import type { Dispatcher } from 'undici'
import { readJson, textOf } from '../../subgraph/read-json.ts'
import { RecordedJson } from '../recorded-json.ts'
import { headersOf } from './headers.ts'

export class ReceivedAnswer implements Dispatcher.DispatchHandler {
  readonly #handler: Dispatcher.DispatchHandler
  readonly #chunks: Buffer[] = []
  #head: Pick<TraceOutput, 'status_code' | 'headers'> | null = null
  #output: TraceOutput | null = null
  #over = false
  #isJson = false

  constructor(handler: Dispatcher.DispatchHandler) {
    this.#handler = handler
  }

  /** Nothing that comes from now on belongs to the answer: it was given up, or is complete. `isJson`: that is known. */
  end(isJson: boolean): void {
    this.#over = true
    this.#isJson = isJson
  }

  /** null: none has begun. */
  output(): TraceOutput | null {
    if (this.#head === null || this.#output !== null) return this.#output
    const [only] = this.#chunks
    const bytes = only !== undefined && this.#chunks.length === 1 ? only : Buffer.concat(this.#chunks)
    const output = { body: this.#body(bytes), ...this.#head, body_size: bytes.length }
    if (this.#over) {
      this.#output = output
      this.#chunks.length = 0
    }
    return output
  }

  /** Text when it is not JSON. */
  #body(bytes: Buffer): unknown {
    if (this.#isJson) return RecordedJson.ofText(textOf(bytes))
    const read = readJson(bytes, true)
    return 'problem' in read ? bytes.toString('utf8') : read.body
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
