/**
 * The figures of one step of a ramp, from all routers that reported on it. Nothing of it is kept over a
 * restart: routers tell totals, so that their next messages have all of it again.
 */
import {
  addFigures,
  ErrorWindow,
  type Figures,
  isLater,
  type RouterFigures,
  type WindowTotals,
} from '@switchyard/guards'

/** Boots of routers that are remembered of a step. A fleet has fewer, also after some restarts. */
const MOST_BOOTS = 2000

export class StepFigures {
  /** The sequence of the record that began the step. */
  readonly step: number
  readonly #latest = new Map<string, RouterFigures>()
  readonly #window = new ErrorWindow()
  #sum: Figures | null = null

  constructor(step: number) {
    this.step = step
  }

  /** Takes the totals of a router. `second` is of a clock that only goes on. */
  heard(message: RouterFigures, second: number): void {
    const key = JSON.stringify([message.instance, message.boot])
    const before = this.#latest.get(key)
    if (before === undefined ? this.#latest.size >= MOST_BOOTS : !isLater(message, before)) return
    this.#latest.set(key, message)
    this.#sum = null
    // The first message of a process may be about hours, where this one was started meanwhile.
    if (before === undefined) return
    const [now, then] = [message.figures.inside, before.figures.inside]
    const grown = (counts: readonly number[], old: readonly number[]) =>
      counts.map((count, cluster) => count - (old[cluster] ?? 0))
    this.#window.add(
      second,
      grown(now.clusterRequests, then.clusterRequests),
      grown(now.clusterErrors, then.clusterErrors),
    )
  }

  /** The totals of all routers since the step began. */
  get sum(): Figures {
    this.#sum ??= addFigures([...this.#latest.values()].map(({ figures }) => figures))
    return this.#sum
  }

  /** Requests and errors inside of the last ten seconds, as far as routers told them one after the other. */
  totals(second: number): WindowTotals {
    return this.#window.totals(second)
  }

  /** Whether this start of the router reported on the step. */
  hasReported(instance: string, boot: string): boolean {
    return this.#latest.has(JSON.stringify([instance, boot]))
  }
}
