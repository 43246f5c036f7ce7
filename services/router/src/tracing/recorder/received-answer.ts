/** A handler of one call that keeps what was received, and hands all of it on. */
import type { TraceOutput } from '@switchyard/request-trace'
import type { PartialAnswer } from '../../call/in-flight/call-in-flight.ts'
import { readJson } from '../../call/in-flight/read-json.ts'
import { LARGE_ANSWER } from '../../call/in-flight/read-large-json.ts'
import { RecordedJson } from '../cleaning/recorded-json.ts'
import { headersOf } from './headers.ts'
import type { ReceivedHeaders, CallController } from '../../transport/dispatch/call-pool.ts'
import { ForwardingHandler } from '../../transport/dispatch/forwarding-handler.ts'

export class ReceivedAnswer extends ForwardingHandler {
  readonly #chunks: Buffer[] = []
  #head: Pick<TraceOutput, 'status_code' | 'headers'> | null = null
  #output: TraceOutput | null = null
  #over = false
  #isJson = false

  /** Ends the answer, which was given up, or is complete. `isJson` tells that it is known to be JSON. */
  end(isJson: boolean): void {
    this.#over = true
    this.#isJson = isJson
  }

  /**
   * Takes over the answer to the call of another fetch, as far as it has arrived, as if a handler had been
   * told of it.
   */
  take({ status, headers, chunks }: PartialAnswer): void {
    this.#head = { status_code: status, headers: headersOf(headers) }
    for (const chunk of chunks) this.#chunks.push(chunk)
  }

  /** The HTTP status; null if no answer has begun. */
  get status(): number | null {
    return this.#head?.status_code ?? null
  }

  /** Returns the answer as far as it has arrived; null if none has begun. */
  output(): TraceOutput | null {
    if (this.#head === null || this.#output !== null) return this.#output
    const chunks = [...this.#chunks]
    const output = { body: this.#body(chunks), ...this.#head, body_size: sizeOf(chunks) }
    if (this.#over) {
      this.#output = output
      this.#chunks.length = 0
    }
    return output
  }

  /** Text when it is not JSON. A large one of which that is not known yet is taken for text. */
  #body(chunks: readonly Buffer[]): RecordedJson {
    if (this.#isJson) return RecordedJson.ofBytes(chunks)
    if (sizeOf(chunks) > LARGE_ANSWER) return RecordedJson.ofTextBytes(chunks)
    const isJson = 'body' in readJson(Buffer.concat(chunks), false)
    return isJson ? RecordedJson.ofBytes(chunks) : RecordedJson.ofTextBytes(chunks)
  }

  override onResponseStart(controller: CallController, status: number, headers: ReceivedHeaders): void {
    if (!this.#over) this.#head = { status_code: status, headers: headersOf(headers) }
    super.onResponseStart(controller, status, headers)
  }

  override onResponseData(controller: CallController, chunk: Buffer): void {
    if (!this.#over) this.#chunks.push(chunk)
    super.onResponseData(controller, chunk)
  }
}

function sizeOf(chunks: readonly Buffer[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0)
}
