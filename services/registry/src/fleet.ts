/**
 * The routers that were heard, by their heartbeats. Alive = heard within 15 s by this process's monotonic
 * clock. A router that stops says so and is forgotten at once; one that was killed, or cut off, is shown as
 * lost for a while.
 */
import type { GraphName, RouterHeartbeat, RouterView } from '@switchyard/contracts'
import { compareNames } from '@switchyard/domain'
import type { Announcer } from '@switchyard/event-log'
import {
  type Changes,
  type FleetKey,
  Heard,
  hearRouters,
  type Logger,
  type RoutersHeard,
} from '@switchyard/service-kit'
import type { RegistryEvents } from './events.ts'

/** Long enough to be seen by whoever looks because of it. */
const FORGOTTEN_AFTER_MS = 60_000

export type FleetOptions = {
  readonly announcer: Announcer
  readonly changes: Changes
  readonly events: RegistryEvents
  readonly logger: Logger
  /** Absent: heartbeats prove nothing. */
  readonly fleetKey?: FleetKey | undefined
  /** Unix milliseconds. */
  readonly now: () => number
  /** Monotonic milliseconds. */
  readonly monotonicNow: () => number
}

export class Fleet implements Disposable {
  readonly #options: FleetOptions
  readonly #routers: Heard<RouterHeartbeat>
  readonly #heard: RoutersHeard
  #isFull = false

  constructor(options: FleetOptions) {
    this.#options = options
    this.#routers = new Heard({ keptMs: FORGOTTEN_AFTER_MS, monotonicNow: options.monotonicNow })
    const { announcer, fleetKey, logger, now, monotonicNow } = options
    this.#heard = hearRouters({
      subscribe: (subject, handler) => announcer.subscribe(subject, handler),
      fleetKey,
      logger,
      now,
      monotonicNow,
      onHeartbeat: (heartbeat, subject) => this.#hear(heartbeat, subject),
    })
  }

  /** Whether each of these routers proved that it is one. */
  get isVerified(): boolean {
    return this.#options.fleetKey !== undefined
  }

  get warning(): string | null {
    return this.#heard.warning
  }

  /** Those that serve the graph or would: also after it was deleted, as it may be created again. */
  following(graph: GraphName): readonly RouterHeartbeat[] {
    return this.#routers
      .list()
      .filter(({ value: heartbeat, alive }) => {
        const isOfGraph = heartbeat.namespace === graph.namespace && heartbeat.graph === graph.graph
        return isOfGraph && heartbeat.state !== 'draining' && alive
      })
      .map(({ value }) => value)
  }

  list(): readonly RouterView[] {
    return this.#routers
      .list()
      .map(({ value: heartbeat, ageMs, alive }) => ({
        ...heartbeat,
        ageSeconds: Math.round(ageMs) / 1000,
        alive,
      }))
      .sort(
        (left, right) =>
          compareNames(left.namespace, right.namespace) ||
          compareNames(left.graph, right.graph) ||
          compareNames(left.instance, right.instance),
      )
  }

  [Symbol.dispose](): void {
    this.#heard[Symbol.dispose]()
  }

  #hear(heartbeat: RouterHeartbeat, subject: string): void {
    const { events } = this.#options
    const { boot, state } = heartbeat
    if (state !== 'stopped') {
      const isRefused = !this.#routers.hear(subject, heartbeat)
      if (isRefused && !this.#isFull) events.fleetFull(subject)
      this.#isFull ||= isRefused
    }
    // Another process may have taken over the name before the last word of this one arrived.
    else if (this.#routers.get(subject)?.boot === boot) this.#routers.forget(subject)
    this.#options.changes.notify()
  }
}
