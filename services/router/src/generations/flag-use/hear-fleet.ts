/**
 * Hears from the other routers of the graph which feature flags are in use. A router does so only while it
 * starts, for a little longer than the time between two heartbeats: every router that serves has said it
 * then.
 */
import { type GraphName, HEARTBEAT_INTERVAL_MS, routersOf } from '@switchyard/contracts'
import type { Announcer } from '@switchyard/event-log'
import { type FleetKey, hearRouters, type Logger } from '@switchyard/service-kit'
import type { FlagUse } from '../../flags/flag-use.ts'

/** Milliseconds added for heartbeats that are on their way. */
const LONGER_MS = 500

export type FleetParts = {
  readonly announcer: Announcer
  readonly fleetKey: FleetKey | null
  readonly logger: Logger
  readonly flagUse: FlagUse
  /** Called when other flags are in use than was known. */
  readonly onChange: () => void
  /** Called when there is nothing more to wait for. */
  readonly onHeard: () => void
}

/** Listens until it has heard enough, or is disposed. */
export function hearFleet(graph: GraphName, parts: FleetParts): Disposable {
  const { announcer, fleetKey, logger, flagUse, onChange, onHeard } = parts
  const heard = hearRouters({
    subject: routersOf(graph),
    subscribe: (subject, handler) => announcer.subscribe(subject, handler),
    fleetKey: fleetKey ?? undefined,
    logger,
    onHeartbeat: ({ flagsInUse = [] }) => {
      if (flagUse.heard(flagsInUse)) onChange()
    },
  })
  const over = setTimeout(() => {
    heard[Symbol.dispose]()
    onHeard()
  }, HEARTBEAT_INTERVAL_MS + LONGER_MS).unref()
  return {
    [Symbol.dispose]() {
      clearTimeout(over)
      heard[Symbol.dispose]()
    },
  }
}
