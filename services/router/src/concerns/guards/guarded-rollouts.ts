/**
 * Counts the requests of guarded rollouts when they have ended, and stops a rollout whose errors exceed its
 * emergency stop.
 *
 * Inside are the requests that a rollout gave its flag, control those of its audience whose keys are outside
 * of its percentage. All others are in neither: those that name a flag or have no key, those that
 * `countedRequest` leaves out, and those that were answered by what was executed for another. Of these the
 * emergency stop alone counts those inside. Where no rollout is guarded, a request costs one comparison.
 */
import type { ManifestVersion } from '@switchyard/config-store'
import type { ManifestRollout } from '@switchyard/contracts'
import { clusterOf, type Group, type WindowTotals } from '@switchyard/guards/counting'
import type { RequestObserver } from '../../observe/request-observer.ts'
import type { RequestSummary } from '../../observe/request-summary.ts'
import { countedRequest } from './counted-request.ts'
import type { GuardEvents } from './events.ts'
import { GuardedRollout, hasGuard } from './guarded-rollout.ts'
import { manifestOf, type StepReport, type StepReports, type StoppedRollout } from './step-report.ts'

/** The config that is served, and its rollouts. */
export type ServedRollouts = {
  readonly config: {
    readonly version: ManifestVersion
    readonly createdAt: string | null
    readonly rollouts: readonly ManifestRollout[]
  }
  /** The rollouts as requests are decided by them; null if there are none. */
  readonly rollouts: { stop(rollout: string): void } | null
}

/** The events of guarded rollouts, and who judges them. */
export type GuardedRolloutsOptions = {
  readonly events: GuardEvents
  /** Whether emergencies are looked for here. A worker leaves that to its primary, which sees all workers. */
  readonly judges: boolean
  /** Called when a rollout was stopped. */
  readonly onStopped: () => void
}

/** The guarded rollouts of the config that is served. */
export class GuardedRollouts implements RequestObserver {
  readonly #options: GuardedRolloutsOptions
  #served: ServedRollouts | null = null
  /** Rollouts of the served config by their names. */
  #guarded: ReadonlyMap<string, GuardedRollout> = new Map()
  #stopped: readonly StoppedRollout[] = []

  constructor(options: GuardedRolloutsOptions) {
    this.#options = options
  }

  /** Another config is served. The same step goes on with its totals; another one begins with none. */
  serve(served: ServedRollouts): void {
    const before = this.#guarded
    const guarded = new Map<string, GuardedRollout>()
    this.#served = served
    for (const { name, guard } of served.config.rollouts.filter(hasGuard)) {
      const known = before.get(name)
      const rollout = known?.step === guard.step ? known : new GuardedRollout(guard.step)
      const stopped = this.#stoppedTotals(name)
      if (stopped !== null) served.rollouts?.stop(name)
      rollout.serve(served.config, guard, stopped)
      guarded.set(name, rollout)
    }
    this.#guarded = guarded
  }

  /** Treats rollouts as 0 % which were stopped elsewhere, in this manifest or in one that is yet to come. */
  stop(stopped: readonly StoppedRollout[]): void {
    this.#stopped = stopped
    for (const [name, rollout] of this.#guarded) {
      const totals = this.#stoppedTotals(name)
      if (totals !== null && rollout.stopped === null) this.#stop(name, rollout, totals)
    }
  }

  ended(request: RequestSummary): void {
    if (this.#guarded.size === 0) return
    const { requested, composition, started, phases } = request
    if (composition === null || !('by' in requested) || requested.by.key === null) return
    const group = groupOf(composition)
    const name = requested.by.rollout
    const rollout = this.#guarded.get(name)
    if (group === null || rollout?.counts(composition.config) !== true) return
    const counted = countedRequest(request)
    if (counted === null) return
    const cluster = clusterOf(requested.by.key.text)
    const isError = counted.error !== null
    if (!request.joined) rollout.count(group, cluster, counted)
    if (group !== 'inside') return
    if (request.joined) rollout.joined.count(cluster, isError)
    if (!this.#options.judges) return
    const second = (started + phases.whole) / 1000
    const emergency = rollout.judge(second, cluster, isError)
    if (emergency !== null) this.#stopByItself(name, rollout, emergency)
  }

  /** The totals of all guarded rollouts; null if there are none. */
  get reports(): StepReports | null {
    if (this.#served === null || this.#guarded.size === 0) return null
    const { version } = this.#served.config
    return { version, steps: Array.from(this.#guarded, reportOf) }
  }

  #stopByItself(name: string, rollout: GuardedRollout, totals: WindowTotals): void {
    const config = this.#served?.config
    const own = config?.rollouts.filter(hasGuard).find((found) => found.name === name)
    if (config === undefined || own === undefined) return
    this.#stopped = [...this.#stopped, { rollout: name, manifest: manifestOf(config), totals }]
    this.#stop(name, rollout, totals)
    this.#options.events.stopped(own, config.version.revision, totals)
    this.#options.onStopped()
  }

  #stop(name: string, rollout: GuardedRollout, totals: WindowTotals): void {
    this.#served?.rollouts?.stop(name)
    rollout.stop(totals)
  }

  /** Returns the figures for which a rollout is stopped in the manifest that is served; null if it is not. */
  #stoppedTotals(name: string): WindowTotals | null {
    if (this.#served === null) return null
    const served = manifestOf(this.#served.config)
    const found = this.#stopped.find(({ rollout, manifest }) => rollout === name && manifest === served)
    return found?.totals ?? null
  }
}

/** A rollout whose flag is not compiled has answered by base: such a request is in no group. */
function groupOf({ reason }: NonNullable<RequestSummary['composition']>): Group | null {
  if (reason === 'rollout') return 'inside'
  return reason === 'rollout-control' ? 'control' : null
}

function reportOf([name, rollout]: readonly [string, GuardedRollout]): StepReport {
  const { step, counter, joined, stopped } = rollout
  return { rollout: name, step, figures: counter.figures(), joined: joined.totals(), stopped }
}
