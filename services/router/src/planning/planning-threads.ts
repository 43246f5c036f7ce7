/**
 * The planning threads of a process. Threads are started when there is work, up to a fixed number, and end
 * after a while without work. Tasks beyond that number wait in a line in which clients take turns; when the
 * turn of a task comes, it is asked whether its plan is still wanted.
 */
import type { Client } from '../fairness/client.ts'
import { FairLine } from '../fairness/fair-line.ts'
import type { PlanningTask } from './planning-messages.ts'
import {
  type NumberedGraph,
  type PlanningEnd,
  PlanningThread,
  type PlanningThreadOptions,
} from './planning-thread.ts'

export type PlanningThreadsOptions = PlanningThreadOptions & { readonly count: number }

export type PlanningJob = {
  readonly graph: NumberedGraph
  readonly task: PlanningTask
  /** Called when a thread is free, with the client whose turn it is: whether the plan is still wanted. */
  readonly wanted: (client: Client) => boolean
  /**
   * Called with the milliseconds that planning took and the client in whose turn, before the next task gets
   * its turn.
   */
  readonly spent: (milliseconds: number, client: Client) => void
}

export type RunningJob = {
  /** Never rejects. */
  readonly end: Promise<JobEnd>
  /**
   * Adds a client that waits for the same plan. A task in the line is taken at the first turn of any of its
   * clients.
   */
  readonly join: (client: Client) => void
}

export type JobEnd =
  | PlanningEnd
  | { readonly kind: 'unwanted' }
  /** The graph is not planned on any more, or the process stops. */
  | { readonly kind: 'dropped' }

type WaitingJob = PlanningJob & { readonly end: (end: JobEnd) => void }

/** Tasks that may wait. Beyond that the client with most waiting tasks gives up its oldest one. */
export const MAX_WAITING_JOBS = 1000

export class PlanningThreads implements AsyncDisposable {
  readonly #line = new FairLine<WaitingJob>()
  /** Tasks that wait in the line. */
  readonly #waiting = new Set<WaitingJob>()
  readonly #threads: readonly PlanningThread[]
  #stopping = false

  constructor({ count, ...options }: PlanningThreadsOptions) {
    this.#threads = Array.from({ length: count }, () => new PlanningThread(options))
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

  /** Forgets a graph for whose plans nobody waits any more. */
  forget(graph: NumberedGraph): void {
    for (const job of this.#waiting) if (job.graph.id === graph.id) this.#finish(job, { kind: 'dropped' })
    for (const thread of this.#threads) thread.forget(graph)
  }

  #next(): void {
    if (this.#stopping) return
    while (this.#threads.some(({ isIdle }) => isIdle)) {
      const turn = this.#line.take()
      if (turn === null) return
      const { item: job, client } = turn
      if (job.wanted(client)) this.#begin(job, client)
      else this.#endUnlessWaitedFor(job)
    }
  }

  #begin(job: WaitingJob, client: Client): void {
    this.#line.withdraw(job)
    this.#waiting.delete(job)
    void this.#bestThreadFor(job)
      .plan(job.graph, job.task)
      .then((end) => {
        if ('milliseconds' in end) job.spent(end.milliseconds, client)
        job.end(this.#stopping && end.kind === 'lost' ? { kind: 'dropped' } : end)
        this.#next()
      })
  }

  /**
   * The best idle thread: one that has the graph, else one that is running, else one that has to be started.
   */
  #bestThreadFor({ graph }: PlanningJob): PlanningThread {
    const idle = this.#threads.filter(({ isIdle }) => isIdle)
    const best =
      idle.find((thread) => thread.knows(graph)) ?? idle.find(({ isStarted }) => isStarted) ?? idle[0]
    if (best === undefined) throw new RangeError('no planning thread is idle')
    return best
  }

  #shorten(): void {
    if (this.#line.size <= MAX_WAITING_JOBS) return
    const turn = this.#line.takeFromLargest()
    if (turn !== null) this.#endUnlessWaitedFor(turn.item)
  }

  /**
   * Called when one client gives a task up, or may not have it planned: ends the task unless another client
   * waits for it.
   */
  #endUnlessWaitedFor(job: WaitingJob): void {
    if (!this.#line.has(job)) this.#finish(job, { kind: 'unwanted' })
  }

  #finish(job: WaitingJob, end: JobEnd): void {
    this.#line.withdraw(job)
    this.#waiting.delete(job)
    job.end(end)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping = true
    for (const job of this.#waiting) this.#finish(job, { kind: 'dropped' })
    await Promise.all(this.#threads.map((thread) => thread[Symbol.asyncDispose]()))
  }
}
