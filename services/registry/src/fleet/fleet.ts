/**
 * The list of routers, made from their heartbeats. A router is alive if it was heard within the last 15 s of
 * this process's monotonic clock. A router that stops says so and is removed at once; one that was killed or
 * cut off is listed as lost for a minute. One whose clock is another one is listed and counted, and the
 * difference told.
 */
import { isDeepStrictEqual } from 'node:util'
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
import { AskedFlags } from './asked-flags.ts'
import type { FleetEvents } from './fleet-events.ts'
import { type GraphRate, GraphRates } from './graph-rates.ts'

/** Milliseconds for which a lost router is listed: long enough for somebody who looks because of the loss. */
const FORGOTTEN_AFTER_MS = 60_000

export type FleetOptions = {
  readonly announcer: Announcer
  readonly changes: Changes
  readonly events: FleetEvents
  readonly logger: Logger
  /** If absent, heartbeats are not signed and prove nothing. */
  readonly fleetKey?: FleetKey | undefined
  /** Called with each heartbeat that counts. */
  readonly onHeartbeat?: (heartbeat: RouterHeartbeat) => void
  /** Called when a router came, changed what it serves, or stopped; not when one falls silent. */
  readonly onChanged?: () => void
  /** Unix milliseconds. */
  readonly now: () => number
  /** Monotonic milliseconds. */
  readonly monotonicNow: () => number
}

/** The last heartbeat of a router. `clockAheadMs`: 0 while its clock is right, or nobody knows. */
type HeardRouter = { readonly heartbeat: RouterHeartbeat; readonly clockAheadMs: number }

export class Fleet implements Disposable {
  readonly #options: FleetOptions
  readonly #routers: Heard<HeardRouter>
  readonly #heard: RoutersHeard
  /** The flags that clients named, as far as routers said so. */
  readonly askedFlags: AskedFlags
  readonly #rates: GraphRates
  #isFull = false

  constructor(options: FleetOptions) {
    this.#options = options
    this.#routers = new Heard({ keptMs: FORGOTTEN_AFTER_MS, monotonicNow: options.monotonicNow })
    const { announcer, fleetKey, logger, now, monotonicNow } = options
    this.askedFlags = new AskedFlags(now)
    this.#rates = new GraphRates(monotonicNow)
    this.#heard = hearRouters({
      subscribe: (subject, handler) => announcer.subscribe(subject, handler),
      fleetKey,
      logger,
      now,
      monotonicNow,
      otherTimes: 'taken',
      onHeartbeat: (heartbeat, subject, clockAheadMs) => this.#hear({ heartbeat, clockAheadMs }, subject),
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
    return this.#following(graph).map(({ heartbeat }) => heartbeat)
  }

  /**
   * Returns the routers of a graph whose clocks are right. Others refuse tokens and the like that are valid
   * for a while, and their heartbeats prove less.
   */
  followingInTime(graph: GraphName): readonly RouterHeartbeat[] {
    return this.#following(graph)
      .filter(({ clockAheadMs }) => clockAheadMs === 0)
      .map(({ heartbeat }) => heartbeat)
  }

  #following(graph: GraphName): readonly HeardRouter[] {
    return this.#routers
      .list()
      .filter(({ value: { heartbeat }, alive }) => {
        const isOfGraph = heartbeat.namespace === graph.namespace && heartbeat.graph === graph.graph
        return isOfGraph && heartbeat.state !== 'draining' && alive
      })
      .map(({ value }) => value)
  }

  list(): readonly RouterView[] {
    return this.#routers
      .list()
      .map(({ key, value: { heartbeat, clockAheadMs }, ageMs, alive }) => ({
        ...heartbeat,
        ...(heartbeat.load === undefined ? {} : this.#rates.of(key)),
        ageSeconds: Math.round(ageMs) / 1000,
        alive,
        ...(clockAheadMs === 0 ? {} : { clockAheadSeconds: Math.round(clockAheadMs / 1000) }),
      }))
      .sort(
        (left, right) =>
          compareNames(left.namespace, right.namespace) ||
          compareNames(left.graph, right.graph) ||
          compareNames(left.instance, right.instance),
      )
  }

  /** Requests and errors by the second of the graphs that have routers. */
  rates(): readonly GraphRate[] {
    return this.#rates.list()
  }

  /** The subjects of the routers that are alive, in no order. */
  alive(): readonly string[] {
    return this.#routers
      .list()
      .filter(({ alive }) => alive)
      .map(({ key }) => key)
  }

  [Symbol.dispose](): void {
    this.#heard[Symbol.dispose]()
  }

  #hear(router: HeardRouter, subject: string): void {
    const { events } = this.#options
    const { heartbeat, clockAheadMs } = router
    const { boot, state } = heartbeat
    const before = this.#routers.get(subject)
    const isOfBefore = before?.heartbeat.boot === boot
    if (clockAheadMs !== 0) {
      // Perhaps somebody sends again what a process of the same name said that has ended.
      if (before?.clockAheadMs === 0 && !isOfBefore && this.#routers.isAlive(subject)) return
      if (!isOfBefore || before.clockAheadMs === 0)
        events.routerClockOff(subject, Math.round(clockAheadMs / 1000))
    }
    this.askedFlags.hear(heartbeat)
    this.#options.onHeartbeat?.(heartbeat)
    if (state !== 'stopped') {
      const isRefused = !this.#routers.hear(subject, router)
      if (isRefused && !this.#isFull) events.fleetFull(subject)
      this.#isFull ||= isRefused
      this.#rates.hear(subject, heartbeat)
    }
    // A new process of the same name may have been heard before the last heartbeat of the old one.
    else if (isOfBefore) {
      this.#routers.forget(subject)
      this.#rates.forget(subject)
    }
    this.#options.changes.notify()
    if (!serveAlike(before?.heartbeat, heartbeat)) this.#options.onChanged?.()
  }
}

/** Whether two heartbeats differ in figures, and in what clients ask for, at most. */
function serveAlike(before: RouterHeartbeat | undefined, now: RouterHeartbeat): boolean {
  if (before === undefined) return now.state === 'stopped'
  return isDeepStrictEqual(withoutFigures(before), withoutFigures(now))
}

function withoutFigures({ load: _load, flagsInUse: _flagsInUse, ...served }: RouterHeartbeat): object {
  return served
}
