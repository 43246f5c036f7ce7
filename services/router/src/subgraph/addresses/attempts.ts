/**
 * The attempts of one call, with what has to be told of them: to the circuit of the subgraph and, where the
 * subgraph has several addresses, to the one that was chosen. Each further attempt is made at another address
 * if there is one, and so is one that is made beside another.
 */
import type { Chosen } from './alternatives.ts'
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
  /** Where another attempt is in progress beside it; null: none is, or it has no address of its own. */
  #beside: Chosen<AddressEndpoint> | null = null
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
    if (chosen !== null) this.#replace(chosen, 'failed')
    return this.endpoint
  }

  /**
   * Where an attempt is made beside the last one, at another address if there are several. null: nowhere,
   * since none of them is well, or its circuit is not closed. What it comes to has to be told.
   */
  beside(): Endpoint | null {
    if (this.#isEnded) return null
    const { alternatives, circuit } = this.endpoint
    if (alternatives === null) return circuit?.value.isClosed === false ? null : this.endpoint
    this.#beside = alternatives.chooseBeside(this.#address)
    return this.#beside?.address ?? null
  }

  /** The attempt beside the last one is the last one from now on. `result`: what the other one came to. */
  besideStays(result: CallResult): void {
    if (this.#beside !== null) this.#replace(this.#beside, result)
    this.#beside = null
  }

  /** What the attempt beside the last one came to, unless it has stayed. */
  besideEnded(result: CallResult): void {
    if (this.#beside !== null) tell(this.#beside.address, this.#beside, result)
    this.#beside = null
  }

  /** What the last attempt came to. One beside it is given up, or nobody counts it any more. */
  ended(result: CallResult): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.besideEnded('unknown')
    this.#tell(result)
  }

  #replace({ address, admission }: Chosen<AddressEndpoint>, result: CallResult): void {
    this.#tell(result)
    this.endpoint = this.#address = address
    this.#admission = admission
  }

  #tell(result: CallResult): void {
    tell(this.endpoint, { address: this.#address, admission: this.#admission }, result)
  }
}

type Begun = { readonly address: AddressEndpoint | null; readonly admission: Admission | null }

function tell({ circuit }: Endpoint, { address, admission }: Begun, result: CallResult): void {
  address?.state.value.ended(result)
  if (admission !== null) circuit?.value.ended(admission, result)
}
