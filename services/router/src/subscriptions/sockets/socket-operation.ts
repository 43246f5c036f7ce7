/** One operation of a WebSocket, from `subscribe` until its last message. */
import { type AnswerReceiver, CollectedResponse } from '../../request/collected-response.ts'
import type { EventSink } from '../../request/event-sink.ts'
import type { PartFlow, PartStream } from '../../request/part-stream.ts'
import { OperationMessages } from './operation-messages.ts'
import type { Outlet } from './outlet.ts'
import { PartMessages } from './part-messages.ts'
import { type SocketClient, SocketRequest } from './socket-request.ts'

/** Bytes of an answer within which it is looked at whether it is a refusal, whatever its status. */
const SMALL = 64 * 1024
const ERRORS_FIRST = Buffer.from('{"errors":')

/** The message by which a client asks for the operation. */
type Subscribed = { readonly id: string; readonly payload: string }

/** Hears of the operations of a WebSocket. */
export type OperationOwner = {
  /** Nothing more follows. `code` is the one of the error if the operation was refused. */
  operationOver(operation: SocketOperation, code: string | null): void
  /** The operation turns out to be a subscription. */
  subscriptionBegun(operation: SocketOperation): void
}

/**
 * An operation in progress. There may be very many that are subscriptions, so that it has few parts of its
 * own.
 */
export class SocketOperation implements AnswerReceiver {
  readonly id: string
  readonly request: SocketRequest
  readonly response: CollectedResponse
  readonly #owner: OperationOwner
  readonly #messages: OperationMessages
  #sink: OperationSink | null = null
  /** Null unless it is answered in parts. */
  #parts: PartMessages | null = null
  #isSilent = false

  constructor({ id, payload }: Subscribed, client: SocketClient, outlet: Outlet, owner: OperationOwner) {
    this.id = id
    this.#owner = owner
    this.#messages = new OperationMessages(id, outlet)
    this.request = new SocketRequest(client, payload, this)
    this.response = new CollectedResponse(this)
  }

  /** Whether it is answered event by event. */
  get isSubscription(): boolean {
    return this.#sink !== null
  }

  /** Ends it without any further message. */
  cancel(): void {
    this.#isSilent = true
    this.response.destroy()
  }

  /** Ends a subscription without any message, as one that the client will ask for again elsewhere. */
  leave(): void {
    this.#sink?.leave()
  }

  /** Whether the client wants nothing more of it, or has all of its answer. */
  get isOver(): boolean {
    return this.#isSilent || this.response.isAnswered
  }

  openSink(): EventSink {
    if (this.#sink !== null) return this.#sink
    this.#sink = new OperationSink(this.#messages, this)
    this.#owner.subscriptionBegun(this)
    return this.#sink
  }

  openParts(flow: PartFlow): PartStream {
    this.#parts = new PartMessages(this.#messages, flow, this)
    return this.#parts
  }

  /** Begins an answer by other messages than that of the response. A refusal is not written any more. */
  begin(): void {
    this.response.writeHead(200)
  }

  /** Ends such an answer. */
  end(): void {
    this.response.end()
  }

  /** Bytes that wait for the rest of their answer do not count. */
  bytesKept(): void {}

  answered(): void {
    const { pieces, isAnswered, statusCode } = this.response
    this.#parts?.[Symbol.dispose]()
    const isInParts = this.#parts !== null && this.#parts.parts > 0
    // A response that was dropped by the router itself has nothing to say.
    if (this.#isSilent || this.isSubscription || isInParts || !isAnswered)
      return this.#owner.operationOver(this, null)
    const refusal = refusalIn(pieces, statusCode)
    if (refusal === null) {
      this.#messages.next(pieces)
      this.#messages.complete()
    } else this.#messages.error(JSON.stringify(refusal.errors))
    this.#owner.operationOver(this, refusal?.code ?? null)
  }
}

/** Sends the events of a subscription as messages of its WebSocket. */
class OperationSink implements EventSink {
  readonly #messages: OperationMessages
  readonly #operation: Pick<SocketOperation, 'isOver' | 'end'>

  constructor(messages: OperationMessages, operation: Pick<SocketOperation, 'isOver' | 'end'>) {
    this.#messages = messages
    this.#operation = operation
  }

  get isOver(): boolean {
    return this.#operation.isOver || this.#messages.isOver
  }

  next(json: string | readonly Uint8Array[]): boolean {
    if (this.isOver) return true
    this.#messages.next(json)
    return this.#messages.keepsUp
  }

  onceDrained(listener: () => void): void {
    this.#messages.onceDrained(listener)
  }

  complete(): void {
    if (this.isOver) return
    this.#messages.complete()
    this.#operation.end()
  }

  fail(errorsJson: string): void {
    if (this.isOver) return
    this.#messages.error(errorsJson)
    this.#operation.end()
  }

  leave(): void {
    if (!this.isOver) this.#operation.end()
  }
}

type RefusedWith = { readonly errors: readonly unknown[]; readonly code: string | null }

/**
 * Returns the errors of an answer to an operation that was never executed, whose answer has no `data`. Null
 * for a result.
 */
function refusalIn(pieces: readonly Uint8Array[], status: number): RefusedWith | null {
  const bytes = pieces.reduce((sum, { length }) => sum + length, 0)
  if (status < 400 && bytes > SMALL) return null
  const body = Buffer.concat(pieces, bytes)
  if (!body.subarray(0, ERRORS_FIRST.length).equals(ERRORS_FIRST)) return null
  const answer: unknown = JSON.parse(body.toString())
  if (typeof answer !== 'object' || answer === null || 'data' in answer || !('errors' in answer)) return null
  const { errors } = answer
  if (!Array.isArray(errors)) return null
  return { errors, code: codeOf(errors[0]) }
}

function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('extensions' in error)) return null
  const { extensions } = error
  if (typeof extensions !== 'object' || extensions === null || !('code' in extensions)) return null
  return typeof extensions.code === 'string' ? extensions.code : null
}
