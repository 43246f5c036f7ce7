/**
 * The threads that compose, and which composition gets one next.
 *
 * There are two lanes, each with a queue that is fair by namespace. One thread is kept for small
 * compositions; the others take large ones, and small ones while no large one waits. A composition that was
 * expected to be small and needs more CPU or memory is stopped and starts again on the lane for large ones.
 * So small compositions wait for seconds at most, whatever others publish.
 */
import { WorkerHost } from '@switchyard/worker-host'
import type { ComposeOutcome } from './compose-task.ts'
import {
  CpuBudgetExceededError,
  OutOfMemoryError,
  ComposerStoppingError,
  WorkerCrashedError,
} from './errors.ts'
import { FairQueue } from './fair-queue.ts'
import { outcomeOf } from './outcome-of.ts'
import type { SentComposeTask } from './serve-compositions.ts'

export type LanesOptions = {
  /** Threads for large compositions. One more thread is kept for small ones. */
  readonly largeThreads: number
  /** CPU milliseconds that one composition may take. */
  readonly cpuBudgetMs: number
  /** MiB of heap that one composition may take. */
  readonly memoryMb: number
  /** The worker's module; tests give one that misbehaves. */
  readonly module?: URL
}

/** An event of a composition in a lane, for logs and metrics. */
export type LaneEvent = {
  readonly kind: 'started' | 'ended' | 'moved'
  /** `small` is the thread that is kept for small compositions. */
  readonly thread: 'small' | 'common'
  readonly lane: Lane
  readonly namespace: string
  readonly subject: string
  /** CPU milliseconds so far. */
  readonly cpuMs: number
}

export type CompositionJob = {
  readonly namespace: string
  /** Names what is composed: the CPU time of its last composition tells which lane it belongs to. */
  readonly subject: string
  /** The size of all its schemas. */
  readonly bytes: number
  /** True if it is composed before the waiting compositions of its namespace that do not go first. */
  readonly goesFirst: boolean
  /** Reads the schemas; called when the job's turn has come. */
  readonly task: () => Promise<SentComposeTask>
  /** Aborted when nobody wants the result any more. */
  readonly signal: AbortSignal
  readonly onEvent: (event: LaneEvent) => void
}

type Lane = 'small' | 'large'

type QueuedJob = CompositionJob & {
  readonly lane: Lane
  readonly expectedCpuMs: number
  /** Whether its thread crashed once, which may have been caused by earlier work of that thread. */
  readonly isRetry: boolean
  readonly resolve: (outcome: ComposeOutcome) => void
  readonly reject: (error: unknown) => void
}

type LaneThread = {
  readonly kind: 'small' | 'common'
  /** MiB of heap. */
  readonly memoryMb: number
  readonly host: WorkerHost<SentComposeTask, ComposeOutcome>
  /** True also while the schemas of its task are read. */
  isBusy: boolean
}

const MODULE = new URL('./composition-worker.ts', import.meta.url)
/** CPU milliseconds below which a composition is expected to be small … */
const SMALL_MS = 500
/** … and the CPU milliseconds and heap beyond which it turns out not to be. */
const SMALL_BUDGET_MS = 1000
const SMALL_MEMORY_MB = 512
/**
 * CPU of a composition by the size of its schemas, as long as it was never done: a rough measure is enough.
 */
const MS_PER_KIB = 8
const LEAST_EXPECTED_MS = 10
/** CPU milliseconds that starting a thread costs: less work than this waits for the thread that is there. */
const WORTH_A_THREAD_MS = 400
const MOST_REMEMBERED = 10_000
/** Milliseconds after which an idle thread ends, so that the memory of a large composition is given back. */
const IDLE_MS = 60_000
/** Composition recurses from type to type: long chains of types need more than the usual 4 MiB. */
const STACK_MB = 32
const SILENT_MS = 120_000

export class CompositionLanes implements AsyncDisposable {
  readonly #options: LanesOptions
  readonly #queues = { small: new FairQueue<QueuedJob>(), large: new FairQueue<QueuedJob>() }
  readonly #seats: readonly LaneThread[]
  /** CPU milliseconds of the last composition, by subject. */
  readonly #took = new Map<string, number>()
  /** Jobs by their signals, of which each job has its own. */
  readonly #waiting = new Map<AbortSignal, QueuedJob>()
  readonly #stop = new AbortController()

  /** Starts the thread for small ones at once, so that the first composition does not wait for it. */
  constructor(options: LanesOptions) {
    this.#options = options
    this.#seats = [
      createLaneThread('small', options),
      ...Array.from({ length: Math.max(1, options.largeThreads) }, () => createLaneThread('common', options)),
    ]
    for (const one of this.#seats) keepReady(one)
  }

  /**
   * Rejects with what `outcomeOf` throws, what reading the schemas rejects with, ComposerStoppingError, or
   * the reason of the job's signal.
   */
  async run(job: CompositionJob): Promise<ComposeOutcome> {
    if (this.#stop.signal.aborted) throw new ComposerStoppingError()
    job.signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<ComposeOutcome>()
    const expectedCpuMs = this.#expected(job)
    const lane = expectedCpuMs <= SMALL_MS ? 'small' : 'large'
    const onAbort = (): void => this.#remove(job)
    job.signal.addEventListener('abort', onAbort, { once: true })
    this.#enqueue({ ...job, lane, expectedCpuMs, isRetry: false, resolve, reject })
    try {
      return await promise
    } finally {
      job.signal.removeEventListener('abort', onAbort)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new ComposerStoppingError())
    for (const queue of Object.values(this.#queues))
      for (const entry of queue.clear()) entry.reject(new ComposerStoppingError())
    await Promise.all(this.#seats.map(({ host }) => host[Symbol.asyncDispose]()))
  }

  #expected({ subject, bytes }: CompositionJob): number {
    return Math.max(LEAST_EXPECTED_MS, this.#took.get(subject) ?? (bytes / 1024) * MS_PER_KIB)
  }

  #remember({ subject }: CompositionJob, cpuMs: number): void {
    this.#took.delete(subject)
    this.#took.set(subject, cpuMs)
    if (this.#took.size <= MOST_REMEMBERED) return
    for (const oldest of this.#took.keys()) {
      this.#took.delete(oldest)
      return
    }
  }

  #enqueue(entry: QueuedJob): void {
    this.#waiting.set(entry.signal, entry)
    this.#queues[entry.lane].add(entry)
    this.#dispatch()
  }

  /** A job that is being composed is ended by its thread. */
  #remove({ signal }: CompositionJob): void {
    const entry = this.#waiting.get(signal)
    if (entry === undefined) return
    this.#waiting.delete(signal)
    this.#queues[entry.lane].remove(entry)
    entry.reject(signal.reason)
  }

  #dispatch(): void {
    for (const one of this.#seats) {
      if (one.isBusy || this.#stop.signal.aborted) continue
      const entry = this.#next(one)
      if (entry === null) continue
      this.#waiting.delete(entry.signal)
      void this.#work(one, entry)
    }
  }

  #next({ kind, host }: LaneThread): QueuedJob | null {
    const { small, large } = this.#queues
    if (kind === 'small') return small.take()
    const entry = large.take()
    if (entry !== null || (!host.hasThread && small.expectedMs < WORTH_A_THREAD_MS)) return entry
    return small.take()
  }

  async #work(one: LaneThread, entry: QueuedJob): Promise<void> {
    one.isBusy = true
    let cpuMs = 0
    this.#tell('started', one, entry, 0)
    try {
      const task = await entry.task()
      entry.signal.throwIfAborted()
      this.#stop.signal.throwIfAborted()
      const { memoryMb, host } = one
      const limits = { cpuMs: this.#budgetOf(one), signal: entry.signal }
      const end = await host.run(task, limits)
      cpuMs = end.cpuMs
      entry.resolve(outcomeOf(end, task, { ...limits, memoryMb, silentMs: SILENT_MS }))
      this.#remember(entry, cpuMs)
      this.#tell('ended', one, entry, cpuMs)
    } catch (error) {
      // A stopped composition would have taken at least what it took so far.
      this.#remember(entry, Math.max(entry.expectedCpuMs, cpuMs))
      this.#failed(one, entry, error, cpuMs)
    } finally {
      this.#queues[entry.lane].settle(entry, cpuMs)
      one.isBusy = false
      keepReady(one)
      this.#dispatch()
    }
  }

  #failed(one: LaneThread, entry: QueuedJob, error: unknown, cpuMs: number): void {
    if (this.#stop.signal.aborted) return entry.reject(new ComposerStoppingError())
    if (entry.signal.aborted) return entry.reject(entry.signal.reason)
    const isTooMuch = error instanceof CpuBudgetExceededError || error instanceof OutOfMemoryError
    if (one.kind === 'small' && isTooMuch) {
      this.#tell('moved', one, entry, cpuMs)
      const expectedCpuMs = Math.max(entry.expectedCpuMs, SMALL_BUDGET_MS)
      this.#remember(entry, expectedCpuMs)
      this.#enqueue({ ...entry, lane: 'large', expectedCpuMs })
    } else if (error instanceof WorkerCrashedError && !entry.isRetry) {
      this.#enqueue({ ...entry, isRetry: true })
    } else {
      this.#tell('ended', one, entry, cpuMs)
      entry.reject(error)
    }
  }

  #budgetOf({ kind }: LaneThread): number {
    const { cpuBudgetMs } = this.#options
    return kind === 'small' ? Math.min(SMALL_BUDGET_MS, cpuBudgetMs) : cpuBudgetMs
  }

  #tell(
    kind: LaneEvent['kind'],
    one: LaneThread,
    { lane, namespace, subject, onEvent }: QueuedJob,
    cpuMs: number,
  ): void {
    onEvent({ kind, thread: one.kind, lane, namespace, subject, cpuMs })
  }
}

function createLaneThread(
  kind: LaneThread['kind'],
  { module = MODULE, memoryMb: most }: LanesOptions,
): LaneThread {
  const memoryMb = kind === 'small' ? Math.min(SMALL_MEMORY_MB, most) : most
  const host = new WorkerHost<SentComposeTask, ComposeOutcome>({
    module,
    name: 'composition',
    memoryMb,
    stackMb: STACK_MB,
    silentMs: SILENT_MS,
    ...(kind === 'small' ? {} : { idleMs: IDLE_MS }),
  })
  return { kind, memoryMb, host, isBusy: false }
}

/** The thread for small ones is there before it is needed. */
function keepReady({ kind, host }: LaneThread): void {
  if (kind === 'small') host.start()
}
