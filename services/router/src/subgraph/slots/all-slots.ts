/** Keeps the slots for calls of all subgraphs of a router. */
import { type SubgraphsConfig, subgraphConfigOf } from '../settings.ts'
import type { PlaceEvents } from './events.ts'
import { type Lease, LeasedValues } from '../leased-values.ts'
import { CallPlaces } from './call-slots.ts'

/** The slots for calls. Those of one subgraph are shared by all compositions that have the subgraph. */
export class AllPlaces {
  readonly #config: SubgraphsConfig
  readonly #events: PlaceEvents
  readonly #places: LeasedValues<CallPlaces>

  /** `before` are the slots of the settings before. Those whose limits have not changed go on. */
  constructor(config: SubgraphsConfig, events: PlaceEvents, before: AllPlaces | null = null) {
    this.#config = config
    this.#events = events
    this.#places = before === null ? new LeasedValues() : before.#places
  }

  /** Returns the slots of a subgraph. Null if only the number of connections limits its calls. */
  lease(subgraph: string): Lease<CallPlaces> | null {
    const { maxCalls, maxWaiting, maxRate } = subgraphConfigOf(this.#config, subgraph).places
    if (maxCalls === null && maxRate === null) return null
    const limits = { maxCalls: maxCalls ?? Infinity, maxWaiting, maxRate }
    return this.#places.lease(
      `${maxCalls} ${maxWaiting} ${maxRate} ${subgraph}`,
      () => new CallPlaces(limits, this.#events.of(subgraph)),
    )
  }
}
