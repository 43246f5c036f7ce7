/**
 * The list of routers, made from their heartbeats. A router is alive if it was heard within the last 15 s of
 * this process's monotonic clock. A router that stops says so and is removed at once; one that was killed or
 * cut off is listed as lost for a minute.
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

/** Milliseconds for which a lost router is listed: long enough for somebody who looks because of the loss. */
const FORGOTTEN_AFTER_MS = 60_000

export type FleetOptions = {
  readonly announcer: Announcer
  readonly changes: Changes
  readonly events: RegistryEvents
  readonly logger: Logger
  /** If absent, heartbeats are not signed and prove nothing. */
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

  /** Whether every listed router proved by a signature that it is one. */
  get isVerified(): boolean {
    return this.#options.fleetKey !== undefined
  }

  get warning(): string | null {
    return this.#heard.warning
  }

  /** The living routers of a graph, also of a deleted one, which may be created again. */
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
    // A new process of the same name may have been heard before the last heartbeat of the old one.
    else if (this.#routers.get(subject)?.boot === boot) this.#routers.forget(subject)
    this.#options.changes.notify()
  }
}
