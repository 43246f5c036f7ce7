/** One planning thread as the serving thread sees it: which graphs it knows, and how a task of it ends. */
import { type CreateWorker, type TaskEnd, WorkerHost } from '@switchyard/worker-host'
import { messageOf } from '@switchyard/values'
import type { PackedGraph } from './packed-graph.ts'
import type { ForgetGraph, PlanningAnswer, PlanningTask, SentPlanningTask } from './planning-messages.ts'

/** A graph under the number that planning threads know it by. */
export type NumberedGraph = { readonly id: number; readonly packed: PackedGraph }

export type PlanningEnd =
  | PlanningAnswer
  /** The time limit passed, and the thread was ended. */
  | { readonly kind: 'timed-out'; readonly milliseconds: number }
  /** The thread ended by itself, or never began. */
  | { readonly kind: 'lost'; readonly reason: string; readonly milliseconds: number }

export type PlanningThreadOptions = {
  /** Milliseconds that one task may take. */
  readonly timeLimit: number
  readonly createWorker?: CreateWorker | undefined
}

/**
 * Milliseconds for a thread to start and to take in a graph: far more than the largest graph needs on a busy
 * machine.
 */
const START_LIMIT_MS = 60_000
const IDLE_MS = 60_000
/** A planning that needs more ends its thread before it can end the process. */
const MAX_HEAP_MIB = 512

export class PlanningThread implements AsyncDisposable {
  readonly #host: WorkerHost<SentPlanningTask, PlanningAnswer, ForgetGraph>
  readonly #timeLimit: number
  /** Ids of the graphs that the thread has. */
  readonly #graphs = new Set<number>()

  constructor({ timeLimit, createWorker }: PlanningThreadOptions) {
    this.#timeLimit = timeLimit
    this.#host = new WorkerHost({
      module: new URL('./planning-worker.ts', import.meta.url),
      name: 'planning',
      memoryMb: MAX_HEAP_MIB,
      silentMs: START_LIMIT_MS,
      idleMs: IDLE_MS,
      onThreadGone: () => this.#graphs.clear(),
      createWorker,
    })
  }

  get isIdle(): boolean {
    return !this.#host.isBusy
  }

  /** Whether the next task need not wait for a thread to start. */
  get isStarted(): boolean {
    return this.#host.hasThread
  }

  knows(graph: NumberedGraph): boolean {
    return this.#graphs.has(graph.id)
  }

  /** To be called only while the thread is idle. */
  async plan({ id, packed }: NumberedGraph, task: PlanningTask): Promise<PlanningEnd> {
    const sent = { graph: id, packed: this.#graphs.has(id) ? null : packed, task }
    this.#graphs.add(id)
    const end = await this.#host.run(sent, { timeMs: this.#timeLimit })
    if (end.kind !== 'done') this.#graphs.clear()
    return planningEndOf(end)
  }

  /** Gives the memory of a graph back. */
  forget({ id }: NumberedGraph): void {
    if (this.#graphs.delete(id)) this.#host.tell({ graph: id })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#host[Symbol.asyncDispose]()
  }
}

function planningEndOf(end: TaskEnd<PlanningAnswer>): PlanningEnd {
  const milliseconds = end.elapsedMs
  switch (end.kind) {
    case 'done':
      return end.result
    case 'time-limit':
    case 'cpu-limit':
      return { kind: 'timed-out', milliseconds }
    case 'silent':
      return { kind: 'lost', reason: 'it did not begin', milliseconds }
    case 'memory-limit':
    case 'crashed':
      return { kind: 'lost', reason: messageOf(end.error), milliseconds }
    case 'cancelled':
    case 'disposed':
      return { kind: 'lost', reason: 'the router is stopping', milliseconds }
    default:
      return end satisfies never
  }
}
