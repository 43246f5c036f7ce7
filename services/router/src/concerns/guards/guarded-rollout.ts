/** One guarded rollout at one step, as a router counts its requests. */
import type { ManifestRollout } from '@switchyard/contracts'
import {
  type CountedRequest,
  type EmergencyStop,
  ErrorWindow,
  FiguresCounter,
  type Group,
  isEmergency,
  type WindowTotals,
} from '@switchyard/guards/counting'
import { JoinedCounts } from './joined-counts.ts'

/** A rollout while its ramp is guarded. */
export type WithGuard = ManifestRollout & { readonly guard: NonNullable<ManifestRollout['guard']> }

/** Whether a rollout is one whose requests are counted. */
export function hasGuard(rollout: ManifestRollout): rollout is WithGuard {
  return rollout.guard !== undefined && rollout.mode === 'serve'
}

/** The requests of one step. */
export class GuardedRollout {
  readonly step: number
  readonly counter = new FiguresCounter()
  readonly joined = new JoinedCounts()
  /** The configs that were served during the step. Requests of others belong to another step. */
  readonly #configs = new WeakSet<object>()
  #limit: EmergencyStop | null = null
  #window = new ErrorWindow()
  #stopped: WindowTotals | null = null

  constructor(step: number) {
    this.step = step
  }

  /** The figures for which it is treated as 0 %; null if it is not. */
  get stopped(): WindowTotals | null {
    return this.#stopped
  }

  /** Goes on with another config. `stopped`: the figures for which it is treated as 0 % there, if it is. */
  serve(config: object, { stop }: WithGuard['guard'], stopped: WindowTotals | null): void {
    this.#configs.add(config)
    this.#limit = stop ?? null
    if (stopped === null && this.#stopped !== null) this.#window = new ErrorWindow()
    this.#stopped = stopped
  }

  /** Whether a request that was answered by this config counts. */
  counts(config: object): boolean {
    return this.#stopped === null && this.#configs.has(config)
  }

  /** From now on it is treated as 0 %, and nothing is counted. */
  stop(totals: WindowTotals): void {
    this.#stopped = totals
  }

  count(group: Group, cluster: number, request: CountedRequest): void {
    this.counter.count(group, cluster, request)
  }

  /**
   * Notes a request inside the percentage that ended in this second. Returns the figures of ten seconds if
   * they exceed the emergency stop.
   */
  judge(second: number, cluster: number, isError: boolean): WindowTotals | null {
    if (this.#limit === null) return null
    this.#window.count(second, cluster, isError)
    if (!isError) return null
    const totals = this.#window.totals(second)
    return isEmergency(this.#limit, totals) ? totals : null
  }
}
