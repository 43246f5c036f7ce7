/** The addresses of subgraphs that have several of them, of a router. */
import type { SubgraphAddressEvents } from './events.ts'
import { type Lease, LeasedValues } from '../leased-values.ts'
import { AddressState } from './address-state.ts'

type Known = { readonly state: AddressState; readonly check: Disposable | null }

/** What is known of each, for as long as a composition in memory calls it. */
export class Addresses {
  readonly #events: SubgraphAddressEvents
  readonly #known = new LeasedValues<Known>(({ state, check }) => {
    check?.[Symbol.dispose]()
    state[Symbol.dispose]()
  })

  constructor(events: SubgraphAddressEvents) {
    this.#events = events
  }

  /** `check`: begins to ask an address that was not known before; null: it is not asked. */
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
