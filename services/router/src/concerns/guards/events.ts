/** Says that the router stopped a rollout by itself. */
import { metrics } from '@opentelemetry/api'
import type { WindowTotals } from '@switchyard/guards/counting'
import { declareCounter, logEvent, type Logger } from '@switchyard/service-kit'
import { METER } from '../../observe/meter.ts'
import type { WithGuard } from './guarded-rollout.ts'

export const ROLLOUTS_STOPPED = declareCounter('switchyard.router.rollouts_stopped', {
  description: 'Times that the router stopped a rollout by itself, since its emergency stop was exceeded',
  labels: { rollout: '' },
})

/** The log events of this file. */
export const LOGGED = {
  stopped: logEvent('rollout.stopped', {
    level: 'warn',
    fields: ['rollout', 'flag', 'revision', 'percent', 'requests', 'errors', 'failedClusters', 'limit'],
    says: 'The errors inside the percentage of a rollout exceeded its [emergency stop](guards.md#the-emergency-stop). The router treats the rollout as 0 % until it serves another revision.',
    advice:
      'Look at what fails in the feature: `switchyard rollout figures` lists errors by code. The ramp is aborted by its controller; if that is away, abort it by hand',
  }),
}

/** Logs and counts stops of rollouts. */
export class GuardEvents {
  readonly #log: Logger
  readonly #stops = metrics.getMeter(METER).createCounter(ROLLOUTS_STOPPED.name, ROLLOUTS_STOPPED.options)

  constructor(logger: Logger) {
    this.#log = logger
  }

  stopped({ name: rollout, flag, percent, guard }: WithGuard, revision: number, totals: WindowTotals): void {
    const { requests, errors, failedClusters } = totals
    const limit = guard.stop?.errors.percent ?? null
    this.#stops.add(1, { rollout })
    LOGGED.stopped.write(
      this.#log,
      { rollout, flag, revision, percent, requests, errors, failedClusters, limit },
      `Rollout "${rollout}" is treated as 0 % until another revision is served: ${errors} of ${requests} requests inside its ${percent} % failed within 10 s, and its emergency stop is at ${limit} %`,
    )
  }
}
