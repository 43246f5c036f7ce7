/**
 * The planning threads of a process: started when there is work, a fixed number at a time, ended when there has been none
 * for a while. Tasks beyond that number wait in line; whether one is still wanted is asked when its turn comes.
 */
import { Worker } from 'node:worker_threads'
import { messageOf } from '../errors.ts'
import type { PlanningTask } from './planning-messages.ts'
import {
  type NumberedGraph,
  PlanningThread,
  type PlanningThreadOptions,
  type TaskEnd,
} from './planning-thread.ts'

export type PlanningThreadsOptions = Omit<PlanningThreadOptions, 'createWorker'> & {
  readonly count: number
  readonly createWorker?: () => Worker
}

export type PlanningJob = {
  readonly graph: NumberedGraph
  readonly task: PlanningTask
  /** Asked when a thread is free. */
  readonly wanted: () => boolean
  /** Told what it took, in milliseconds, before the next one has its turn. */
  readonly spent: (milliseconds: number) => void
}

export type JobEnd =
  | TaskEnd
  | { readonly kind: 'unwanted' }
  /** The graph was forgotten, or everything is coming to an end. */
  | { readonly kind: 'dropped' }

type LostTask = Extract<TaskEnd, { kind: 'lost' }>
type Waiting = PlanningJob & { readonly end: (end: JobEnd) => void }

const IDLE_MS = 60_000
/** A planning that runs away ends its thread before it can end the process. */
const MAX_HEAP_MIB = 512

export class PlanningThreads implements AsyncDisposable {
  readonly #options: PlanningThreadsOptions & PlanningThreadOptions
  readonly #line: Waiting[] = []
  #threads: PlanningThread[] = []
  #idleTimer: NodeJS.Timeout | null = null
  #stopping = false

  constructor(options: PlanningThreadsOptions) {
    this.#options = { createWorker, ...options }
  }

  /** Never rejects. */
  run(job: PlanningJob): Promise<JobEnd> {
    if (this.#stopping) return Promise.resolve({ kind: 'dropped' })
    return new Promise((resolve) => {
      this.#line.push({ ...job, end: resolve })
      this.#next()
    })
  }

  /** Nobody waits for plans of this graph any more. */
  forget(graph: NumberedGraph): void {
    for (const job of this.#line.filter((waiting) => waiting.graph.id === graph.id)) {
      this.#line.splice(this.#line.indexOf(job), 1)
      job.end({ kind: 'dropped' })
    }
    for (const thread of this.#threads) if (thread.usable) thread.forget(graph)
  }

  #next(): void {
    for (let [job] = this.#line; job !== undefined; [job] = this.#line) {
      const thread = this.#threadFor(job)
      if (thread === null) break
      this.#line.shift()
      if (thread.kind === 'lost') job.end(thread)
      else if (job.wanted()) this.#start(thread.thread, job)
      else job.end({ kind: 'unwanted' })
    }
    this.#endWhenIdle()
  }

  /** null: not now. A machine may be out of threads or memory. */
  #threadFor(job: PlanningJob): { readonly kind: 'free'; readonly thread: PlanningThread } | LostTask | null {
    try {
      const thread = this.#freeThread(job.graph)
      return thread === null ? null : { kind: 'free', thread }
    } catch (error) {
      return { kind: 'lost', reason: `it could not be started: ${messageOf(error)}`, milliseconds: 0 }
    }
  }

  #start(thread: PlanningThread, job: Waiting): void {
    void thread.plan(job.graph, job.task).then((end) => {
      if (!thread.usable) this.#threads = this.#threads.filter((other) => other !== thread)
      if ('milliseconds' in end) job.spent(end.milliseconds)
      job.end(this.#stopping && end.kind === 'lost' ? { kind: 'dropped' } : end)
      this.#next()
    })
  }

  /** One that knows the graph rather than one that would have to be told; a new one as long as there may be more. */
  #freeThread(graph: NumberedGraph): PlanningThread | null {
    const idle = this.#threads.filter((thread) => thread.idle)
    const known = idle.find((thread) => thread.knows(graph)) ?? idle[0]
    if (known !== undefined) return known
    this.#threads = this.#threads.filter((thread) => thread.usable)
    if (this.#stopping || this.#threads.length >= this.#options.count) return null
    const thread = new PlanningThread(this.#options)
    this.#threads.push(thread)
    return thread
  }

  #endWhenIdle(): void {
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer)
    this.#idleTimer = null
    if (this.#stopping || this.#threads.some((thread) => !thread.idle)) return
    this.#idleTimer = setTimeout(() => {
      for (const thread of this.#threads.splice(0)) void thread.end('it had nothing to do')
    }, IDLE_MS).unref()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping = true
    if (this.#idleTimer !== null) clearTimeout(this.#idleTimer)
    for (const job of this.#line.splice(0)) job.end({ kind: 'dropped' })
    await Promise.all(this.#threads.map((thread) => thread.end('the router is stopping')))
    this.#threads = []
  }
}

function createWorker(): Worker {
  return new Worker(new URL('./planning-worker.ts', import.meta.url), {
    name: 'planning',
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
  })
}
