/** Keeps the state of each address of those subgraphs that have several, for one router. */
import type { SubgraphAddressEvents } from './events.ts'
import { type Lease, LeasedValues } from '../../../memory/leased-values.ts'
import { AddressState } from './address-state.ts'

type Known = { readonly state: AddressState; readonly check: Disposable | null }

/** The states of addresses, each kept for as long as a composition in memory calls it. */
export class Addresses {
  readonly #events: Pick<SubgraphAddressEvents, 'of'>
  readonly #known = new LeasedValues<Known>(({ state, check }) => {
    check?.[Symbol.dispose]()
    state[Symbol.dispose]()
  })

  constructor(events: Pick<SubgraphAddressEvents, 'of'>) {
    this.#events = events
  }

  /**
   * Returns the state of an address. `check` starts the health check of an address that was not known before;
   * if it is null, the address has none.
   */
  lease(
    subgraph: string,
    url: string,
    check: ((state: AddressState) => Disposable) | null,
  ): Lease<AddressState> {
    // A URL has no space in it.
    const lease = this.#known.lease(`${url} ${subgraph}`, () => {
      const state = new AddressState(this.#events.of(subgraph, url))
      return { state, check: check?.(state) ?? null }
    })
    return { value: lease.value.state, [Symbol.dispose]: () => lease[Symbol.dispose]() }
  }
}
