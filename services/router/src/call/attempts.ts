/**
 * The attempts of one call. Their results are reported to the circuit breaker of the subgraph and, if the
 * subgraph has several addresses, to the state of the address that was chosen. Each retry and each hedged
 * attempt goes to another address if there is one.
 */
import type { ChosenAddress } from './policies/addresses/alternatives.ts'
import type { CircuitPeriod, CallResult } from './policies/circuit/circuit-breaker.ts'
import type { AddressEndpoint, Endpoint } from './endpoints.ts'

/** Returns whether anything wants to know the results of attempts. */
export function areCounted({ alternatives, circuit }: Endpoint): boolean {
  return alternatives !== null || circuit !== null
}

export class Attempts {
  /** The endpoint of the last attempt. */
  endpoint: Endpoint
  /** The same endpoint if it is one of several addresses of its subgraph, else null. */
  #address: AddressEndpoint | null
  /** The period of the last attempt. Null if the endpoint has no circuit breaker. */
  #period: CircuitPeriod | null
  /**
   * The address of the hedged attempt in progress. Null if there is no such attempt, or its subgraph has one
   * address.
   */
  #hedged: ChosenAddress<AddressEndpoint> | null = null
  #isFirst = true
  #isEnded = false

  private constructor(endpoint: Endpoint, address: AddressEndpoint | null, period: CircuitPeriod | null) {
    this.endpoint = endpoint
    this.#address = address
    this.#period = period
  }

  /**
   * Begins the attempts of a call, for which `ended` has to be called. Returns null if circuit breakers let
   * no call through.
   */
  static begin(named: Endpoint): Attempts | null {
    const { alternatives, circuit } = named
    if (alternatives === null) {
      const period = circuit?.value.begin() ?? null
      return circuit !== null && period === null ? null : new Attempts(named, null, period)
    }
    const chosen = alternatives.choose(null)
    return chosen === null ? null : new Attempts(chosen.address, chosen.address, chosen.period)
  }

  /**
   * Returns the endpoint of the next attempt; those before it have failed. It is the same one again if no
   * other address may be called.
   */
  next(): Endpoint {
    const isFirst = this.#isFirst
    this.#isFirst = false
    const chosen =
      isFirst || this.#isEnded ? null : (this.endpoint.alternatives?.choose(this.#address) ?? null)
    if (chosen !== null) this.#replace(chosen, 'failed')
    return this.endpoint
  }

  /**
   * Returns the endpoint of a hedged attempt: another address if the subgraph has several. Returns null if no
   * other address works, or if its circuit is not closed. The result has to be reported by `hedgeReplaced` or
   * `hedgeEnded`.
   */
  hedge(): Endpoint | null {
    if (this.#isEnded) return null
    const { alternatives, circuit } = this.endpoint
    if (alternatives === null) return circuit?.value.isClosed === false ? null : this.endpoint
    this.#hedged = alternatives.chooseForHedge(this.#address)
    return this.#hedged?.address ?? null
  }

  /** Lets the hedged attempt replace the first one, and reports the `result` of the first one. */
  hedgeReplaced(result: CallResult): void {
    if (this.#hedged !== null) this.#replace(this.#hedged, result)
    this.#hedged = null
  }

  /** Reports the result of the hedged attempt, unless it has replaced the first one. */
  hedgeEnded(result: CallResult): void {
    if (this.#hedged !== null) tell(this.#hedged.address, this.#hedged, result)
    this.#hedged = null
  }

  /**
   * Reports the result of the last attempt. A hedged attempt that is still in progress says nothing about its
   * address.
   */
  ended(result: CallResult): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.hedgeEnded('unknown')
    this.#tell(result)
  }

  #replace({ address, period }: ChosenAddress<AddressEndpoint>, result: CallResult): void {
    this.#tell(result)
    this.endpoint = this.#address = address
    this.#period = period
  }

  #tell(result: CallResult): void {
    tell(this.endpoint, { address: this.#address, period: this.#period }, result)
  }
}

type Begun = { readonly address: AddressEndpoint | null; readonly period: CircuitPeriod | null }

function tell({ circuit }: Endpoint, { address, period }: Begun, result: CallResult): void {
  address?.state.value.ended(result)
  if (period !== null) circuit?.value.ended(period, result)
}
