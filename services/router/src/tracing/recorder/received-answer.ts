/** A handler of one call that keeps what was received, and hands all of it on. */
import { isUtf8 } from 'node:buffer'
import type { TraceOutput } from '@switchyard/request-trace'
import type { Dispatcher } from 'undici'
import { readJson, textOf } from '../../subgraph/read-json.ts'
import { RecordedJson } from '../recorded-json.ts'
import { REDACTED } from '../redaction/hidden-span.ts'
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
    if (!('problem' in read)) return read.body
    return isText(bytes) ? bytes.toString('utf8') : REDACTED
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

/** What can be searched for secrets: UTF-16 and compressed data cannot. The last character may be broken off. */
function isText(bytes: Buffer): boolean {
  if (bytes.includes(0)) return false
  return [0, 1, 2, 3].some((missing) => isUtf8(bytes.subarray(0, Math.max(0, bytes.length - missing))))
}
