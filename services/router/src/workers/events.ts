/** The workers of a router that has several. */
import { metrics } from '@opentelemetry/api'
import { declareCounter, type Logger } from '@switchyard/service-kit'
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
    this.#log.info({ event: 'workers.starting', workers }, `Starting ${workers} workers`)
  }

  up(worker: number, pid: number | null): void {
    this.#log.info({ event: 'worker.up', worker, workerPid: pid }, `Worker ${worker} is up`)
  }

  /** `ends`: of all workers within a minute. */
  ended(worker: number, { code, signal, failure }: WorkerEnd, { delay, ends }: Replacement): void {
    this.#ends.add(1, { reason: failure !== null ? 'start-failed' : signal !== null ? 'signal' : 'exit' })
    const how = failure?.message ?? (signal === null ? `it exited with ${code}` : `it was ended by ${signal}`)
    this.#log.error(
      { event: 'worker.ended', worker, code, signal, failure: failure?.code ?? undefined },
      `Worker ${worker} came to its end: ${how}. Requests in progress on it have failed; the other workers go on. It is replaced ${
        delay === 0 ? 'at once' : `in ${delay / 1000} s`
      }`,
    )
    if (delay === 0) return
    this.#log.fatal(
      { event: 'workers.ending-again', ends, delay },
      `Workers come to their end again and again, ${ends} within a minute: something that clients send, or the configuration, ends them. ` +
        `The next one is started in ${delay / 1000} s`,
    )
  }

  /** `reason`: why it cannot serve a config that others serve. */
  retired(worker: number, reason: string): void {
    this.#log.error(
      { event: 'worker.retired', worker, reason },
      `Worker ${worker} cannot serve a configuration that other workers serve (${reason}). It finishes what is in progress, and is replaced`,
    )
  }

  hung(worker: number, seconds: number): void {
    this.#log.error(
      { event: 'worker.hung', worker, seconds },
      `Worker ${worker} has said nothing for ${seconds} s. It is killed`,
    )
  }

  stopLimitReached(worker: number): void {
    this.#log.error(
      { event: 'worker.stop-limit', worker },
      `Worker ${worker} did not stop within the limit of draining. It is killed`,
    )
  }

  /** `workers`: so many of them did not answer in time. */
  metricsMissing(workers: number): void {
    const readings = this.#unmeasured.count()
    if (readings === null) return
    this.#log.warn(
      { event: 'workers.metrics-missing', workers, readings },
      'Readings of metrics leave out workers that did not answer within a second',
    )
  }

  /** Connections that wait for a worker are too many. */
  connectionDropped(): void {
    const dropped = this.#dropped.count()
    if (dropped === null) return
    this.#log.warn(
      { event: 'workers.connections-dropped', dropped },
      'Connections are closed before any worker takes them: more come than workers can begin with',
    )
  }
}

type Replacement = { readonly delay: number; readonly ends: number }
