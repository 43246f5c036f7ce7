/**
 * The planning threads of a process: started when there is work, a fixed number at a time, ended when there has been none
 * for a while. Tasks beyond that number wait in a line in which clients take turns; whether one is still wanted is asked when
 * its turn comes.
 */
import { Worker } from 'node:worker_threads'
import type { Client } from '../clients/client.ts'
import { FairLine } from '../clients/fair-line.ts'
import { messageOf } from '../errors/http-error.ts'
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
  /** Asked when a thread is free, for the client whose turn it is. */
  readonly wanted: (client: Client) => boolean
  /** Told what it took, in milliseconds, and in whose turn, before the next one has its turn. */
  readonly spent: (milliseconds: number, client: Client) => void
}

export type RunningJob = {
  /** Never rejects. */
  readonly end: Promise<JobEnd>
  /** One more client waits for it: as long as it is in line, its turn comes with the first turn of one of its clients. */
  readonly join: (client: Client) => void
}

export type JobEnd =
  | TaskEnd
  | { readonly kind: 'unwanted' }
  /** The graph was forgotten, or everything is coming to an end. */
  | { readonly kind: 'dropped' }

type LostTask = Extract<TaskEnd, { kind: 'lost' }>
type Waiting = PlanningJob & { readonly end: (end: JobEnd) => void }

/** Places in the line. Beyond that the client with most of them gives up what has waited longest. */
export const MAX_WAITING_JOBS = 1000
const IDLE_MS = 60_000
/** A planning that runs away ends its thread before it can end the process. */
const MAX_HEAP_MIB = 512

export class PlanningThreads implements AsyncDisposable {
  readonly #options: PlanningThreadsOptions & PlanningThreadOptions
  readonly #line = new FairLine<Waiting>()
  /** Those in the line. */
  readonly #waiting = new Set<Waiting>()
  #threads: PlanningThread[] = []
  #idleTimer: NodeJS.Timeout | null = null
  #stopping = false

  constructor(options: PlanningThreadsOptions) {
    this.#options = { createWorker, ...options }
  }

  /** Jobs that no thread has begun. */
  get waiting(): number {
    return this.#waiting.size
  }

  run(job: PlanningJob, client: Client): RunningJob {
    const { promise, resolve } = Promise.withResolvers<JobEnd>()
    if (this.#stopping) {
      resolve({ kind: 'dropped' })
      return { end: promise, join: () => {} }
    }
    const waiting = { ...job, end: resolve }
    this.#waiting.add(waiting)
    this.#line.add(client, waiting)
    this.#next()
    this.#shorten()
    return {
      end: promise,
      join: (other) => {
        if (!this.#waiting.has(waiting)) return
        this.#line.add(other, waiting)
        this.#shorten()
      },
    }
  }

  /** Nobody waits for plans of this graph any more. */
  forget(graph: NumberedGraph): void {
    for (const job of this.#waiting) if (job.graph.id === graph.id) this.#finish(job, { kind: 'dropped' })
    for (const thread of this.#threads) if (thread.usable) thread.forget(graph)
  }

  #next(): void {
    while (this.#hasRoom) {
      const turn = this.#line.take()
      if (turn === null) break
      const { item: job, client } = turn
      if (job.wanted(client)) this.#begin(job, client)
      else this.#endUnlessWaitedFor(job)
    }
    this.#endWhenIdle()
  }

  #begin(job: Waiting, client: Client): void {
    this.#line.withdraw(job)
    this.#waiting.delete(job)
    const thread = this.#threadFor(job)
    if ('kind' in thread) job.end(thread)
    else this.#start(thread, job, client)
  }

  #shorten(): void {
    if (this.#line.size <= MAX_WAITING_JOBS) return
    const turn = this.#line.takeFromLargest()
    if (turn !== null) this.#endUnlessWaitedFor(turn.item)
  }

  /** One of its clients may not have it planned. Others may. */
  #endUnlessWaitedFor(job: Waiting): void {
    if (!this.#line.has(job)) this.#finish(job, { kind: 'unwanted' })
  }

  #finish(job: Waiting, end: JobEnd): void {
    this.#line.withdraw(job)
    this.#waiting.delete(job)
    job.end(end)
  }

  get #hasRoom(): boolean {
    if (this.#threads.some((thread) => thread.idle)) return true
    return !this.#stopping && this.#threads.filter((thread) => thread.usable).length < this.#options.count
  }

  /** Only while there is room. A machine may be out of threads or memory. */
  #threadFor({ graph }: PlanningJob): PlanningThread | LostTask {
    try {
      return this.#freeThread(graph)
    } catch (error) {
      return { kind: 'lost', reason: `it could not be started: ${messageOf(error)}`, milliseconds: 0 }
    }
  }

  #start(thread: PlanningThread, job: Waiting, client: Client): void {
    void thread.plan(job.graph, job.task).then((end) => {
      if (!thread.usable) this.#threads = this.#threads.filter((other) => other !== thread)
      if ('milliseconds' in end) job.spent(end.milliseconds, client)
      job.end(this.#stopping && end.kind === 'lost' ? { kind: 'dropped' } : end)
      this.#next()
    })
  }

  /** One that knows the graph rather than one that would have to be told; a new one where none is idle. */
  #freeThread(graph: NumberedGraph): PlanningThread {
    const idle = this.#threads.filter((thread) => thread.idle)
    const known = idle.find((thread) => thread.knows(graph)) ?? idle[0]
    if (known !== undefined) return known
    this.#threads = this.#threads.filter((thread) => thread.usable)
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
    for (const job of this.#waiting) this.#finish(job, { kind: 'dropped' })
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
