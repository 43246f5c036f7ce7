/**
 * Tells the results of shadows at intervals: soon after they changed, and now and then while there are any,
 * for a registry that has started anew. They are totals, so that a lost message loses nothing.
 */
import { randomUUID } from 'node:crypto'
import {
  DIFFERENCES_INTERVAL_MS,
  type GraphName,
  type RolloutResults,
  type RouterDifferences,
  routerDifferencesSubject,
} from '@switchyard/contracts'
import type { Announcer } from '@switchyard/event-log'
import type { FleetKey } from '@switchyard/service-kit'
import { fitResults } from '../concerns/shadows/results/fit-results.ts'
import type { ShadowResults } from '../concerns/shadows/results/shadow-results.ts'

/** Intervals after which unchanged results are told again. */
const AGAIN_AFTER = 30

/** The results, and what they are told to. */
export type DifferencesReportOptions = {
  readonly results: ShadowResults
  /** Names of the rollouts of the config whose answers are compared. Null while no config is served. */
  readonly rollouts: () => readonly string[] | null
  readonly tell: (results: readonly RolloutResults[]) => void
  /** Milliseconds. */
  readonly interval?: number | undefined
}

/** Tells results until it is disposed, and then a last time. */
export class DifferencesReport implements Disposable {
  readonly #options: DifferencesReportOptions
  readonly #timer: NodeJS.Timeout
  #told = 0
  #unchanged = 0

  constructor(options: DifferencesReportOptions) {
    this.#options = options
    const { interval = DIFFERENCES_INTERVAL_MS } = options
    this.#timer = setInterval(() => this.look(), interval).unref()
  }

  /** Tells the results if they changed, or were not told for a while. */
  look(): void {
    const { results, rollouts, tell } = this.#options
    const current = rollouts()
    if (current !== null) results.keepOnly(current)
    const { changes } = results
    if (changes === 0) return
    this.#unchanged = changes === this.#told ? this.#unchanged + 1 : 0
    if (this.#unchanged % AGAIN_AFTER !== 0) return
    this.#told = changes
    tell(fitResults(results.all()))
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    this.look()
  }
}

/** The router that tells results. */
export type TellingRouter = {
  readonly announcer: Announcer
  /** The key that signs what is told; null if it is told unsigned. */
  readonly fleetKey: FleetKey | null
  readonly instance: string
  /** Null while it is not known. */
  readonly graph: () => GraphName | null
}

/** Makes a function that announces results of a process. `boot` tells it from others of the router. */
export function announceDifferences({
  announcer,
  fleetKey,
  instance,
  graph,
}: TellingRouter): (results: readonly RolloutResults[], boot?: string) => void {
  const sign = fleetKey?.signer() ?? null
  const own = randomUUID()
  return (results, boot = own) => {
    const of = graph()
    if (of === null) return
    const message: RouterDifferences = {
      instance,
      boot,
      namespace: of.namespace,
      graph: of.graph,
      rollouts: [...results],
    }
    const subject = routerDifferencesSubject(of, instance)
    announcer.announce(subject, sign?.(subject, message) ?? message)
  }
}
