/** A thread for the tasks of many namespaces: one task at a time, namespaces in turns. */
import type { TaskEnd, TaskLimits, WorkerHost } from '@switchyard/worker-host'

type Waiting<Task, Result> = PromiseWithResolvers<TaskEnd<Result>> & { readonly task: Task }

export class FairHost<Task, Result> implements AsyncDisposable {
  readonly #host: WorkerHost<Task, Result>
  readonly #limits: TaskLimits
  /** The waiting tasks by namespace. The namespace whose turn is next stands first. */
  readonly #lines = new Map<string, Waiting<Task, Result>[]>()
  #isWorking = false

  /** Takes over the host and disposes of it in the end. `limits` apply to each task. */
  constructor(host: WorkerHost<Task, Result>, limits: TaskLimits) {
    this.#host = host
    this.#limits = limits
  }

  /** Resolves with how the task ended, as the host says. */
  run(namespace: string, task: Task): Promise<TaskEnd<Result>> {
    const waiting = { task, ...Promise.withResolvers<TaskEnd<Result>>() }
    const line = this.#lines.get(namespace)
    if (line === undefined) this.#lines.set(namespace, [waiting])
    else line.push(waiting)
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
      await this.#host.run(next.task, this.#limits).then(next.resolve, next.reject)
    this.#isWorking = false
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
