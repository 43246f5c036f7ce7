/**
 * Watches one task and tells when it exceeds its limit.
 *
 * A limit counts from the moment at which the thread begins the task, since starting a thread and loading its
 * modules is not the task's fault. A limit of CPU is that of the thread: a busy machine makes no task exceed
 * it.
 */
import type { WorkerThread } from './worker-thread.ts'

/** Milliseconds. */
export type TaskLimit = { readonly timeMs: number } | { readonly cpuMs: number }

/**
 * The limit that a task exceeded. `silent` means that the thread sent nothing for too long, neither that it
 * began nor how much CPU it used.
 */
export type Excess = 'time-limit' | 'cpu-limit' | 'silent'

export type TaskWatchOptions = {
  readonly thread: Pick<WorkerThread<unknown, unknown>, 'cpuMs'>
  readonly limit: TaskLimit
  readonly silentMs: number
  readonly onExcess: (excess: Excess) => void
}

/** A thread with a limit of CPU is asked this often how much it used. */
const CPU_INTERVAL_MS = 50

export class TaskWatch implements Disposable {
  readonly #options: TaskWatchOptions
  #timer: NodeJS.Timeout
  #cpuMsAtBeginning: number | null = null
  #beganAt: number | null = null
  #heardAt = 0
  #isAsking = false
  /** CPU milliseconds of the task, as far as the thread has told. */
  cpuMs = 0

  constructor(options: TaskWatchOptions) {
    this.#options = options
    this.#timer = setTimeout(() => options.onExcess('silent'), options.silentMs)
  }

  /** Milliseconds since the task began; 0 when it did not. */
  get elapsedMs(): number {
    return this.#beganAt === null ? 0 : performance.now() - this.#beganAt
  }

  /** Notes that the thread begins the task, and how much CPU it has used before. */
  begin(cpuMs: number): void {
    const { limit, onExcess } = this.#options
    clearTimeout(this.#timer)
    this.#cpuMsAtBeginning = cpuMs
    this.#beganAt = this.#heardAt = performance.now()
    this.#timer =
      'timeMs' in limit
        ? setTimeout(() => onExcess('time-limit'), limit.timeMs)
        : setInterval(() => void this.#askForCpu(limit.cpuMs), CPU_INTERVAL_MS)
  }

  /** Notes how much CPU the thread has used since its start. */
  noteCpu(cpuMs: number): void {
    this.#heardAt = performance.now()
    if (this.#cpuMsAtBeginning !== null) this.cpuMs = Math.max(0, cpuMs - this.#cpuMsAtBeginning)
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
  }

  async #askForCpu(limitMs: number): Promise<void> {
    const { thread, silentMs, onExcess } = this.#options
    if (performance.now() - this.#heardAt > silentMs) return onExcess('silent')
    if (this.#isAsking) return
    this.#isAsking = true
    try {
      this.noteCpu(await thread.cpuMs())
    } catch {
      // The thread is dead, which it tells by itself.
      return
    } finally {
      this.#isAsking = false
    }
    if (this.cpuMs > limitMs) onExcess('cpu-limit')
  }
}
