/**
 * Decides when a lost connection is made again: after growing pauses with jitter, until it is open or the
 * window is over.
 *
 * A connection that is lost soon after it was opened again belongs to the same outage. So a subgraph that
 * accepts connections and drops them at once is not connected to for ever, nor without pauses.
 */
import { Backoff } from '@switchyard/service-kit'
import type { Fault } from './failures.ts'

/** Milliseconds for which a connection has to last so that the outage before it is over. */
const SETTLED_AFTER = 10_000

/** The outage of a connection. */
type Outage = { readonly since: number; fault: Fault }

export type ReconnectionOptions = {
  /** Milliseconds from the beginning of an outage in which to try again. */
  readonly window: number
  readonly connect: () => void
  /** The connection cannot be made, or not again. Called at most once. */
  readonly giveUp: (fault: Fault) => void
}

/** The connection attempts of one source, or of all sources that share a WebSocket. */
export class Reconnection implements Disposable {
  readonly #options: ReconnectionOptions
  readonly #backoff = new Backoff()
  #outage: Outage | null = null
  /** Null if the connection was never open. */
  #openedAt: number | null = null
  #retry: NodeJS.Timeout | undefined
  #deadline: NodeJS.Timeout | undefined
  #isOver = false

  constructor(options: ReconnectionOptions) {
    this.#options = options
  }

  /** True if the connection is open, or was. */
  get wasOpen(): boolean {
    return this.#openedAt !== null
  }

  /** Notes that the connection is open. Returns whether it was open before. */
  opened(): boolean {
    clearTimeout(this.#deadline)
    const isAgain = this.#openedAt !== null
    this.#openedAt = performance.now()
    return isAgain
  }

  /** Notes that the connection, or an attempt to make one, has failed. */
  lost(fault: Fault): void {
    if (this.#isOver) return
    const { window } = this.#options
    const now = performance.now()
    if (!fault.mayRecover || this.#openedAt === null) return this.#giveUp(fault)
    if (this.#outage === null || this.#isSettled(now, this.#outage)) {
      this.#outage = { since: now, fault }
      this.#backoff.reset()
    }
    this.#outage.fault = fault
    const left = this.#outage.since + window - now
    if (left <= 0) return this.#giveUp(fault)
    clearTimeout(this.#deadline)
    this.#deadline = setTimeout(() => this.#giveUp(this.#outage?.fault ?? fault), left)
    this.#retry = setTimeout(() => this.#options.connect(), this.#backoff.pause())
  }

  [Symbol.dispose](): void {
    this.#isOver = true
    clearTimeout(this.#retry)
    clearTimeout(this.#deadline)
  }

  #isSettled(now: number, { since }: Outage): boolean {
    const openedAt = this.#openedAt ?? 0
    return openedAt > since && now - openedAt >= SETTLED_AFTER
  }

  #giveUp(fault: Fault): void {
    this[Symbol.dispose]()
    this.#options.giveUp(fault)
  }
}
