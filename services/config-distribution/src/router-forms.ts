/** Which forms of artifacts the living routers of one graph read, as their heartbeats tell. */
import { HEARTBEAT_INTERVAL_MS, PIECES_FORMAT, type RouterHeartbeat } from '@switchyard/contracts'

const LISTEN_MS = 3 * HEARTBEAT_INTERVAL_MS
/** Milliseconds for which a router counts as living that is heard no more: twelve heartbeats. */
const HEARD_FOR_MS = 60_000

export class RouterForms {
  readonly #monotonicNow: () => number
  /** When all routers were heard. */
  readonly #heardAt: number
  #readsPiecesAt = Number.NEGATIVE_INFINITY
  #readsWholeAt = Number.NEGATIVE_INFINITY

  /** `listenMs`: how long it takes to hear all routers. */
  constructor(listenMs = LISTEN_MS, monotonicNow: () => number = () => performance.now()) {
    this.#monotonicNow = monotonicNow
    this.#heardAt = monotonicNow() + listenMs
  }

  heard({ formats = [], state }: Pick<RouterHeartbeat, 'formats' | 'state'>): void {
    if (state === 'stopped') return
    if (formats.includes(PIECES_FORMAT)) this.#readsPiecesAt = this.#monotonicNow()
    else this.#readsWholeAt = this.#monotonicNow()
  }

  /** Whether routers were heard, and all of them read artifacts in pieces. */
  get areNew(): boolean {
    const now = this.#monotonicNow()
    const since = now - HEARD_FOR_MS
    return now >= this.#heardAt && this.#readsPiecesAt > since && this.#readsWholeAt <= since
  }
}
