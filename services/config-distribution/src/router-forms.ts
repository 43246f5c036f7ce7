/** Which forms of artifacts the living routers of one graph read, as their heartbeats tell. */
import { PIECES_FORMAT, type RouterHeartbeat } from '@switchyard/contracts'

/** Milliseconds for which a router counts as living that is heard no more: twelve heartbeats. */
const HEARD_FOR_MS = 60_000

export class RouterForms {
  readonly #monotonicNow: () => number
  #readsPiecesAt = Number.NEGATIVE_INFINITY
  #readsWholeAt = Number.NEGATIVE_INFINITY

  constructor(monotonicNow: () => number = () => performance.now()) {
    this.#monotonicNow = monotonicNow
  }

  heard({ formats = [], state }: Pick<RouterHeartbeat, 'formats' | 'state'>): void {
    if (state === 'stopped') return
    if (formats.includes(PIECES_FORMAT)) this.#readsPiecesAt = this.#monotonicNow()
    else this.#readsWholeAt = this.#monotonicNow()
  }

  /** Whether routers were heard, and all of them read artifacts in pieces. */
  get areNew(): boolean {
    const since = this.#monotonicNow() - HEARD_FOR_MS
    return this.#readsPiecesAt > since && this.#readsWholeAt <= since
  }
}
