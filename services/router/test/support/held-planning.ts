/** Planning threads that begin a task and then wait until the test lets them go on. */
import { Worker } from 'node:worker_threads'
import type { PlanningRequest } from '../../src/planning/planning-messages.ts'
import type { Hold } from './held-planning-worker.ts'
import { until } from './router.ts'

export class HeldPlanning {
  /** Every thread that was started. */
  readonly workers: Worker[] = []
  /** Kinds of what the router said to each thread. */
  readonly heard: PlanningRequest['kind'][][] = []
  readonly #gate = new Int32Array(new SharedArrayBuffer(8))
  readonly #hold: Partial<Hold>
  readonly #held: number

  /** Threads after the first `held` ones are left alone. */
  constructor(hold: Partial<Omit<Hold, 'gate'>> = {}, held = Number.POSITIVE_INFINITY) {
    this.#hold = hold
    this.#held = held
  }

  readonly createWorker = (): Worker => {
    const held = this.workers.length < this.#held
    const worker = held
      ? new Worker(new URL('./held-planning-worker.ts', import.meta.url), {
          workerData: { afterwards: 'plan', ...this.#hold, gate: this.#gate },
          resourceLimits: { maxOldGenerationSizeMb: 64 },
        })
      : new Worker(new URL('../../src/planning/planning-worker.ts', import.meta.url))
    this.workers.push(worker)
    const heard: PlanningRequest['kind'][] = []
    this.heard.push(heard)
    const post = worker.postMessage.bind(worker)
    worker.postMessage = (request: PlanningRequest) => {
      heard.push(request.kind)
      post(request)
    }
    return worker
  }

  /** Tasks that held threads have begun. */
  get begun(): number {
    return Atomics.load(this.#gate, 0)
  }

  async hasBegun(tasks = 1): Promise<void> {
    await until(() => this.begun >= tasks, `a thread begins task ${tasks}`)
  }

  release(): void {
    Atomics.store(this.#gate, 1, 1)
    Atomics.notify(this.#gate, 1)
  }
}
