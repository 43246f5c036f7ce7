/** The line in which connections wait for their turns to be read. Clients take turns, too. */
import type { ConnectionLine, PacedConnection } from '@switchyard/service-kit'
import { FairLine } from './fair-line.ts'

/** Connections of the client with few in the line do not wait for all those of another client. */
export class FairConnectionLine implements ConnectionLine {
  readonly #line = new FairLine<PacedConnection>()

  get size(): number {
    return this.#line.size
  }

  add(connection: PacedConnection): void {
    this.#line.add({ address: connection.client, name: '' }, connection)
  }

  take(): PacedConnection | null {
    return this.#line.take()?.item ?? null
  }

  withdraw(connection: PacedConnection): void {
    this.#line.withdraw(connection)
  }
}
