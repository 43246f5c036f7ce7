/**
 * The attempts to open the connection of a source, as the circuit breaker of its subgraph sees them. An
 * attempt is to the circuit what a call is: it is made only if the circuit lets it through, and its result is
 * counted. A connection that was open and is lost counts for nothing: the attempt to make it again shows
 * whether the subgraph is well.
 */
import type {
  CircuitBreaker,
  CircuitPeriod,
  CallResult,
} from '../../call/policies/circuit/circuit-breaker.ts'
import type { Lease } from '../../memory/leased-values.ts'

export class OpeningAttempts implements Disposable {
  readonly #circuit: Lease<CircuitBreaker> | null
  /** The period in which the attempt in progress began. Null if there is no attempt, or no circuit. */
  #period: CircuitPeriod | null = null

  /** `circuit` is null if the subgraph has no circuit breaker. It is given back at the end. */
  constructor(circuit: Lease<CircuitBreaker> | null) {
    this.#circuit = circuit
  }

  /** True while an attempt is one of the few by which the circuit finds out whether the subgraph is well. */
  get isProbing(): boolean {
    return this.#period !== null && this.#circuit?.value.isClosed === false
  }

  /** Begins an attempt, for which `ended` has to be called. Returns false if it must not be made. */
  begin(): boolean {
    if (this.#circuit === null) return true
    this.#period = this.#circuit.value.begin()
    return this.#period !== null
  }

  /** Reports the result of the attempt in progress. Does nothing if there is none. */
  ended(result: CallResult): void {
    const period = this.#period
    this.#period = null
    if (period !== null) this.#circuit?.value.ended(period, result)
  }

  /**
   * Returns whether a subscription may be added to the connection. It may while the connection is being made,
   * since it makes no further attempt. Otherwise the circuit decides as about a call. No answer tells whether
   * the subgraph took the subscription, so nothing is counted.
   */
  mayAdd(): boolean {
    if (this.#period !== null) return true
    if (!this.begin()) return false
    this.ended('unknown')
    return true
  }

  /** Gives up the attempt in progress, so that another one may be made as a probe. */
  [Symbol.dispose](): void {
    this.ended('unknown')
    this.#circuit?.[Symbol.dispose]()
  }
}
