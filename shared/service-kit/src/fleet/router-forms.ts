/** Which forms of artifacts the living routers read, as their heartbeats tell. */
import { HEARTBEAT_INTERVAL_MS, PIECES_FORMAT, type RouterHeartbeat } from '@switchyard/contracts'
import { Heard } from './heard.ts'

const LISTEN_MS = 3 * HEARTBEAT_INTERVAL_MS
/** Milliseconds for which a router counts as living that is heard no more: twelve heartbeats. */
const HEARD_FOR_MS = 60_000
/** Old routers that are remembered at a time: one of them is enough. */
const MOST_KNOWN = 1000

export type RouterFormsOptions = {
  /** Milliseconds until all routers were heard; those of three heartbeats if it is not given. */
  readonly listenMs?: number | undefined
  readonly monotonicNow?: (() => number) | undefined
}

export class RouterForms {
  readonly #monotonicNow: () => number
  /** When all routers were heard. */
  readonly #heardAt: number
  /** The routers that read no pieces. */
  readonly #old: Heard<null>
  /** When a router was heard last that reads pieces. */
  #newAt = Number.NEGATIVE_INFINITY

  constructor({ listenMs = LISTEN_MS, monotonicNow = () => performance.now() }: RouterFormsOptions = {}) {
    this.#monotonicNow = monotonicNow
    this.#heardAt = monotonicNow() + listenMs
    this.#old = new Heard({ keptMs: HEARD_FOR_MS, most: MOST_KNOWN, monotonicNow })
  }

  /** Notes what a router reads. A router that reads no pieces counts until it stops or is heard no more. */
  heard({ namespace, graph, instance, formats = [], state }: RouterHeartbeat): void {
    const router = `${namespace}/${graph}/${instance}`
    const readsPieces = formats.includes(PIECES_FORMAT)
    if (state === 'stopped') {
      if (!readsPieces) this.#old.forget(router)
    } else if (readsPieces) this.#newAt = this.#monotonicNow()
    else this.#old.hear(router, null)
  }

  /** The living routers that read no pieces, as `<namespace>/<graph>/<instance>`, sorted. */
  get old(): readonly string[] {
    return this.#old
      .list()
      .map(({ key }) => key)
      .sort()
  }

  /** Whether routers were heard, and all of them read artifacts in pieces. */
  get areNew(): boolean {
    const now = this.#monotonicNow()
    return now >= this.#heardAt && now - this.#newAt <= HEARD_FOR_MS && this.#old.list().length === 0
  }
}
