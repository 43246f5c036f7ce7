/** A thread for the tasks of many namespaces: one task at a time, namespaces in turns. */
import type { Transferable } from 'node:worker_threads'
import { problem, ProblemError } from '@switchyard/contracts'
import type { TaskEnd, TaskLimits, WorkerHost } from '@switchyard/worker-host'

/** A task that is large, and so made only when it is its turn. */
export type LateTask<Task> = () => Promise<{
  readonly task: Task
  readonly transfer: readonly Transferable[]
}>

type Waiting<Task, Result> = PromiseWithResolvers<TaskEnd<Result>> & { readonly make: LateTask<Task> }

export type FairLimits = TaskLimits & {
  /** Most tasks of one namespace that wait at a time; as many as come when absent. */
  readonly mostWaiting?: number
}

export class FairHost<Task, Result> implements AsyncDisposable {
  readonly #host: WorkerHost<Task, Result>
  readonly #limits: FairLimits
  /** The waiting tasks by namespace. The namespace whose turn is next stands first. */
  readonly #lines = new Map<string, Waiting<Task, Result>[]>()
  #isWorking = false

  /** Takes over the host and disposes of it in the end. `limits` apply to each task. */
  constructor(host: WorkerHost<Task, Result>, limits: FairLimits) {
    this.#host = host
    this.#limits = limits
  }

  /** Resolves with how the task ended, as the host says. */
  run(namespace: string, task: Task): Promise<TaskEnd<Result>> {
    return this.runLate(namespace, async () => ({ task, transfer: [] }))
  }

  /** The same for a task that is made at its turn. Rejects with a ProblemError if too many wait. */
  async runLate(namespace: string, make: LateTask<Task>): Promise<TaskEnd<Result>> {
    const waiting = { make, ...Promise.withResolvers<TaskEnd<Result>>() }
    const line = this.#lines.get(namespace)
    if (line === undefined) this.#lines.set(namespace, [waiting])
    else if (line.length < (this.#limits.mostWaiting ?? Infinity)) line.push(waiting)
    else throw tooManyWait(line.length)
    void this.#work()
    return waiting.promise
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#host[Symbol.asyncDispose]()
  }

  async #work(): Promise<void> {
    if (this.#isWorking) return
    this.#isWorking = true
    for (let next = this.#takeNext(); next !== null; next = this.#takeNext())
      await this.#carryOut(next.make).then(next.resolve, next.reject)
    this.#isWorking = false
  }

  async #carryOut(make: LateTask<Task>): Promise<TaskEnd<Result>> {
    const { task, transfer } = await make()
    return this.#host.run(task, { ...this.#limits, transfer })
  }

  #takeNext(): Waiting<Task, Result> | null {
    for (const [namespace, line] of this.#lines) {
      this.#lines.delete(namespace)
      const waiting = line.shift()
      if (line.length > 0) this.#lines.set(namespace, line)
      if (waiting !== undefined) return waiting
    }
    return null
  }
}

function tooManyWait(count: number): ProblemError {
  return new ProblemError(
    problem('REGISTRY_BUSY', `${count} questions of this kind wait for an answer already. Ask again later.`),
  )
}
