/**
 * Chooses at which of its addresses a subgraph is called: among those that work, the one with the fewest
 * calls in progress; among several of these, the next one in turn. If none works, all are tried, because a
 * router that is wrong about all of them must not be what makes the subgraph unreachable.
 */
import type { CircuitPeriod, CircuitBreaker } from '../circuit/circuit-breaker.ts'
import type { AddressState } from './address-state.ts'

/** One address. Its `circuit` is null if the subgraph has no circuit breaker. */
export type Alternative = {
  readonly state: { readonly value: Pick<AddressState, 'active' | 'isAside' | 'began' | 'ended'> }
  readonly circuit: {
    readonly value: Pick<CircuitBreaker, 'isRefusing' | 'isClosed' | 'begin' | 'ended'>
  } | null
}

/** An address that was chosen for a call. `period` is null if the address has no circuit breaker. */
export type ChosenAddress<One extends Alternative> = {
  readonly address: One
  readonly period: CircuitPeriod | null
}

/** All addresses of a subgraph. */
export class Alternatives<One extends Alternative> {
  readonly #all: readonly One[]
  #turn = 0

  constructor(all: readonly One[]) {
    this.#all = all
  }

  /**
   * Chooses an address and counts a call to it as begun. `except` is the address that failed just now, which
   * is taken only if there is no other. Returns null if no circuit breaker lets a call through.
   */
  choose(except: One | null): ChosenAddress<One> | null {
    this.#turn = (this.#turn + 1) % this.#all.length
    const address = this.#best(except)
    const period = address?.circuit?.value.begin() ?? null
    if (address === null || (address.circuit !== null && period === null)) return null
    address.state.value.began()
    return { address, period }
  }

  /**
   * Chooses an address for a hedged attempt, and counts a call to it as begun. It is never `first`, where the
   * first attempt is in progress, nor one that failed lately or whose circuit is not closed. Returns null if
   * there is no such address.
   */
  chooseForHedge(first: One | null): ChosenAddress<One> | null {
    const address = this.#best(first)
    if (address === null || rankOf(address, address === first) >= ASIDE) return null
    if (address.circuit?.value.isClosed === false) return null
    const period = address.circuit?.value.begin() ?? null
    address.state.value.began()
    return { address, period }
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

/** A rank that is worse than any number of calls in progress. */
const ASIDE = 1e9

/**
 * Ranks an address; the lowest rank is best. It is the number of its calls in progress, plus amounts for
 * being set aside, excluded or refused by its circuit that outweigh any number of calls.
 */
function rankOf({ state, circuit }: Alternative, isExcept: boolean): number {
  const { active, isAside } = state.value
  return (
    active + (isAside ? ASIDE : 0) + (isExcept ? 2e9 : 0) + (circuit?.value.isRefusing === true ? 4e9 : 0)
  )
}
