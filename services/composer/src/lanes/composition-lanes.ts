/**
 * The threads that compose, and which composition gets one next.
 *
 * There are two lanes, each with a queue that is fair by namespace. One thread is kept for small
 * compositions; the others take large ones, and small ones while no large one waits. A composition that was
 * expected to be small and needs more CPU or memory is stopped and starts again on the lane for large ones.
 * So small compositions wait for seconds at most, whatever others publish.
 *
 * A thread remembers the graphs that it composed, and composes them again in a fraction of the time. So the
 * compositions of a graph go to the thread that remembers it, base first, one after the other. Other threads
 * take them, too, if that one is busy with another graph, or so many of them wait that it takes long.
 */
import { keyOfGraph, type MemoryState } from '@switchyard/composition'
import type { ComposeOutcome } from './compose-task.ts'
import {
  CpuBudgetExceededError,
  OutOfMemoryError,
  ComposerStoppingError,
  WorkerCrashedError,
} from './errors.ts'
import { FairQueue } from './fair-queue.ts'
import { Expectations } from './expectations.ts'
import { LaneThread } from './lane-thread.ts'
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
  /** Milliseconds that a composition has for stopping by itself; tests give more on a busy machine. */
  readonly stopMs?: number
}

/** An event of a composition in a lane, for logs and metrics. */
export type LaneEvent = {
  readonly kind: 'started' | 'ended' | 'moved'
  /** `small` is the thread that is kept for small compositions. */
  readonly thread: LaneThread['kind']
  /** Whether the thread remembered the graph; null as long as that is not known. */
  readonly memory: MemoryState | null
  readonly lane: Lane
  readonly namespace: string
  readonly subject: string
  /** CPU milliseconds so far. */
  readonly cpuMs: number
}

export type CompositionJob = {
  readonly namespace: string
  /** The graph, of which this is one composition. */
  readonly graph: string
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
  /** `namespace/graph` */
  readonly key: string
  readonly expectedCpuMs: number
  /** Whether its thread crashed once, which may have been caused by earlier work of that thread. */
  readonly isRetry: boolean
  /** How often it ran out of heap beside what its thread remembered. */
  readonly crowded: number
  readonly resolve: (outcome: ComposeOutcome) => void
  readonly reject: (error: unknown) => void
}

const MODULE = new URL('./composition-worker.ts', import.meta.url)
/** CPU milliseconds below which a composition is expected to be small … */
const SMALL_MS = 500
/** … and the CPU milliseconds and heap beyond which it turns out not to be. */
const SMALL_BUDGET_MS = 1000
const SMALL_MEMORY_MB = 512
/** CPU milliseconds that starting a thread costs: less work than this waits for the thread that is there. */
const WORTH_A_THREAD_MS = 400
/**
 * CPU milliseconds up to which compositions of a graph wait for the thread that remembers it, while it
 * composes others of the same graph.
 */
const WORTH_ANOTHER_THREAD_MS = 1000
const STOP_MS = 200
const SILENT_MS = 120_000

export class CompositionLanes implements AsyncDisposable {
  readonly #options: LanesOptions
  readonly #queues = { small: new FairQueue<QueuedJob>(), large: new FairQueue<QueuedJob>() }
  readonly #seats: readonly LaneThread[]
  readonly #expectations = new Expectations()
  /** The waiting compositions of a graph, and the CPU milliseconds that they are expected to take. */
  readonly #waitingFor = new Map<string, { readonly count: number; readonly ms: number }>()
  /** Jobs by their signals, of which each job has its own. */
  readonly #waiting = new Map<AbortSignal, QueuedJob>()
  readonly #stop = new AbortController()

  /** Starts the thread for small ones at once, so that the first composition does not wait for it. */
  constructor(options: LanesOptions) {
    this.#options = options
    this.#seats = [
      laneThread('small', options),
      ...Array.from({ length: Math.max(1, options.largeThreads) }, () => laneThread('common', options)),
    ]
    for (const one of this.#seats) one.keepReady()
  }

  /**
   * Rejects with what `outcomeOf` throws, what reading the schemas rejects with, ComposerStoppingError, or
   * the reason of the job's signal.
   */
  async run(job: CompositionJob): Promise<ComposeOutcome> {
    if (this.#stop.signal.aborted) throw new ComposerStoppingError()
    job.signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<ComposeOutcome>()
    const key = keyOfGraph(job)
    // The lane does not depend on memories, which may be gone when the turn comes.
    const lane = this.#expectations.cold(job) <= SMALL_MS ? 'small' : 'large'
    const isKnown = this.#seats.some((one) => one.remembers(key) || isComposing(one, key))
    const expectedCpuMs = isKnown ? this.#expectations.warm(job) : this.#expectations.cold(job)
    const onAbort = (): void => this.#remove(job)
    job.signal.addEventListener('abort', onAbort, { once: true })
    this.#enqueue({ ...job, key, lane, expectedCpuMs, isRetry: false, crowded: 0, resolve, reject })
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
    await Promise.all(this.#seats.map((one) => one[Symbol.asyncDispose]()))
  }

  #enqueue(entry: QueuedJob): void {
    this.#waiting.set(entry.signal, entry)
    this.#queues[entry.lane].add(entry)
    const { count, ms } = this.#waitingFor.get(entry.key) ?? { count: 0, ms: 0 }
    this.#waitingFor.set(entry.key, { count: count + 1, ms: ms + entry.expectedCpuMs })
    this.#dispatch()
  }

  /** A job that is being composed is ended by its thread. */
  #remove({ signal }: CompositionJob): void {
    const entry = this.#waiting.get(signal)
    if (entry === undefined) return
    this.#queues[entry.lane].remove(entry)
    this.#noLongerWaits(entry)
    entry.reject(signal.reason)
  }

  #noLongerWaits({ signal, key, expectedCpuMs }: QueuedJob): void {
    this.#waiting.delete(signal)
    const { count, ms } = this.#waitingFor.get(key) ?? { count: 1, ms: 0 }
    if (count > 1) this.#waitingFor.set(key, { count: count - 1, ms: ms - expectedCpuMs })
    else this.#waitingFor.delete(key)
  }

  /** Gives work to all threads that find some: a thread may leave to another what it remembers better. */
  #dispatch(): void {
    for (let hasGiven = true; hasGiven; ) {
      hasGiven = false
      for (const one of this.#seats) {
        if (one.isBusy || this.#stop.signal.aborted) continue
        const entry = this.#next(one)
        if (entry === null) continue
        hasGiven = true
        this.#noLongerWaits(entry)
        void this.#work(one, entry)
      }
    }
  }

  #next(one: LaneThread): QueuedJob | null {
    const { small, large } = this.#queues
    const accepts = (entry: QueuedJob) => this.#accepts(one, entry)
    if (one.kind === 'small') return small.take(accepts)
    const entry = large.take(accepts)
    if (entry !== null || (!one.hasThread && small.expectedMs < WORTH_A_THREAD_MS)) return entry
    return small.take(accepts)
  }

  /** False if another thread remembers the graph, or composes it now, and is to take the composition. */
  #accepts(one: LaneThread, { key, lane, goesFirst }: QueuedJob): boolean {
    if (one.remembers(key)) return true
    const better = this.#seats.filter(
      (other) =>
        (other.kind === 'common' || lane === 'small') && (other.remembers(key) || isComposing(other, key)),
    )
    if (better.some(({ isBusy }) => !isBusy)) return false
    // A base does not wait for a flag.
    if (goesFirst || !better.some((other) => isComposing(other, key))) return true
    return (this.#waitingFor.get(key)?.ms ?? 0) > WORTH_ANOTHER_THREAD_MS
  }

  async #work(one: LaneThread, entry: QueuedJob): Promise<void> {
    one.isBusy = true
    one.current = entry.key
    let cpuMs = 0
    let remembered = false
    this.#tell('started', one, entry, { cpuMs, memory: null })
    try {
      const task = await entry.task()
      entry.signal.throwIfAborted()
      this.#stop.signal.throwIfAborted()
      const { memoryMb } = one
      const limits = { cpuMs: this.#budgetOf(one), signal: entry.signal }
      remembered = one.remembersSomething
      const { end, memory } = await one.run({ namespace: entry.namespace, graph: entry.graph }, task, limits)
      cpuMs = end.cpuMs
      // It may have ended before it heard that nobody wants it any more.
      entry.signal.throwIfAborted()
      entry.resolve(outcomeOf(end, task, { ...limits, memoryMb, silentMs: SILENT_MS }))
      this.#expectations.note(entry, memory === 'warm' ? 'warm' : 'cold', cpuMs)
      this.#tell('ended', one, entry, { cpuMs, memory })
    } catch (error) {
      this.#failed(one, entry, error, { cpuMs, remembered })
    } finally {
      this.#queues[entry.lane].settle(entry, cpuMs)
      one.isBusy = false
      one.keepReady()
      this.#dispatch()
    }
  }

  #failed(
    one: LaneThread,
    entry: QueuedJob,
    error: unknown,
    { cpuMs, remembered }: { readonly cpuMs: number; readonly remembered: boolean },
  ): void {
    if (this.#stop.signal.aborted) return entry.reject(new ComposerStoppingError())
    if (entry.signal.aborted) return entry.reject(entry.signal.reason)
    const isTooMuch = error instanceof CpuBudgetExceededError || error instanceof OutOfMemoryError
    if (error instanceof OutOfMemoryError && remembered && entry.crowded < this.#seats.length) {
      // What the thread remembered took memory that this composition may have, and is gone now. The next
      // thread may remember as much.
      this.#enqueue({ ...entry, crowded: entry.crowded + 1 })
    } else if (error instanceof WorkerCrashedError && !entry.isRetry) {
      this.#enqueue({ ...entry, isRetry: true })
    } else if (one.kind === 'small' && isTooMuch) {
      this.#tell('moved', one, entry, { cpuMs, memory: null })
      // A stopped composition would have taken at least what it took so far.
      const expectedCpuMs = Math.max(entry.expectedCpuMs, cpuMs, SMALL_BUDGET_MS)
      this.#expectations.note(entry, 'cold', expectedCpuMs)
      this.#enqueue({ ...entry, lane: 'large', expectedCpuMs })
    } else {
      this.#expectations.note(entry, 'cold', Math.max(this.#expectations.cold(entry), cpuMs))
      this.#tell('ended', one, entry, { cpuMs, memory: null })
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
    told: Pick<LaneEvent, 'cpuMs' | 'memory'>,
  ): void {
    onEvent({ kind, thread: one.kind, lane, namespace, subject, ...told })
  }
}

function isComposing({ isBusy, current }: LaneThread, key: string): boolean {
  return isBusy && current === key
}

function laneThread(
  kind: LaneThread['kind'],
  { module = MODULE, memoryMb: most, stopMs = STOP_MS }: LanesOptions,
): LaneThread {
  const memoryMb = kind === 'small' ? Math.min(SMALL_MEMORY_MB, most) : most
  return new LaneThread({ kind, module, memoryMb, silentMs: SILENT_MS, stopMs })
}
