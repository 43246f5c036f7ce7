/** The routers that were heard, by their heartbeats. Alive = heard within 15 s by this process's monotonic clock. */
import { ALL_ROUTER_STATUS, type GraphName, RouterHeartbeat, type RouterView } from '@switchyard/contracts'
import { compareNames } from '@switchyard/domain'
import type { Announcer } from '@switchyard/event-log'
import { type Changes, Heard } from '@switchyard/service-kit'
import type { RegistryEvents } from './events.ts'

/** A router that was not heard for this long is no longer listed. */
const FORGOTTEN_AFTER_MS = 10 * 60_000

export type FleetOptions = {
  readonly announcer: Announcer
  readonly changes: Changes
  readonly events: RegistryEvents
  /** Monotonic milliseconds. */
  readonly monotonicNow: () => number
}

export class Fleet implements Disposable {
  readonly #options: FleetOptions
  readonly #routers: Heard<RouterHeartbeat>
  readonly #subscription: Disposable

  constructor(options: FleetOptions) {
    this.#options = options
    this.#routers = new Heard({ keptMs: FORGOTTEN_AFTER_MS, monotonicNow: options.monotonicNow })
    this.#subscription = options.announcer.subscribe(ALL_ROUTER_STATUS, (message, subject) =>
      this.#hear(message, subject),
    )
  }

  /** Those that serve the graph or would: also after it was deleted, as it may be created again. */
  following(graph: GraphName): readonly RouterHeartbeat[] {
    return this.#routers
      .list()
      .filter(({ value: heartbeat, alive }) => {
        const isOfGraph = heartbeat.namespace === graph.namespace && heartbeat.graph === graph.graph
        const isInUse = heartbeat.state !== 'draining' && heartbeat.state !== 'stopped'
        return isOfGraph && isInUse && alive
      })
      .map(({ value }) => value)
  }

  list(): readonly RouterView[] {
    return this.#routers
      .list()
      .map(({ value: heartbeat, ageMs, alive }) => ({
        ...heartbeat,
        ageSeconds: Math.round(ageMs) / 1000,
        alive: alive && heartbeat.state !== 'stopped',
      }))
      .sort(
        (left, right) =>
          compareNames(left.namespace, right.namespace) ||
          compareNames(left.graph, right.graph) ||
          compareNames(left.instance, right.instance),
      )
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]()
  }

  #hear(message: unknown, subject: string): void {
    const parsed = RouterHeartbeat.safeParse(message)
    if (!parsed.success) return this.#options.events.heartbeatIgnored(subject)
    this.#routers.hear(subject, parsed.data)
    this.#options.changes.notify()
  }
}
