/**
 * The figures of guarded rollouts over all workers of a router: the primary reports their sums, as a router
 * of one process reports its own, and stops a rollout in all of them.
 */
import { compareVersions } from '@switchyard/config-store'
import {
  addFigures,
  ErrorWindow,
  Figures,
  FiguresCounter,
  isEmergency,
  type WindowTotals,
} from '@switchyard/guards/counting'
import type { GuardEvents } from '../concerns/guards/events.ts'
import { hasGuard, type WithGuard } from '../concerns/guards/guarded-rollout.ts'
import { addJoined, type JoinedTotals, NONE_JOINED } from '../concerns/guards/joined-counts.ts'
import {
  manifestOf,
  type StepReport,
  type StepReports,
  type StoppedRollout,
} from '../concerns/guards/step-report.ts'
import type { VerifiedConfig } from '../generations/offered-config.ts'
import type { StartWorker, Worker } from './worker.ts'

type ServedConfig = Pick<VerifiedConfig, 'version' | 'createdAt' | 'rollouts'>

/** The config that workers serve, and who hears of stops. */
export type FiguresOfWorkersOptions = {
  /** Null while no worker serves one. */
  readonly serving: () => ServedConfig | null
  readonly events: GuardEvents
  /** Called when a rollout was stopped. */
  readonly onStopped: () => void
}

/** Sums of all workers, those included that have ended. */
type SummedRollout = {
  readonly rollout: WithGuard
  /** The last totals of workers that have ended. */
  ended: Figures
  sum: Figures
  /** As `ended` and `sum`, of the requests that no group has. */
  endedJoined: JoinedTotals
  sumJoined: JoinedTotals
  window: ErrorWindow
}

const NONE = new FiguresCounter().figures()

/** Sums up what workers report. */
export class FiguresOfWorkers {
  readonly #options: FiguresOfWorkersOptions
  readonly #workers = new Set<Worker>()
  /** The newest config that all workers serve. */
  #config: ServedConfig | null = null
  /** The guarded rollouts that are served, by their names. */
  #rollouts: ReadonlyMap<string, SummedRollout> = new Map()
  #stopped: readonly StoppedRollout[] = []

  constructor(options: FiguresOfWorkersOptions) {
    this.#options = options
  }

  /** The rollouts that the router treats as 0 %, of the config that is served. */
  get stopped(): readonly StoppedRollout[] {
    return this.#stopped
  }

  /** Includes the workers that `start` starts. */
  watching(start: StartWorker): StartWorker {
    return (number, listener) => {
      const worker = start(number, listener)
      this.#workers.add(worker)
      return worker
    }
  }

  /** Keeps the totals of a worker that has ended. */
  ended(worker: Worker): void {
    this.look()
    this.#workers.delete(worker)
    for (const summed of this.#rollouts.values()) {
      const reports = reportsOf(summed.rollout, worker)
      summed.ended = addFigures([summed.ended, ...reports.map(({ figures }) => figures)])
      summed.endedJoined = addJoined([summed.endedJoined, ...reports.map(({ joined }) => joined)])
    }
  }

  /** Sums up anew, and judges the last ten seconds. To be called about once a second. */
  look(): void {
    this.#follow()
    const second = performance.now() / 1000
    for (const summed of this.#rollouts.values()) {
      const { rollout, window, sum: before, sumJoined: joinedBefore } = summed
      const reports = [...this.#workers].flatMap((worker) => reportsOf(rollout, worker))
      const sum = addFigures([summed.ended, ...reports.map(({ figures }) => figures)])
      const joined = addJoined([summed.endedJoined, ...reports.map((report) => report.joined)])
      window.add(
        second,
        grown(joined.requests, joinedBefore.requests),
        grown(joined.errors, joinedBefore.errors),
      )
      summed.sumJoined = joined
      // More than can be counted: as in one process, counting ends.
      if (!Figures.safeParse(sum).success) continue
      summed.sum = sum
      const requests = grown(sum.inside.clusterRequests, before.inside.clusterRequests)
      const errors = grown(sum.inside.clusterErrors, before.inside.clusterErrors)
      window.add(second, requests, errors)
      this.#judge(rollout, window.totals(second))
    }
  }

  /** The sums as of now; null while no guarded rollout runs. */
  get reports(): StepReports | null {
    this.look()
    if (this.#config === null || this.#rollouts.size === 0) return null
    const steps = Array.from(this.#rollouts, ([name, { rollout, sum, sumJoined }]) => ({
      rollout: name,
      step: rollout.guard.step,
      figures: sum,
      joined: sumJoined,
      stopped: this.#stoppedTotals(name),
    }))
    return { version: this.#config.version, steps }
  }

  #judge(rollout: WithGuard, totals: WindowTotals): void {
    const config = this.#config
    const { name, guard } = rollout
    if (config === null || guard.stop === undefined || this.#stoppedTotals(name) !== null) return
    if (!isEmergency(guard.stop, totals)) return
    this.#stopped = [...this.#stopped, { rollout: name, manifest: manifestOf(config), totals }]
    this.#options.events.stopped(rollout, config.version.revision, totals)
    this.#options.onStopped()
  }

  #stoppedTotals(name: string): WindowTotals | null {
    return this.#stopped.find(({ rollout }) => rollout === name)?.totals ?? null
  }

  /** Goes on with another config once all workers serve it. A worker that starts may serve an older one. */
  #follow(): void {
    const config = this.#options.serving()
    const last = this.#config
    if (config === null || config === last) return
    if (last !== null && compareVersions(config.version, last.version) < 0) return
    this.#config = config
    if (last !== null && manifestOf(config) === manifestOf(last)) return
    const before = this.#rollouts
    const wasStopped = new Set(this.#stopped.map(({ rollout }) => rollout))
    this.#stopped = []
    this.#rollouts = new Map(
      config.rollouts.filter(hasGuard).map((rollout) => {
        const known = before.get(rollout.name)
        if (known?.rollout.guard.step !== rollout.guard.step) return [rollout.name, begun(rollout)]
        const window = wasStopped.has(rollout.name) ? new ErrorWindow() : known.window
        return [rollout.name, { ...known, rollout, window }]
      }),
    )
  }
}

function begun(rollout: WithGuard): SummedRollout {
  const joined = { endedJoined: NONE_JOINED, sumJoined: NONE_JOINED }
  return { rollout, ended: NONE, sum: NONE, ...joined, window: new ErrorWindow() }
}

/** Returns the report of a worker on the same step; none if it has not begun it, or is beyond it. */
function reportsOf({ name, guard }: WithGuard, { reports }: Worker): readonly StepReport[] {
  const own = reports?.steps.find(({ rollout, step }) => rollout === name && step === guard.step)
  return own === undefined ? [] : [own]
}

function grown(counts: readonly number[], before: readonly number[]): readonly number[] {
  return counts.map((count, at) => count - (before[at] ?? 0))
}
