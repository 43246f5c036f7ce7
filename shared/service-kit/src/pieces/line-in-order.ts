/** A line in which connections wait in the order in which they came. */
import type { ConnectionLine, PacedConnection } from './reading-turns.ts'

export class LineInOrder implements ConnectionLine {
  readonly #waiting = new Set<PacedConnection>()

  get size(): number {
    return this.#waiting.size
  }

  add(connection: PacedConnection): void {
    this.#waiting.add(connection)
  }

  take(): PacedConnection | null {
    for (const connection of this.#waiting) {
      this.#waiting.delete(connection)
      return connection
    }
    return null
  }

  withdraw(connection: PacedConnection): void {
    this.#waiting.delete(connection)
  }
}
