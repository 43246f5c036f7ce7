/** The addresses of subgraphs that have several of them, of a router. */
import type { SubgraphAddressEvents } from '../../observe/address-events.ts'
import { type Lease, LeasedValues } from '../leased-values.ts'
import { AddressState } from './address-state.ts'

/** What is known of each, for as long as a composition in memory calls it. */
export class Addresses {
  readonly #events: SubgraphAddressEvents
  readonly #states = new LeasedValues<AddressState>((state) => state[Symbol.dispose]())

  constructor(events: SubgraphAddressEvents) {
    this.#events = events
  }

  lease(subgraph: string, url: string): Lease<AddressState> {
    // A URL has no space in it.
    return this.#states.lease(`${url} ${subgraph}`, () => new AddressState(this.#events.of(subgraph, url)))
  }
}
