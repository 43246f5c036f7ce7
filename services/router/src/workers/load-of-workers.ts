/** The load of a router with several workers: that of its processes, and the requests of ended workers. */
import type { ProcessLoad } from '@switchyard/contracts'
import { joinLoads, LoadMeter } from '@switchyard/service-kit'
import type { StartWorker, Worker } from './worker.ts'

/** Measures the primary until it is disposed, and hears the workers. */
export class LoadOfWorkers implements Disposable {
  readonly #meter = new LoadMeter()
  readonly #workers = new Set<Worker>()
  #endedRequests = 0
  #endedErrors = 0

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
    if (!this.#workers.delete(worker)) return
    this.#endedRequests += worker.load?.requests ?? 0
    this.#endedErrors += worker.load?.errors ?? 0
  }

  read(): ProcessLoad {
    const own = { ...this.#meter.read(), requests: this.#endedRequests, errors: this.#endedErrors }
    return joinLoads(
      own,
      [...this.#workers].map(({ load }) => load).filter((load) => load !== null),
    )
  }

  [Symbol.dispose](): void {
    this.#meter[Symbol.dispose]()
  }
}
