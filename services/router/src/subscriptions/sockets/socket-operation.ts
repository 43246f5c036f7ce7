/** One operation of a WebSocket, from `subscribe` until its last message. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { CollectedResponse } from '../../request/collected-response.ts'
import type { EventSink } from '../../request/event-sink.ts'
import type { Outlet } from './outlet.ts'
import { SocketRequest } from './socket-request.ts'

/** Bytes of an answer within which it is looked at whether it is a refusal, whatever its status. */
const SMALL = 64 * 1024
const ERRORS_FIRST = Buffer.from('{"errors":')

/** The message by which a client asks for the operation. */
type Subscribed = { readonly id: string; readonly payload: string }

type Options = {
  readonly handshake: IncomingMessage
  readonly headers: IncomingHttpHeaders
  readonly outlet: Outlet
  /** Called when nothing more follows. `code` is the one of the error if the operation was refused. */
  readonly onOver: (operation: SocketOperation, code: string | null) => void
  /** Called when the operation turns out to be a subscription. */
  readonly onSubscription: (operation: SocketOperation) => void
}

/** An operation in progress. */
export class SocketOperation {
  readonly id: string
  readonly request: SocketRequest
  readonly response: CollectedResponse
  readonly #options: Options
  #sink: OperationSink | null = null
  #isSilent = false

  constructor({ id, payload }: Subscribed, options: Options) {
    this.id = id
    this.#options = options
    this.request = new SocketRequest(options.handshake, options.headers, payload, () => this.#openSink())
    this.response = new CollectedResponse({
      onBytes: () => {},
      onAnswered: () => this.#answered(),
    })
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

  #openSink(): EventSink {
    if (this.#sink !== null) return this.#sink
    const { id, response } = this
    const isOver = (): boolean => this.#isSilent || response.isAnswered
    this.#sink = new OperationSink(id, this.#options.outlet, { isOver, end: () => void response.end() })
    this.#options.onSubscription(this)
    return this.#sink
  }

  #answered(): void {
    const { outlet, onOver } = this.#options
    const { pieces, isAnswered, statusCode } = this.response
    if (this.#isSilent || this.isSubscription) return onOver(this, null)
    // A response that was dropped by the router itself has nothing to say.
    if (!isAnswered) return onOver(this, null)
    const refusal = refusalIn(pieces, statusCode)
    const id = JSON.stringify(this.id)
    if (refusal === null) {
      outlet.pieces(`{"id":${id},"type":"next","payload":`, pieces, '}')
      outlet.text(`{"id":${id},"type":"complete"}`)
    } else outlet.text(`{"id":${id},"type":"error","payload":${JSON.stringify(refusal.errors)}}`)
    onOver(this, refusal?.code ?? null)
  }
}

/** Sends the events of a subscription as messages of its WebSocket. */
class OperationSink implements EventSink {
  readonly #id: string
  readonly #outlet: Outlet
  readonly #operation: { readonly isOver: () => boolean; readonly end: () => void }

  constructor(
    id: string,
    outlet: Outlet,
    operation: { readonly isOver: () => boolean; readonly end: () => void },
  ) {
    this.#id = JSON.stringify(id)
    this.#outlet = outlet
    this.#operation = operation
  }

  get isOver(): boolean {
    return this.#operation.isOver() || this.#outlet.isOver
  }

  next(json: string | readonly Uint8Array[]): boolean {
    if (this.isOver) return true
    const before = `{"id":${this.#id},"type":"next","payload":`
    if (typeof json === 'string') this.#outlet.text(`${before}${json}}`)
    else this.#outlet.pieces(before, json, '}')
    return this.#outlet.keepsUp
  }

  onceDrained(listener: () => void): void {
    this.#outlet.onceDrained(listener)
  }

  complete(): void {
    if (this.isOver) return
    this.#outlet.text(`{"id":${this.#id},"type":"complete"}`)
    this.#operation.end()
  }

  fail(errorsJson: string): void {
    if (this.isOver) return
    this.#outlet.text(`{"id":${this.#id},"type":"error","payload":${errorsJson}}`)
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
