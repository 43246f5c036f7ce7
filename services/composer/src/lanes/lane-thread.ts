/** One thread that composes, and the graphs that it remembers. */
import type { MemoryState, RememberedGraph } from '@switchyard/composition'
import { WorkerHost, type TaskEnd } from '@switchyard/worker-host'
import type { SentComposeTask, ThreadAnswer, ThreadData, ThreadTask } from './serve-compositions.ts'

export type LaneThreadOptions = {
  /** `small` is the thread that is kept for small compositions. */
  readonly kind: 'small' | 'common'
  readonly module: URL
  /** MiB of heap. */
  readonly memoryMb: number
  /** Milliseconds for which a thread may say nothing. */
  readonly silentMs: number
  /** Milliseconds that a composition has for stopping by itself, before its thread is ended. */
  readonly stopMs: number
}

export type ThreadLimit = { readonly cpuMs: number; readonly signal: AbortSignal }

/** The part of a thread's memory that is kept for the compositions that follow. */
const SHARE_OF_MEMORIES = 0.5
const BYTES_PER_MB = 1024 * 1024
/** Milliseconds after which an idle thread ends that remembers nothing. */
const IDLE_MS = 60_000
/** Composition recurses from type to type: long chains of types need more than the usual 4 MiB. */
const STACK_MB = 32

export class LaneThread implements AsyncDisposable {
  readonly kind: 'small' | 'common'
  /** MiB of heap. */
  readonly memoryMb: number
  /** True also while the schemas of its task are read. */
  isBusy = false
  /** The graph that it composes, or composed last. */
  current: string | null = null
  readonly #host: WorkerHost<ThreadTask, ThreadAnswer>
  readonly #stopMs: number
  #remembered: ReadonlySet<string> = new Set()

  constructor({ kind, module, memoryMb, silentMs, stopMs }: LaneThreadOptions) {
    this.kind = kind
    this.#stopMs = stopMs
    this.memoryMb = memoryMb
    const data: ThreadData = { mostBytes: memoryMb * BYTES_PER_MB * SHARE_OF_MEMORIES }
    this.#host = new WorkerHost({
      module,
      name: 'composition',
      data,
      memoryMb,
      stackMb: STACK_MB,
      silentMs,
      onThreadGone: () => {
        this.#remembered = new Set()
      },
      ...(kind === 'small' ? {} : { idleMs: IDLE_MS, mayEnd: () => this.#remembered.size === 0 }),
    })
  }

  get hasThread(): boolean {
    return this.#host.hasThread
  }

  /** Whether it remembers a composition of the graph. */
  remembers(graph: string): boolean {
    return this.#remembered.has(graph)
  }

  /** Whether it remembers any composition. */
  get remembersSomething(): boolean {
    return this.#remembered.size > 0
  }

  /** The thread for small ones is there before it is needed. */
  keepReady(): void {
    if (this.kind === 'small') this.#host.start()
  }

  /**
   * Composes. When the signal ends it, the composition is asked to stop at its next type, so that the thread
   * keeps its memory.
   */
  async run(
    graph: RememberedGraph,
    task: SentComposeTask,
    { cpuMs, signal }: ThreadLimit,
  ): Promise<{ readonly end: TaskEnd<ThreadAnswer>; readonly memory: MemoryState }> {
    const stop = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
    const ended = new AbortController()
    let timer: NodeJS.Timeout | undefined
    const onAbort = (): void => {
      Atomics.store(stop, 0, 1)
      timer = setTimeout(() => ended.abort(signal.reason), this.#stopMs)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      const end = await this.#host.run({ ...task, graph, stop }, { cpuMs, signal: ended.signal })
      if (end.kind !== 'done') return { end, memory: 'cold' }
      this.#remembered = new Set(end.result.remembered)
      return { end, memory: end.result.memory }
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#host[Symbol.asyncDispose]()
  }
}
