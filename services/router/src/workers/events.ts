/** The workers of a router that has several. */
import { metrics } from '@opentelemetry/api'
import { declareCounter, logEvent, type Logger } from '@switchyard/service-kit'
import { METER } from '../observe/meter.ts'
import { Repeated } from '../observe/repeated.ts'

/** The reason why the process of a worker ended. */
export type WorkerEnd = {
  readonly code: number | null
  readonly signal: string | null
  /** The failure that the worker reported itself, if it could not start. */
  readonly failure: { readonly code: string | null; readonly message: string } | null
}

export const WORKER_ENDS = declareCounter('switchyard.router.worker_ends', {
  description: 'Workers that ended unexpectedly, by the reason',
  labels: { reason: ['exit', 'signal', 'start-failed'] },
})

/** The log events of this file. */
export const LOGGED = {
  starting: logEvent('workers.starting', {
    level: 'info',
    fields: ['workers'],
    says: 'The router starts `workers` [workers](configuration.md#several-workers).',
  }),
  up: logEvent('worker.up', {
    level: 'info',
    fields: ['worker', 'workerPid'],
    says: 'A worker is up.',
  }),
  ended: logEvent('worker.ended', {
    level: 'error',
    fields: ['worker', 'code', 'signal', 'failure'],
    says: 'A worker came to its end. Requests in progress on it failed, and it is replaced.',
    advice: 'Look at the lines before it with this `worker`, and report it with them',
  }),
  endingAgain: logEvent('workers.ending-again', {
    level: 'fatal',
    fields: ['ends', 'delay'],
    says: 'Workers end again and again. Something that clients send, or the configuration, ends them. The next one is started later.',
    advice:
      'Look at the last lines of workers, and at what clients ask then. Roll the configuration back if it came with one',
  }),
  retired: logEvent('worker.retired', {
    level: 'error',
    fields: ['worker', 'reason'],
    says: 'A worker cannot serve a configuration that others serve. It drains and is replaced.',
    advice: 'Act on the reason. Often it is memory',
  }),
  hung: logEvent('worker.hung', {
    level: 'error',
    fields: ['worker', 'seconds'],
    says: 'A worker said nothing for `seconds`, and is killed.',
    advice: 'Report it with the lines before it',
  }),
  stopLimit: logEvent('worker.stop-limit', {
    level: 'error',
    fields: ['worker'],
    says: 'A worker did not stop within the limit of draining, and is killed.',
    advice: 'Raise `shutdown.drain_timeout`, if requests may take that long. Otherwise report it',
  }),
  metricsMissing: logEvent('workers.metrics-missing', {
    level: 'warn',
    fields: ['workers', 'readings'],
    says: 'Readings of metrics leave out workers that did not answer within a second',
    advice: 'See whether they are overloaded',
  }),
  connectionsDropped: logEvent('workers.connections-dropped', {
    level: 'warn',
    fields: ['dropped'],
    says: 'Connections are closed before any worker takes them: more come than workers can begin with',
    advice: 'Use more workers, or more routers',
  }),
}

/** Logs and counts what becomes of worker processes. */
export class WorkerEvents {
  readonly #log: Logger
  readonly #ends = metrics.getMeter(METER).createCounter(WORKER_ENDS.name, WORKER_ENDS.options)
  readonly #dropped = new Repeated()
  readonly #unmeasured = new Repeated()

  constructor(logger: Logger) {
    this.#log = logger
  }

  starting(workers: number): void {
    LOGGED.starting.write(this.#log, { workers }, `Starting ${workers} workers`)
  }

  up(worker: number, pid: number | null): void {
    LOGGED.up.write(this.#log, { worker, workerPid: pid }, `Worker ${worker} is up`)
  }

  /** `ends`: of all workers within a minute. */
  ended(worker: number, { code, signal, failure }: WorkerEnd, { delay, ends }: Replacement): void {
    this.#ends.add(1, { reason: failure !== null ? 'start-failed' : signal !== null ? 'signal' : 'exit' })
    const how = failure?.message ?? (signal === null ? `it exited with ${code}` : `it was ended by ${signal}`)
    LOGGED.ended.write(
      this.#log,
      { worker, code, signal, failure: failure?.code ?? undefined },
      `Worker ${worker} came to its end: ${how}. Requests in progress on it have failed; the other workers go on. It is replaced ${
        delay === 0 ? 'at once' : `in ${delay / 1000} s`
      }`,
    )
    if (delay === 0) return
    LOGGED.endingAgain.write(
      this.#log,
      { ends, delay },
      `Workers come to their end again and again, ${ends} within a minute: something that clients send, or the configuration, ends them. ` +
        `The next one is started in ${delay / 1000} s`,
    )
  }

  /** `reason`: why it cannot serve a config that others serve. */
  retired(worker: number, reason: string): void {
    LOGGED.retired.write(
      this.#log,
      { worker, reason },
      `Worker ${worker} cannot serve a configuration that other workers serve (${reason}). It finishes what is in progress, and is replaced`,
    )
  }

  hung(worker: number, seconds: number): void {
    LOGGED.hung.write(
      this.#log,
      { worker, seconds },
      `Worker ${worker} has said nothing for ${seconds} s. It is killed`,
    )
  }

  stopLimitReached(worker: number): void {
    LOGGED.stopLimit.write(
      this.#log,
      { worker },
      `Worker ${worker} did not stop within the limit of draining. It is killed`,
    )
  }

  /** `workers`: so many of them did not answer in time. */
  metricsMissing(workers: number): void {
    const readings = this.#unmeasured.count()
    if (readings === null) return
    LOGGED.metricsMissing.write(this.#log, { workers, readings })
  }

  /** Connections that wait for a worker are too many. */
  connectionDropped(): void {
    const dropped = this.#dropped.count()
    if (dropped === null) return
    LOGGED.connectionsDropped.write(this.#log, { dropped })
  }
}

type Replacement = { readonly delay: number; readonly ends: number }
