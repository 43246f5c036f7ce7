/** The routers that were heard, by their heartbeats. Alive = heard within 15 s by this process's monotonic clock. */
import {
  ALIVE_WITHIN_MS,
  ALL_ROUTER_STATUS,
  type GraphName,
  RouterHeartbeat,
  type RouterView,
} from '@switchyard/contracts'
import { compareNames } from '@switchyard/domain'
import type { Announcer } from '@switchyard/event-log'
import type { Changes } from './changes.ts'
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

type Heard = { readonly heartbeat: RouterHeartbeat; readonly at: number }

export class Fleet implements Disposable {
  readonly #options: FleetOptions
  readonly #routers = new Map<string, Heard>()
  readonly #subscription: Disposable

  constructor(options: FleetOptions) {
    this.#options = options
    this.#subscription = options.announcer.subscribe(ALL_ROUTER_STATUS, (message, subject) =>
      this.#hear(message, subject),
    )
  }

  /** Those that take part in serving the graph. */
  serving(graph: GraphName): readonly RouterHeartbeat[] {
    const now = this.#options.monotonicNow()
    return [...this.#routers.values()]
      .filter(({ heartbeat, at }) => {
        const isOfGraph = heartbeat.namespace === graph.namespace && heartbeat.graph === graph.graph
        const isInUse = heartbeat.state === 'starting' || heartbeat.state === 'serving'
        return isOfGraph && isInUse && now - at <= ALIVE_WITHIN_MS
      })
      .map(({ heartbeat }) => heartbeat)
  }

  list(): readonly RouterView[] {
    const now = this.#options.monotonicNow()
    return [...this.#routers.values()]
      .filter(({ at }) => now - at <= FORGOTTEN_AFTER_MS)
      .map(({ heartbeat, at }) => ({
        ...heartbeat,
        ageSeconds: Math.round(now - at) / 1000,
        alive: now - at <= ALIVE_WITHIN_MS && heartbeat.state !== 'stopped',
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
    const now = this.#options.monotonicNow()
    for (const [key, { at }] of this.#routers) {
      if (now - at > FORGOTTEN_AFTER_MS) this.#routers.delete(key)
    }
    this.#routers.set(subject, { heartbeat: parsed.data, at: now })
    this.#options.changes.notify()
  }
}
