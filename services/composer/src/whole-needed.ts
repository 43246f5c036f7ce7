/**
 * Whether compositions are to be stored as a whole, as routers of before read them. With the form `pieces`
 * they are not, as soon as every router that is heard reads pieces.
 */
import {
  ALL_ROUTER_STATUS,
  HEARTBEAT_INTERVAL_MS,
  PIECES_FORMAT,
  RouterHeartbeat,
} from '@switchyard/contracts'
import type { Announcer } from '@switchyard/event-log'
import type { ArtifactForm } from './config.ts'

const LISTEN_MS = 3 * HEARTBEAT_INTERVAL_MS
/** Milliseconds for which a router counts as living that is heard no more. */
const HEARD_FOR_MS = 60_000
/** Routers in one line of the log. */
const MAX_NAMED = 20

export type WholeNeededOptions = {
  readonly form: ArtifactForm
  readonly announcer: Announcer
  /** Called when it becomes known that routers need the whole, with their names. */
  readonly onNeeded: (routers: readonly string[]) => void
  /** Milliseconds until all routers were heard; those of three heartbeats if it is not given. */
  readonly listenMs?: number | undefined
  readonly monotonicNow?: () => number
}

export class WholeNeeded implements Disposable {
  readonly #form: ArtifactForm
  readonly #monotonicNow: () => number
  readonly #onNeeded: WholeNeededOptions['onNeeded']
  /** When all routers were heard. */
  readonly #heardAt: number
  readonly #subscription: Disposable | null
  /** When each router was heard last that reads no pieces. */
  readonly #old = new Map<string, number>()
  /** When a router was heard last that reads pieces. */
  #newAt = Number.NEGATIVE_INFINITY
  #isTold = false

  constructor({
    form,
    announcer,
    onNeeded,
    listenMs = LISTEN_MS,
    monotonicNow = () => performance.now(),
  }: WholeNeededOptions) {
    this.#form = form
    this.#monotonicNow = monotonicNow
    this.#onNeeded = onNeeded
    this.#heardAt = monotonicNow() + listenMs
    this.#subscription =
      form === 'both' ? null : announcer.subscribe(ALL_ROUTER_STATUS, (message) => this.#hear(message))
  }

  /** True for the form `both`, while a router may need the whole, and while no router is heard. */
  get isNeeded(): boolean {
    if (this.#form === 'both') return true
    const now = this.#monotonicNow()
    for (const [router, at] of this.#old) if (now - at > HEARD_FOR_MS) this.#old.delete(router)
    if (this.#old.size === 0) {
      this.#isTold = false
      // Where none is heard at all, this service may not be allowed to hear them.
      return now < this.#heardAt || now - this.#newAt > HEARD_FOR_MS
    }
    if (!this.#isTold) this.#onNeeded([...this.#old.keys()].sort().slice(0, MAX_NAMED))
    this.#isTold = true
    return true
  }

  [Symbol.dispose](): void {
    this.#subscription?.[Symbol.dispose]()
  }

  /** Notes routers that read no pieces. Nobody can say of such a router that it does. */
  #hear(message: unknown): void {
    const { success, data } = RouterHeartbeat.safeParse(message)
    if (!success) return
    if (data.formats?.includes(PIECES_FORMAT) === true) {
      this.#newAt = this.#monotonicNow()
      return
    }
    const router = `${data.namespace}/${data.graph}/${data.instance}`
    if (data.state === 'stopped') this.#old.delete(router)
    else if (this.#old.size < MOST_KNOWN || this.#old.has(router)) this.#old.set(router, this.#monotonicNow())
  }
}

/** Routers that are remembered: one of them is enough. */
const MOST_KNOWN = 1000
