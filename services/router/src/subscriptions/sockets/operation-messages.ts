/** The messages by which a WebSocket answers one operation. */
import type { Outlet } from './outlet.ts'

/** Writes the messages of one operation. */
export class OperationMessages {
  readonly #outlet: Outlet
  readonly #id: string

  constructor(id: string, outlet: Outlet) {
    this.#id = JSON.stringify(id)
    this.#outlet = outlet
  }

  /** Whether nothing can be written any more. */
  get isOver(): boolean {
    return this.#outlet.isOver
  }

  /** Whether the client reads as fast as is written. */
  get keepsUp(): boolean {
    return this.#outlet.keepsUp
  }

  /** Calls the listener once when the client keeps up again, unless the result is disposed before. */
  onceDrained(listener: () => void): Disposable {
    return this.#outlet.onceDrained(listener)
  }

  /** Sends a result as JSON, as text or in pieces of UTF-8. */
  next(json: string | readonly Uint8Array[]): void {
    const before = `{"id":${this.#id},"type":"next","payload":`
    if (typeof json === 'string') this.#outlet.text(`${before}${json}}`)
    else this.#outlet.pieces(before, json, '}')
  }

  complete(): void {
    this.#outlet.text(`{"id":${this.#id},"type":"complete"}`)
  }

  /** Sends a list of GraphQL errors, as JSON. */
  error(errorsJson: string): void {
    this.#outlet.text(`{"id":${this.#id},"type":"error","payload":${errorsJson}}`)
  }
}
