/**
 * One planning thread as the serving thread sees it: one task at a time, and every task ends, whatever becomes of the
 * thread. A thread that broke off a task is not used again: nobody knows what state it is in.
 */
import { Worker } from 'node:worker_threads'
import { messageOf } from '../errors/http-error.ts'
import type { PackedGraph } from './packed-graph.ts'
import type { PlanningClock } from './planning-clock.ts'
import type { PlanningAnswer, PlanningMessage, PlanningRequest, PlanningTask } from './planning-messages.ts'

/** A graph under the number that planning threads know it by. */
export type NumberedGraph = { readonly id: number; readonly packed: PackedGraph }

export type TaskEnd =
  | PlanningAnswer
  /** The time limit passed, and the thread was ended. */
  | { readonly kind: 'timed-out'; readonly milliseconds: number }
  /** The thread ended by itself, or never began. */
  | { readonly kind: 'lost'; readonly reason: string; readonly milliseconds: number }

export type PlanningThreadOptions = {
  readonly createWorker: () => Worker
  /** Milliseconds for one task, from its beginning. */
  readonly timeLimit: number
  readonly clock: PlanningClock
}

/** For the thread to start and to take a graph in: far more than the largest one needs on a busy machine. */
const START_LIMIT_MS = 60_000

export class PlanningThread {
  readonly #worker: Worker
  readonly #options: PlanningThreadOptions
  readonly #graphs = new Set<number>()
  #task: { readonly end: (end: TaskEnd) => void; beganAt: number | null; timer: NodeJS.Timeout } | null = null
  #usable = true

  constructor(options: PlanningThreadOptions) {
    this.#options = options
    this.#worker = options.createWorker()
    this.#worker.unref()
    this.#worker.on('message', (message: PlanningMessage) => this.#hear(message))
    this.#worker.on('messageerror', (error) =>
      this.#lose(`its answer could not be read: ${messageOf(error)}`),
    )
    this.#worker.on('error', (error) => this.#lose(messageOf(error)))
    this.#worker.on('exit', (code) => this.#lose(`it ended with exit code ${code}`))
  }

  get usable(): boolean {
    return this.#usable
  }

  get idle(): boolean {
    return this.#usable && this.#task === null
  }

  knows(graph: NumberedGraph): boolean {
    return this.#graphs.has(graph.id)
  }

  /** Only while idle. Never rejects. */
  plan(graph: NumberedGraph, task: PlanningTask): Promise<TaskEnd> {
    return new Promise((resolve) => {
      this.#task = {
        end: resolve,
        beganAt: null,
        timer: setTimeout(() => this.#lose('it did not begin'), START_LIMIT_MS).unref(),
      }
      if (!this.#graphs.has(graph.id)) {
        this.#graphs.add(graph.id)
        this.#say({ kind: 'graph', graph: graph.id, packed: graph.packed })
      }
      this.#say({ kind: 'plan', graph: graph.id, task })
    })
  }

  /** Gives the memory of a graph back. */
  forget(graph: NumberedGraph): void {
    if (this.#graphs.delete(graph.id)) this.#say({ kind: 'forget', graph: graph.id })
  }

  async end(reason: string): Promise<void> {
    this.#lose(reason)
    await this.#worker.terminate()
  }

  #say(request: PlanningRequest): void {
    this.#worker.postMessage(request, [])
  }

  #hear(message: PlanningMessage): void {
    const task = this.#task
    if (task === null) return
    if (message.kind !== 'begun') return this.#finish(message)
    clearTimeout(task.timer)
    task.beganAt = this.#options.clock.now()
    task.timer = setTimeout(
      () => this.#stop({ kind: 'timed-out', milliseconds: this.#spent() }),
      this.#options.timeLimit,
    ).unref()
  }

  #lose(reason: string): void {
    this.#stop({ kind: 'lost', reason, milliseconds: this.#spent() })
  }

  #stop(end: TaskEnd): void {
    this.#usable = false
    void this.#worker.terminate()
    this.#finish(end)
  }

  #finish(end: TaskEnd): void {
    const task = this.#task
    if (task === null) return
    this.#task = null
    clearTimeout(task.timer)
    task.end(end)
  }

  #spent(): number {
    const beganAt = this.#task?.beganAt ?? null
    return beganAt === null ? 0 : this.#options.clock.now() - beganAt
  }
}
