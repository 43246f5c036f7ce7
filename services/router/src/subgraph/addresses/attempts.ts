/**
 * The attempts of one call, with what has to be told of them: to the circuit of the subgraph and, where the
 * subgraph has several addresses, to the one that was chosen. Each further attempt is made at another address
 * if there is one.
 */
import type { Admission, CallResult } from '../circuit/circuit-breaker.ts'
import type { AddressEndpoint, Endpoint } from '../endpoints.ts'

/** Whether there is anything to be told. */
export function areCounted({ alternatives, circuit }: Endpoint): boolean {
  return alternatives !== null || circuit !== null
}

export class Attempts {
  /** Where the last attempt is made. */
  endpoint: Endpoint
  /** The same, if it is one of several. */
  #address: AddressEndpoint | null
  /** null: it has no circuit. */
  #admission: Admission | null
  #isFirst = true
  #isEnded = false

  private constructor(endpoint: Endpoint, address: AddressEndpoint | null, admission: Admission | null) {
    this.endpoint = endpoint
    this.#address = address
    this.#admission = admission
  }

  /** null: circuits let no call through. Otherwise `ended` has to be called. */
  static begin(named: Endpoint): Attempts | null {
    const { alternatives, circuit } = named
    if (alternatives === null) {
      const admission = circuit?.value.begin() ?? null
      return circuit !== null && admission === null ? null : new Attempts(named, null, admission)
    }
    const chosen = alternatives.choose(null)
    return chosen === null ? null : new Attempts(chosen.address, chosen.address, chosen.admission)
  }

  /**
   * Where an attempt is made now; those before it have failed. Where no other address may be called, the same
   * one is.
   */
  next(): Endpoint {
    const isFirst = this.#isFirst
    this.#isFirst = false
    const chosen =
      isFirst || this.#isEnded ? null : (this.endpoint.alternatives?.choose(this.#address) ?? null)
    if (chosen !== null) {
      this.#tell('failed')
      this.endpoint = this.#address = chosen.address
      this.#admission = chosen.admission
    }
    return this.endpoint
  }

  /** What the last attempt came to. */
  ended(result: CallResult): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#tell(result)
  }

  #tell(result: CallResult): void {
    this.#address?.state.value.ended(result)
    if (this.#admission !== null) this.endpoint.circuit?.value.ended(this.#admission, result)
  }
}
