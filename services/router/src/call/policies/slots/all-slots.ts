/** Keeps the slots for calls of all subgraphs of a router. */
import { type PerSubgraph, subgraphConfigOf } from '../../../settings/per-subgraph.ts'
import type { SlotsConfig } from './settings.ts'
import type { SlotEvents } from './events.ts'
import { type Lease, LeasedValues } from '../../../memory/leased-values.ts'
import { CallSlots } from './call-slots.ts'

type Settings = PerSubgraph<{ readonly slots: SlotsConfig }>

/** The slots for calls. Those of one subgraph are shared by all compositions that have the subgraph. */
export class AllSlots {
  readonly #config: Settings
  readonly #events: SlotEvents
  readonly #slots: LeasedValues<CallSlots>

  /** `before` are the slots of the settings before. Those whose limits have not changed go on. */
  constructor(config: Settings, events: SlotEvents, before: AllSlots | null = null) {
    this.#config = config
    this.#events = events
    this.#slots = before === null ? new LeasedValues() : before.#slots
  }

  /** Returns the slots of a subgraph. Null if only the number of connections limits its calls. */
  lease(subgraph: string): Lease<CallSlots> | null {
    const { maxCalls, maxWaiting, maxRate } = subgraphConfigOf(this.#config, subgraph).slots
    if (maxCalls === null && maxRate === null) return null
    const limits = { maxCalls: maxCalls ?? Infinity, maxWaiting, maxRate }
    return this.#slots.lease(
      `${maxCalls} ${maxWaiting} ${maxRate} ${subgraph}`,
      () => new CallSlots(limits, this.#events.of(subgraph)),
    )
  }
}
