/** Keeps the requests of a pool that wait for a connection. */
import type { Http1Call } from './exchange.ts'

/** Taken exchanges whose entries may stay empty at the front of the list before the others move up. */
const MAX_TAKEN = 1024

/** Exchanges in the order in which they came. */
export class WaitingExchanges<Waiting = Http1Call> {
  #exchanges: (Waiting | undefined)[] = []
  #first = 0

  get size(): number {
    return this.#exchanges.length - this.#first
  }

  push(exchange: Waiting): void {
    this.#exchanges.push(exchange)
  }

  take(): Waiting | undefined {
    const exchange = this.#exchanges[this.#first]
    this.#exchanges[this.#first++] = undefined
    if (this.#first === this.#exchanges.length) this.takeAll()
    else if (this.#first > MAX_TAKEN && this.#first * 2 > this.#exchanges.length) {
      this.#exchanges = this.#exchanges.slice(this.#first)
      this.#first = 0
    }
    return exchange
  }

  /** Puts back an exchange that was taken and could not be sent: it is the next one again. */
  putBack(exchange: Waiting): void {
    if (this.#first > 0) this.#exchanges[--this.#first] = exchange
    else this.#exchanges.unshift(exchange)
  }

  takeAll(): readonly Waiting[] {
    const all = this.#exchanges.filter((exchange) => exchange !== undefined)
    this.#exchanges = []
    this.#first = 0
    return all
  }
}
