/**
 * Chooses at which of its addresses a subgraph is called: the one with the fewest calls in progress of those
 * that are well; of several, the next one in turn. Where none is well, all are tried: a router that is wrong
 * about all of them must not be what keeps the subgraph away.
 */
import type { Admission, CircuitBreaker } from '../circuit/circuit-breaker.ts'
import type { AddressState } from './address-state.ts'

/** One address. `circuit`: null: there is none. */
export type Alternative = {
  readonly state: { readonly value: Pick<AddressState, 'active' | 'isAside' | 'began' | 'ended'> }
  readonly circuit: {
    readonly value: Pick<CircuitBreaker, 'isRefusing' | 'isClosed' | 'begin' | 'ended'>
  } | null
}

/** A call that may be made there. */
export type Chosen<One extends Alternative> = { readonly address: One; readonly admission: Admission | null }

/** All addresses of a subgraph. */
export class Alternatives<One extends Alternative> {
  readonly #all: readonly One[]
  #turn = 0

  constructor(all: readonly One[]) {
    this.#all = all
  }

  /**
   * `except`: where it failed just now, which is taken only if there is no other. null: no circuit lets a
   * call through. Otherwise the call has begun.
   */
  choose(except: One | null): Chosen<One> | null {
    this.#turn = (this.#turn + 1) % this.#all.length
    const address = this.#best(except)
    const admission = address?.circuit?.value.begin() ?? null
    if (address === null || (address.circuit !== null && admission === null)) return null
    address.state.value.began()
    return { address, admission }
  }

  /**
   * Where a call may be made beside one in progress at `first`: at another address, which has not failed
   * lately and needs no probes. null: there is none. Otherwise the call has begun.
   */
  chooseBeside(first: One | null): Chosen<One> | null {
    const address = this.#best(first)
    if (address === null || rankOf(address, address === first) >= ASIDE) return null
    if (address.circuit?.value.isClosed === false) return null
    const admission = address.circuit?.value.begin() ?? null
    address.state.value.began()
    return { address, admission }
  }

  #best(except: One | null): One | null {
    let best: One | null = null
    let bestRank = Number.POSITIVE_INFINITY
    for (let offset = 0; offset < this.#all.length; offset++) {
      const one = this.#all[(this.#turn + offset) % this.#all.length]
      if (one === undefined) continue
      const rank = rankOf(one, one === except)
      if (rank < bestRank) [best, bestRank] = [one, rank]
    }
    return best
  }
}

/** More than any number of calls in progress. */
const ASIDE = 1e9

/** Calls in progress, and what weighs more than any number of them. */
function rankOf({ state, circuit }: Alternative, isExcept: boolean): number {
  const { active, isAside } = state.value
  return (
    active + (isAside ? ASIDE : 0) + (isExcept ? 2e9 : 0) + (circuit?.value.isRefusing === true ? 4e9 : 0)
  )
}
