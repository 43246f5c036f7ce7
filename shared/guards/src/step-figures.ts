/**
 * The figures of one step of a ramp, from all routers that reported on it. Nothing of it is kept over a
 * restart: routers tell totals, so that their next messages have all of it again.
 */
import { addFigures } from './add-figures.ts'
import { ErrorWindow, type WindowTotals } from './emergency.ts'
import type { Figures, RouterFigures } from './figures.ts'

/** Boots of routers that are remembered of a step. A fleet has fewer, also after some restarts. */
const MOST_BOOTS = 2000

/** One start of a router. */
export type RouterBoot = { readonly instance: string; readonly boot: string }

export class StepFigures {
  /** The sequence of the record that began the step. */
  readonly step: number
  readonly #latest = new Map<string, RouterFigures>()
  readonly #window = new ErrorWindow()
  #sum: Figures | null = null

  constructor(step: number) {
    this.step = step
  }

  /**
   * Takes the totals of a router. Neither their order matters, nor how often they come: the latest message of
   * a boot has all that the earlier ones had. `second` is of a clock that only goes on.
   */
  heard(message: RouterFigures, second: number): void {
    const key = keyOf(message)
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

  /** The totals of all routers since the step began. A router that was started again adds to what it had. */
  get sum(): Figures {
    this.#sum ??= addFigures([...this.#latest.values()].map(({ figures }) => figures))
    return this.#sum
  }

  /** Requests and errors inside of the last ten seconds, as far as routers told them one after the other. */
  totals(second: number): WindowTotals {
    return this.#window.totals(second)
  }

  /** Returns the names of those that have not reported on the step since they were started, sorted. */
  silentOf(living: readonly RouterBoot[]): readonly string[] {
    return namesOf(living.filter((router) => !this.#latest.has(keyOf(router))))
  }

  /** Returns the names of those that treat the rollout as 0 % by their emergency stop, sorted. */
  stoppedOf(living: readonly RouterBoot[]): readonly string[] {
    return namesOf(living.filter((router) => this.#stoppedBy(router) !== null))
  }

  /** Returns the sums of the ten seconds for which these routers stopped the rollout by themselves. */
  totalsOfStopped(living: readonly RouterBoot[]): WindowTotals {
    const all = living.flatMap((router) => this.#stoppedBy(router) ?? [])
    const sum = (of: (totals: WindowTotals) => number) => all.reduce((total, one) => total + of(one), 0)
    return {
      requests: sum(({ requests }) => requests),
      errors: sum(({ errors }) => errors),
      failedClusters: Math.max(0, ...all.map(({ failedClusters }) => failedClusters)),
    }
  }

  #stoppedBy(router: RouterBoot): WindowTotals | null {
    return this.#latest.get(keyOf(router))?.stopped ?? null
  }
}

function keyOf({ instance, boot }: RouterBoot): string {
  return JSON.stringify([instance, boot])
}

function namesOf(routers: readonly RouterBoot[]): readonly string[] {
  return routers.map(({ instance }) => instance).sort()
}

/** Whether a message replaces another of the same boot. The order of arrival has no part in it. */
function isLater(message: RouterFigures, other: RouterFigures): boolean {
  if (message.beat !== other.beat) return message.beat > other.beat
  return JSON.stringify(message) > JSON.stringify(other)
}
