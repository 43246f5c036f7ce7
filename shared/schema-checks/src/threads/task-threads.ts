/** Threads that share a list of tasks. Each task has a limit of CPU. */
import { type TaskEnd, WorkerHost, type WorkerHostOptions } from '@switchyard/worker-host'

export type TaskThreadsOptions = Pick<
  WorkerHostOptions,
  'module' | 'name' | 'data' | 'memoryMb' | 'stackMb'
> & {
  /** Most threads that run; at least one. */
  readonly threads: number
  /** CPU milliseconds of one task. */
  readonly cpuMs: number
  /** The subject of a sentence that names what a task does. */
  readonly doing: string
}

/** Thrown if a task of a check took more than it may. The message is for the person who checks. */
export class CheckLimitError extends Error {
  override readonly name = 'CheckLimitError'
}

/** Threads start with the first tasks that need them, and end when this is disposed. */
export class TaskThreads<Task, Result> implements AsyncDisposable {
  readonly #options: TaskThreadsOptions
  readonly #hosts: WorkerHost<Task, Result>[] = []

  constructor(options: TaskThreadsOptions) {
    this.#options = options
  }

  /**
   * Results in the order of the tasks. Only while nothing is running. Rejects when a task exceeds a limit or
   * crashes, and when `outer` ends it.
   */
  async run(tasks: readonly Task[], outer: AbortSignal | undefined): Promise<readonly Result[]> {
    const ended = new AbortController()
    const signal = AbortSignal.any([ended.signal, ...(outer === undefined ? [] : [outer])])
    const queue = tasks.entries()
    const results: Result[] = []
    try {
      await Promise.all(
        this.#hostsFor(tasks.length).map((host) =>
          this.#work(host, queue, signal, (index, result) => void (results[index] = result)),
        ),
      )
    } finally {
      // One failed: the others stop too.
      ended.abort()
    }
    outer?.throwIfAborted()
    return results
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#hosts.map((host) => host[Symbol.asyncDispose]()))
  }

  #hostsFor(tasks: number): readonly WorkerHost<Task, Result>[] {
    const { threads, cpuMs: _, doing: __, ...options } = this.#options
    const wanted = Math.min(threads, tasks)
    while (this.#hosts.length < wanted) this.#hosts.push(new WorkerHost(options))
    return this.#hosts.slice(0, wanted)
  }

  async #work(
    host: WorkerHost<Task, Result>,
    queue: Iterator<[number, Task]>,
    signal: AbortSignal,
    keep: (index: number, result: Result) => void,
  ): Promise<void> {
    const { cpuMs } = this.#options
    for (let next = queue.next(); next.done !== true && !signal.aborted; next = queue.next()) {
      const [index, task] = next.value
      const end = await host.run(task, { cpuMs, signal })
      if (end.kind === 'cancelled' || end.kind === 'disposed') return
      keep(index, this.#resultOf(end))
    }
  }

  /** Throws when the task exceeded a limit or crashed. */
  #resultOf(end: Exclude<TaskEnd<Result>, { readonly kind: 'cancelled' | 'disposed' }>): Result {
    const { doing, cpuMs } = this.#options
    switch (end.kind) {
      case 'done':
        return end.result
      case 'cpu-limit':
      case 'time-limit':
      case 'silent':
        throw new CheckLimitError(
          `${doing} used more than ${cpuMs / 1000} s of CPU, so the check was given up.`,
        )
      case 'memory-limit':
        throw new CheckLimitError(`${doing} used more memory than it may, so the check was given up.`, {
          cause: end.error,
        })
      case 'crashed':
        throw end.error
      default:
        return end satisfies never
    }
  }
}
