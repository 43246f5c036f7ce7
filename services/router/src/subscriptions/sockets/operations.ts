/** The operations that are in progress on one WebSocket. */
import type { ClientResponse } from '../../http/client-response.ts'
import type { ClientRequest } from '../../http/virtual-request.ts'
import type { Outlet } from './outlet.ts'
import { type OperationOwner, SocketOperation } from './socket-operation.ts'
import type { SocketClient } from './socket-request.ts'

type Options = {
  readonly outlet: Outlet
  /** Answers one operation. */
  readonly serve: (request: ClientRequest, response: ClientResponse) => void
  /** Called whenever an operation is over. `code` is the one of the error if it was refused. */
  readonly onOver: (code: string | null) => void
}

/** Begins operations, and ends them. */
export class Operations implements OperationOwner {
  readonly #options: Options
  readonly #open = new Map<string, SocketOperation>()
  #begun = 0
  #isLeaving = false

  constructor(options: Options) {
    this.#options = options
  }

  get size(): number {
    return this.#open.size
  }

  /** The number of all operations so far. */
  get begun(): number {
    return this.#begun
  }

  has(id: string): boolean {
    return this.#open.has(id)
  }

  /** Begins an operation, whose id must not be in use. */
  begin(id: string, payload: string, client: SocketClient): void {
    const { outlet, serve } = this.#options
    const operation = new SocketOperation({ id, payload }, client, outlet, this)
    this.#begun++
    this.#open.set(id, operation)
    serve(operation.request, operation.response)
  }

  operationOver(operation: SocketOperation, code: string | null): void {
    const { id } = operation
    if (this.#open.get(id) === operation) this.#open.delete(id)
    this.#options.onOver(code)
  }

  subscriptionBegun(operation: SocketOperation): void {
    if (this.#isLeaving) operation.leave()
  }

  /** Ends an operation without a message, because its client wants nothing more of it. */
  cancel(id: string): void {
    const operation = this.#open.get(id)
    this.#open.delete(id)
    operation?.cancel()
  }

  cancelAll(): void {
    for (const id of this.#open.keys()) this.cancel(id)
  }

  /** Ends all subscriptions without a message, and those that are still to be found out to be some. */
  leave(): void {
    this.#isLeaving = true
    for (const operation of this.#open.values()) operation.leave()
  }
}
