/**
 * The usage of a router with several workers: a minute is told as a whole, once all workers have told theirs.
 * The minutes of a worker that ended before it told them are not told at all, since requests of them are not
 * known.
 */
import { joinUsage } from '../concerns/usage/join-usage.ts'
import { minuteOf, type UsageOfMinute } from '../concerns/usage/usage-reports.ts'
import type { StartWorker, Worker } from './worker.ts'

/** Minutes for which workers are waited for. */
const PATIENCE = 3
const LOOK_EVERY_MS = 1000

/** The clock, and who is told. */
export type UsageOfWorkersOptions = {
  readonly tell: (usage: UsageOfMinute) => void
  /** The second of a minute at which the one before is told, or later. */
  readonly second: number
  /** Unix milliseconds. */
  readonly now?: () => number
}

/** The minutes of one worker, of which all before `next` are told. */
type Counting = { next: number; isOver: boolean }

/** Tells minutes until it is disposed, and then those that are left. */
export class UsageOfWorkers implements Disposable {
  readonly #options: UsageOfWorkersOptions
  readonly #workers = new Map<Worker, Counting>()
  readonly #parts = new Map<number, UsageOfMinute[]>()
  /** Minutes of which not all is known. */
  readonly #lost = new Set<number>()
  readonly #timer: NodeJS.Timeout
  readonly #since: number
  #next: number

  constructor(options: UsageOfWorkersOptions) {
    this.#options = options
    this.#since = this.#minute
    this.#next = this.#since
    this.#timer = setInterval(() => this.look(), LOOK_EVERY_MS).unref()
  }

  /** Includes the workers that `start` starts. */
  watching(start: StartWorker): StartWorker {
    return (number, listener) => {
      const counting: Counting = { next: this.#minute, isOver: false }
      const usage = (told: UsageOfMinute, isLast: boolean) => this.#told(counting, told, isLast)
      const worker = start(number, { ...listener, usage })
      this.#workers.set(worker, counting)
      return worker
    }
  }

  /** A worker has ended: what it did not tell is lost. */
  ended(worker: Worker): void {
    const counting = this.#workers.get(worker)
    this.#workers.delete(worker)
    if (counting === undefined || counting.isOver) return
    for (let minute = counting.next; minute <= this.#minute; minute++) this.#lost.add(minute)
  }

  /** Tells the minutes that are complete, if it is time. */
  look(): void {
    const now = this.#now
    const isTime = (now % 60_000) / 1000 >= this.#options.second
    while (this.#next < this.#minute) {
      const age = this.#minute - this.#next
      const isComplete = [...this.#workers.values()].every(({ next }) => next > this.#next)
      if (age === 1 && !isTime) return
      if (!isComplete && age < PATIENCE) return
      if (!isComplete) this.#lost.add(this.#next)
      this.#tellNext()
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
    while (this.#next <= this.#minute) this.#tellNext()
  }

  get #now(): number {
    return (this.#options.now ?? Date.now)()
  }

  get #minute(): number {
    return minuteOf(this.#now)
  }

  #told(counting: Counting, usage: UsageOfMinute, isLast: boolean): void {
    counting.next = usage.minute + 1
    if (isLast) counting.isOver = true
    const parts = this.#parts.get(usage.minute) ?? []
    if (usage.minute >= this.#next) this.#parts.set(usage.minute, [...parts, usage])
  }

  #tellNext(): void {
    const minute = this.#next++
    const parts = this.#parts.get(minute) ?? []
    this.#parts.delete(minute)
    if (!this.#lost.delete(minute)) this.#options.tell({ minute, since: this.#since, ...joinUsage(parts) })
  }
}
