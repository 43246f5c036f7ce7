/**
 * The planning threads of a process: started when there is work, a fixed number at a time, ended when there
 * has been none for a while. Tasks beyond that number wait in a line in which clients take turns; whether one
 * is still wanted is asked when its turn comes.
 */
import type { Client } from '../clients/client.ts'
import { FairLine } from '../clients/fair-line.ts'
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
  /** Asked when a thread is free, for the client whose turn it is. */
  readonly wanted: (client: Client) => boolean
  /** Told what it took, in milliseconds, and in whose turn, before the next one has its turn. */
  readonly spent: (milliseconds: number, client: Client) => void
}

export type RunningJob = {
  /** Never rejects. */
  readonly end: Promise<JobEnd>
  /**
   * One more client waits for it: as long as it is in line, its turn comes with the first turn of one of its
   * clients.
   */
  readonly join: (client: Client) => void
}

export type JobEnd =
  | PlanningEnd
  | { readonly kind: 'unwanted' }
  /** The graph was forgotten, or everything is coming to an end. */
  | { readonly kind: 'dropped' }

type WaitingJob = PlanningJob & { readonly end: (end: JobEnd) => void }

/** Places in the line. Beyond that the client with most of them gives up what has waited longest. */
export const MAX_WAITING_JOBS = 1000

export class PlanningThreads implements AsyncDisposable {
  readonly #line = new FairLine<WaitingJob>()
  /** Those in the line. */
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

  /** Nobody waits for plans of this graph any more. */
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
   * Of the idle threads: one that has the graph, else one that is started, else one that has to be started.
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

  /** One of its clients may not have it planned. Others may. */
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
