/**
 * Writes the parts of a deferred answer to a WebSocket, each as one `next`. No more is made while the client
 * does not read.
 */
import type { PartFlow, PartStream } from '../../request/part-stream.ts'
import type { OperationMessages } from './operation-messages.ts'

/** The operation that is answered in parts. */
type Answered = {
  /** Whether the client wants nothing more of it. */
  readonly isOver: boolean
  /** Called before the first part is sent: no other answer can be given from then on. */
  begin(): void
  /** Called after the last part is sent. */
  end(): void
}

/** The parts of one answer. */
export class PartMessages implements PartStream, Disposable {
  readonly #messages: OperationMessages
  readonly #flow: PartFlow
  readonly #operation: Answered
  #parts = 0
  /** Waits for the client to read; null while it keeps up. */
  #waiting: Disposable | null = null

  constructor(messages: OperationMessages, flow: PartFlow, operation: Answered) {
    this.#messages = messages
    this.#flow = flow
    this.#operation = operation
  }

  get parts(): number {
    return this.#parts
  }

  write(json: string | readonly Uint8Array[], isLast: boolean): void {
    if (this.#operation.isOver || this.#messages.isOver) return
    if (this.#parts++ === 0) this.#operation.begin()
    this.#messages.next(json)
    if (isLast) {
      this.#messages.complete()
      this.#operation.end()
    } else if (!this.#messages.keepsUp) this.#wait()
  }

  /** Waits no more for the client. */
  [Symbol.dispose](): void {
    this.#waiting?.[Symbol.dispose]()
    this.#waiting = null
  }

  #wait(): void {
    if (this.#waiting !== null) return
    this.#flow.pause()
    this.#waiting = this.#messages.onceDrained(() => {
      this.#waiting = null
      this.#flow.resume()
    })
  }
}
