/**
 * One worker thread that composes, with limits on the CPU and the memory of what it does.
 *
 * CPU is that of the thread, not time: a busy machine fails no composition. A thread that exceeded a limit, crashed, or was
 * interrupted is over; its task is lost, and nothing else.
 */
import { Worker } from 'node:worker_threads'
import type { ComposeOutcome } from '../compose-task.ts'
import {
  CompositionTimeoutError,
  CpuBudgetExceededError,
  OutOfMemoryError,
  WorkerCrashedError,
} from '../errors.ts'
import type { SentTask, ThreadReply } from './thread-messages.ts'

export type ThreadOptions = {
  readonly module: URL
  /** MiB of heap. */
  readonly memoryMb: number
}

export type RunLimits = {
  /** CPU milliseconds of one task. */
  readonly cpuMs: number
  /** Ends the task, and with it the thread. */
  readonly signal: AbortSignal
}

export type Finished = { readonly outcome: ComposeOutcome; readonly cpuMs: number }

/** Composition recurses from type to type: long chains of types need more than the usual 4 MiB. */
const STACK_MB = 32
const LOOK_EVERY_MS = 50
/** A thread that says nothing of its CPU for so long is in something that cannot be interrupted. */
const SILENT_MS = 120_000

export class CompositionThread {
  readonly #worker: Worker
  readonly #memoryMb: number
  #isOver = false
  #usedMs = 0

  constructor({ module, memoryMb }: ThreadOptions) {
    this.#memoryMb = memoryMb
    this.#worker = new Worker(module, {
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, stackSizeMb: STACK_MB },
    })
    // It can end while it is idle; then it is no longer offered work.
    this.#worker.on('error', () => void (this.#isOver = true))
    this.#worker.on('exit', () => void (this.#isOver = true))
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** CPU milliseconds of the last task, as far as they are known. */
  get usedMs(): number {
    return this.#usedMs
  }

  /**
   * Rejects with CpuBudgetExceededError, OutOfMemoryError, WorkerCrashedError, CompositionTimeoutError, or the reason of
   * the signal; then the thread is over.
   */
  run(task: SentTask, { cpuMs, signal }: RunLimits): Promise<Finished> {
    this.#usedMs = 0
    const worker = this.#worker
    const { promise, resolve, reject } = Promise.withResolvers<Finished>()
    const watch = new CpuWatch(worker, {
      onUsed: (usedMs) => {
        this.#usedMs = usedMs
        if (usedMs > cpuMs) fail(new CpuBudgetExceededError(cpuMs, task.subgraphs))
      },
      onSilent: () => fail(new CompositionTimeoutError(SILENT_MS)),
    })
    const release = (): void => {
      watch[Symbol.dispose]()
      worker.off('message', onMessage).off('error', onError).off('exit', onExit)
      signal.removeEventListener('abort', onAbort)
    }
    const fail = (error: unknown): void => {
      release()
      void this.end()
      reject(error)
    }
    const onMessage = (reply: ThreadReply): void => {
      if (reply.kind === 'began') return watch.begin(reply.cpuMs)
      release()
      this.#usedMs = watch.since(reply.cpuMs)
      resolve({ outcome: reply.outcome, cpuMs: this.#usedMs })
    }
    const onError = (error: unknown): void =>
      fail(isOutOfMemory(error) ? new OutOfMemoryError(this.#memoryMb, error) : new WorkerCrashedError(error))
    const onExit = (code: number): void => fail(new WorkerCrashedError(`it exited with code ${code}`))
    const onAbort = (): void => fail(signal.reason)
    worker.on('message', onMessage).on('error', onError).on('exit', onExit)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    else worker.postMessage(task, [])
    return promise
  }

  async end(): Promise<void> {
    this.#isOver = true
    await this.#worker.terminate()
  }
}

/** Asks a busy thread for its CPU again and again, from the task's beginning on. */
class CpuWatch implements Disposable {
  readonly #worker: Worker
  readonly #onUsed: (usedMs: number) => void
  readonly #onSilent: () => void
  readonly #timer: NodeJS.Timeout
  /** CPU of the thread when the task began. */
  #from: number | null = null
  #isAsked = false
  #heardAt = performance.now()

  constructor(
    worker: Worker,
    on: { readonly onUsed: (usedMs: number) => void; readonly onSilent: () => void },
  ) {
    this.#worker = worker
    this.#onUsed = on.onUsed
    this.#onSilent = on.onSilent
    this.#timer = setInterval(() => void this.#look(), LOOK_EVERY_MS)
  }

  begin(cpuMs: number): void {
    this.#from = cpuMs
    this.#heardAt = performance.now()
  }

  since(cpuMs: number): number {
    return this.#from === null ? 0 : Math.max(0, cpuMs - this.#from)
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }

  async #look(): Promise<void> {
    if (performance.now() - this.#heardAt > SILENT_MS) return this.#onSilent()
    if (this.#from === null || this.#isAsked) return
    this.#isAsked = true
    try {
      const { user, system } = await this.#worker.cpuUsage()
      this.#heardAt = performance.now()
      this.#onUsed(this.since((user + system) / 1000))
    } catch {
      // It has ended, which its events say.
    } finally {
      this.#isAsked = false
    }
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}
