/** Keeps the slots for calls of all subgraphs of a router. */
import type { SlotsConfig } from './settings.ts'
import type { SlotEvents } from './events.ts'
import type { Lease } from '../../../memory/leased-values.ts'
import { SubgraphPolicies } from '../subgraph-policies.ts'
import { CallSlots } from './call-slots.ts'

type Settings = { readonly slots: SlotsConfig }

/** The slots for calls. Those of one subgraph are shared by all compositions that have the subgraph. */
export class AllSlots extends SubgraphPolicies<Settings, Pick<SlotEvents, 'of'>, CallSlots> {
  /** Returns the slots of a subgraph. Null if only the number of connections limits its calls. */
  lease(subgraph: string): Lease<CallSlots> | null {
    const { maxCalls, maxWaiting, maxRate } = this.configOf(subgraph).slots
    if (maxCalls === null && maxRate === null) return null
    const limits = { maxCalls: maxCalls ?? Infinity, maxWaiting, maxRate }
    return this.policies.lease(
      `${maxCalls} ${maxWaiting} ${maxRate} ${subgraph}`,
      () => new CallSlots(limits, this.events.of(subgraph)),
    )
  }
}
