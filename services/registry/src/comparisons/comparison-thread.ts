/** The thread that compares schemas. */
import { problem, ProblemError } from '@switchyard/contracts'
import { WorkerHost } from '@switchyard/worker-host'
import { FairHost, type LateTask } from '../threads/fair-host.ts'
import { resultOf } from '../threads/task-result.ts'
import type { ComparisonAnswer, ComparisonTask } from './comparison-task.ts'

/** MiB of heap, and of stack, since composition recurses from type to type. */
const MEMORY_MB = 4096
const STACK_MB = 32
/** CPU milliseconds of one comparison. */
const CPU_MS = 120_000
const MOST_WAITING = 10

export class ComparisonThread implements AsyncDisposable {
  readonly #host: FairHost<ComparisonTask, ComparisonAnswer>

  constructor({ memoryMb = MEMORY_MB, cpuMs = CPU_MS } = {}) {
    const module = new URL('./comparison-worker.ts', import.meta.url)
    const options = { module, name: 'comparisons', memoryMb, stackMb: STACK_MB, idleMs: 60_000 }
    const host = new WorkerHost<ComparisonTask, ComparisonAnswer>(options)
    this.#host = new FairHost(host, { cpuMs, mostWaiting: MOST_WAITING })
  }

  /** The answer as JSON. `make` reads what is compared, at its turn. Rejects with a ProblemError. */
  async compare(namespace: string, make: LateTask<ComparisonTask>): Promise<Uint8Array> {
    const answer = resultOf(await this.#host.runLate(namespace, make), 'The comparison')
    if (answer.kind === 'answer') return answer.body
    throw new ProblemError(problem('ANSWER_TOO_EXPENSIVE', answer.message))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#host[Symbol.asyncDispose]()
  }
}
