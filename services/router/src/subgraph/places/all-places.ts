/** The places for calls of all subgraphs of a router. */
import { type SubgraphsConfig, subgraphConfigOf } from '../settings.ts'
import type { PlaceEvents } from './events.ts'
import { type Lease, LeasedValues } from '../leased-values.ts'
import { CallPlaces } from './call-places.ts'

/** Those of one subgraph are shared by all compositions in which it is there. */
export class AllPlaces {
  readonly #config: SubgraphsConfig
  readonly #events: PlaceEvents
  readonly #places: LeasedValues<CallPlaces>

  /** `before`: has those that go on where their settings are the same. */
  constructor(config: SubgraphsConfig, events: PlaceEvents, before: AllPlaces | null = null) {
    this.#config = config
    this.#events = events
    this.#places = before === null ? new LeasedValues() : before.#places
  }

  /** null: as many calls are made as there are connections. */
  lease(subgraph: string): Lease<CallPlaces> | null {
    const { maxCalls, maxWaiting } = subgraphConfigOf(this.#config, subgraph).places
    if (maxCalls === null) return null
    return this.#places.lease(
      `${maxCalls} ${maxWaiting} ${subgraph}`,
      () => new CallPlaces({ maxCalls, maxWaiting }, this.#events.of(subgraph)),
    )
  }
}
