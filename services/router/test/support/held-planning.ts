/** Planning threads that begin a task and then wait until the test lets them go on. */
import { Worker } from 'node:worker_threads'
import type { MessageToThread } from '@switchyard/worker-host'
import type { ForgetGraph, SentPlanningTask } from '../../src/planning/planning-messages.ts'
import type { Hold } from './held-planning-worker.ts'
import { until } from './router.ts'

export class HeldPlanning {
  /** Every thread that was started. */
  readonly workers: Worker[] = []
  /** What the router sent to each thread: graphs, plans to make, and graphs to forget. */
  readonly heard: ('graph' | 'plan' | 'forget')[][] = []
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
    const heard: ('graph' | 'plan' | 'forget')[] = []
    this.heard.push(heard)
    const post = worker.postMessage.bind(worker)
    worker.postMessage = (message: MessageToThread<SentPlanningTask, ForgetGraph>) => {
      if (message.kind === 'notice') heard.push('forget')
      else heard.push(...(message.task.packed === null ? [] : (['graph'] as const)), 'plan')
      post(message)
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
