/**
 * Runs tasks in a thread, one at a time, and keeps the rules of life and death that all threads here have:
 *
 * - A task has a limit of time or of CPU, and may have one of memory. One that exceeds a limit is ended with
 *   its thread.
 * - A task always ends, and tells how: see `TaskEnd`. A failure that is expected is a result; a task that
 *   throws crashes.
 * - A thread whose task was ended is not used again, since nobody knows its state. The next task gets a new
 *   one.
 * - A thread that dies between tasks is replaced for the next one. Only a task that was sent in the moment of
 *   the death, before this side knew of it, is told that it crashed.
 * - A thread without a task does not keep the process alive.
 *
 * A host has no queue: whose task is next is decided by whoever holds the host.
 */
import type { Transferable } from 'node:worker_threads'
import type { MessageFromThread, MessageToThread } from './messages.ts'
import { type Excess, type TaskLimit, TaskWatch } from './task-watch.ts'
import { type ThreadDeath, type ThreadOptions, WorkerThread } from './worker-thread.ts'

export type WorkerHostOptions = ThreadOptions & {
  /**
   * Milliseconds without a task after which the thread ends. When absent, it waits for tasks until it is
   * disposed.
   */
  readonly idleMs?: number
  /** Asked when the thread has been without a task for so long: false keeps it. */
  readonly mayEnd?: () => boolean
  /**
   * Milliseconds after which a thread that should have said something counts as stuck; 2 minutes when absent.
   */
  readonly silentMs?: number
  /** The thread is gone, and with it what notices told it. */
  readonly onThreadGone?: () => void
}

export type TaskLimits = TaskLimit & {
  /** Ends the task, and with it the thread. */
  readonly signal?: AbortSignal
  /** Buffers and ports that are moved to the thread instead of copied. */
  readonly transfer?: readonly Transferable[]
}

type Ending<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: Excess }
  | ThreadDeath
  /** The signal of the task ended it. */
  | { readonly kind: 'cancelled' }
  /** The host was disposed. */
  | { readonly kind: 'disposed' }

/**
 * The end of a task. `cpuMs` and `elapsedMs` are the milliseconds since the thread began the task, as far as
 * they are known.
 */
export type TaskEnd<Result> = Ending<Result> & { readonly cpuMs: number; readonly elapsedMs: number }

type Thread<Task, Result, Notice> = WorkerThread<MessageToThread<Task, Notice>, MessageFromThread<Result>>

type RunningTask<Result> = {
  readonly watch: TaskWatch
  readonly settle: (ending: Ending<Result>) => void
}

const SILENT_MS = 120_000

export class WorkerHost<Task, Result, Notice = never> implements AsyncDisposable {
  readonly #options: WorkerHostOptions
  #thread: Thread<Task, Result, Notice> | null = null
  #running: RunningTask<Result> | null = null
  #idleTimer: NodeJS.Timeout | null = null
  #isDisposed = false

  constructor(options: WorkerHostOptions) {
    this.#options = options
  }

  /** Whether there is a thread. */
  get hasThread(): boolean {
    return this.#thread !== null
  }

  /** Whether a task is running. */
  get isBusy(): boolean {
    return this.#running !== null
  }

  /** Starts the thread ahead of the first task. If that fails, the first task fails. */
  start(): void {
    if (this.#isDisposed) return
    const thread = this.#startedThread()
    if (thread instanceof WorkerThread) this.#idle(thread)
  }

  /** Runs a task; only while none is running. Rejects when the task cannot be cloned. */
  async run(task: Task, { signal, transfer, ...limit }: TaskLimits): Promise<TaskEnd<Result>> {
    if (this.#running !== null) throw new RangeError('a worker host runs one task at a time')
    if (this.#isDisposed) return { kind: 'disposed', cpuMs: 0, elapsedMs: 0 }
    if (signal?.aborted === true) return { kind: 'cancelled', cpuMs: 0, elapsedMs: 0 }
    const thread = this.#startedThread()
    if (!(thread instanceof WorkerThread)) return { ...thread, cpuMs: 0, elapsedMs: 0 }
    thread.send({ kind: 'task', task }, transfer)
    thread.keepProcessAlive(true)
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer)
    const { promise, resolve } = Promise.withResolvers<Ending<Result>>()
    const { silentMs = SILENT_MS } = this.#options
    const abandon = (ending: Ending<Result>): void => {
      resolve(ending)
      void this.#dropThread()
    }
    using watch = new TaskWatch({ thread, limit, silentMs, onExcess: (kind) => abandon({ kind }) })
    const cancel = (): void => abandon({ kind: 'cancelled' })
    signal?.addEventListener('abort', cancel, { once: true })
    this.#running = { watch, settle: resolve }
    const ending = await promise
    signal?.removeEventListener('abort', cancel)
    this.#running = null
    if (this.#thread !== null) this.#idle(this.#thread)
    return { ...ending, cpuMs: watch.cpuMs, elapsedMs: watch.elapsedMs }
  }

  /** Tells the thread something that no answer is expected to. Does nothing when there is no thread. */
  tell(notice: Notice): void {
    this.#thread?.send({ kind: 'notice', notice })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true
    this.#running?.settle({ kind: 'disposed' })
    await this.#dropThread()
  }

  /** The thread, or why there is none: a machine may be out of threads or memory. */
  #startedThread(): Thread<Task, Result, Notice> | ThreadDeath {
    try {
      return (this.#thread ??= new WorkerThread(this.#options, {
        onMessage: (message) => this.#hear(message),
        onDeath: (death) => {
          this.#running?.settle(death)
          void this.#dropThread()
        },
      }))
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      return { kind: 'crashed', error: new Error(`it could not be started: ${reason}`, { cause: error }) }
    }
  }

  #hear(message: MessageFromThread<Result>): void {
    if (this.#running === null) return
    const { watch, settle } = this.#running
    if (message.kind === 'began') return watch.begin(message.cpuMs)
    watch.noteCpu(message.cpuMs)
    settle({ kind: 'done', result: message.result })
  }

  #idle(thread: Thread<Task, Result, Notice>): void {
    thread.keepProcessAlive(false)
    const { idleMs, mayEnd } = this.#options
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer)
    if (idleMs === undefined) return
    this.#idleTimer = setTimeout(() => {
      if (mayEnd?.() !== false) void this.#dropThread()
    }, idleMs).unref()
  }

  async #dropThread(): Promise<void> {
    const thread = this.#thread
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer)
    if (thread === null) return
    this.#thread = null
    this.#options.onThreadGone?.()
    await thread.terminate()
  }
}
