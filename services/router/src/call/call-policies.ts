/**
 * The policies of calls that look after subgraphs: one of each for all calls of a router, and what the log
 * and metrics say of them.
 */
import type { Logger } from '@switchyard/service-kit'
import { SubgraphAddressEvents } from './policies/addresses/events.ts'
import { CircuitBreakers } from './policies/circuit/circuit-breakers.ts'
import { CircuitEvents } from './policies/circuit/events.ts'
import { HedgeEvents } from './policies/hedge/events.ts'
import { Hedges } from './policies/hedge/hedges.ts'
import { RetryEvents } from './policies/retry/events.ts'
import { Retries } from './policies/retry/retries.ts'
import { AllSlots } from './policies/slots/all-slots.ts'
import { SlotEvents } from './policies/slots/events.ts'
import type { SubgraphsConfig } from './settings.ts'

/** The events of all policies, by policy. */
export type PolicyEvents = {
  readonly addresses: Pick<SubgraphAddressEvents, 'of'>
  readonly circuits: Pick<CircuitEvents, 'of'>
  readonly hedges: Pick<HedgeEvents, 'of'>
  readonly retries: Pick<RetryEvents, 'of'>
  readonly slots: Pick<SlotEvents, 'of'>
}

const nothing = (): void => {}

/** Events that nobody hears of. */
export const SILENT_POLICY_EVENTS: PolicyEvents = {
  addresses: { of: () => ({ setAside: nothing, back: nothing, forgotten: nothing }) },
  circuits: { of: () => ({ opened: nothing, closed: nothing, refused: nothing, forgotten: nothing }) },
  hedges: { of: () => ({ made: nothing, ended: nothing, refused: nothing }) },
  retries: { of: () => ({ retried: nothing, budgetSpent: nothing }) },
  slots: { of: () => ({ waited: nothing, refused: nothing }) },
}

/** Opens the logs and instruments of the policies. */
export function openPolicyEvents(logger: Logger): PolicyEvents {
  return {
    addresses: new SubgraphAddressEvents(logger),
    circuits: new CircuitEvents(logger),
    hedges: new HedgeEvents(logger),
    retries: new RetryEvents(logger),
    slots: new SlotEvents(logger),
  }
}

/** The state of subgraphs and budgets, of which each endpoint leases its own. */
export type CallPolicies = {
  readonly circuits: CircuitBreakers
  readonly hedges: Hedges
  readonly retries: Retries
  readonly slots: AllSlots
}

/**
 * Opens the policies of new settings. They take over the state of subgraphs whose settings stay the same.
 * `before` are the policies of the settings in force; null at the start.
 */
export function openPolicies(
  config: SubgraphsConfig,
  events: PolicyEvents,
  before: CallPolicies | null,
): CallPolicies {
  return {
    circuits: new CircuitBreakers(config, events.circuits, before?.circuits),
    hedges: new Hedges(config, events.hedges, before?.hedges),
    retries: new Retries(config, events.retries, before?.retries),
    slots: new AllSlots(config, events.slots, before?.slots),
  }
}
