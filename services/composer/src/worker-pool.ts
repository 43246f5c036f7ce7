/**
 * Worker threads that compose. A thread that crashes or takes too long costs its own task only: it is ended and the next
 * task gets a new one.
 */
import { Worker } from 'node:worker_threads'
import type { ComposeOutcome, ComposeTask } from './compose-task.ts'
import { CompositionTimeoutError, PoolClosedError, WorkerCrashedError } from './errors.ts'

export type WorkerPoolOptions = {
  readonly size: number
  /** A composition may take this long. */
  readonly timeLimitMs: number
  /** The worker's module; tests give one that misbehaves. */
  readonly module?: URL
}

type Job = {
  readonly task: ComposeTask
  readonly resolve: (outcome: ComposeOutcome) => void
  readonly reject: (error: Error) => void
}

const MODULE = new URL('./composition-worker.ts', import.meta.url)
const HEAP_LIMIT_MB = 2048

export class WorkerPool implements AsyncDisposable {
  readonly #options: WorkerPoolOptions
  readonly #idle: Worker[] = []
  readonly #queue: Job[] = []
  readonly #workers = new Set<Worker>()
  #closed = false

  /** Starts the first thread at once, so that the first composition does not wait for it. */
  constructor(options: WorkerPoolOptions) {
    this.#options = options
    this.#idle.push(this.#start())
  }

  /** Rejects with CompositionTimeoutError, WorkerCrashedError or PoolClosedError. */
  run(task: ComposeTask): Promise<ComposeOutcome> {
    if (this.#closed) return Promise.reject(new PoolClosedError())
    return new Promise((resolve, reject) => {
      this.#queue.push({ task, resolve, reject })
      this.#dispatch()
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true
    for (const job of this.#queue.splice(0)) job.reject(new PoolClosedError())
    await Promise.all(Array.from(this.#workers, (worker) => worker.terminate()))
  }

  #dispatch(): void {
    while (!this.#closed && this.#queue.length > 0) {
      const worker = this.#idle.pop() ?? (this.#workers.size < this.#options.size ? this.#start() : null)
      if (worker === null) return
      const job = this.#queue.shift()
      if (job !== undefined) this.#execute(worker, job)
    }
  }

  #start(): Worker {
    const worker = new Worker(this.#options.module ?? MODULE, {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MB },
    })
    this.#workers.add(worker)
    // A thread can end while it is idle; then it is no longer offered work.
    worker.on('error', () => {})
    worker.on('exit', () => this.#forget(worker))
    return worker
  }

  #execute(worker: Worker, { task, resolve, reject }: Job): void {
    const { timeLimitMs } = this.#options
    const release = (): void => {
      clearTimeout(timer)
      worker.off('message', onMessage)
      worker.off('error', onError)
      worker.off('exit', onExit)
    }
    const discard = (error: Error): void => {
      release()
      this.#forget(worker)
      void worker.terminate()
      reject(this.#closed ? new PoolClosedError() : error)
      this.#dispatch()
    }
    const onMessage = (outcome: ComposeOutcome): void => {
      release()
      this.#idle.push(worker)
      resolve(outcome)
      this.#dispatch()
    }
    const onError = (error: unknown): void => discard(new WorkerCrashedError(error))
    const onExit = (code: number): void => discard(new WorkerCrashedError(`it exited with code ${code}`))
    const timer = setTimeout(() => discard(new CompositionTimeoutError(timeLimitMs)), timeLimitMs)
    worker.on('message', onMessage)
    worker.on('error', onError)
    worker.on('exit', onExit)
    worker.postMessage(task, [])
  }

  #forget(worker: Worker): void {
    this.#workers.delete(worker)
    const index = this.#idle.indexOf(worker)
    if (index !== -1) this.#idle.splice(index, 1)
  }
}
