/**
 * The subscriptions that a router serves: how many there may be, signs of life on their connections, and what
 * becomes of them when another schema, other rollouts or other settings are served, or the router stops.
 */
import type { EndReason } from './events/subscription.ts'

/** A subscription, as far as all are treated alike. */
export type ServedSubscription = {
  /**
   * Moves to what is served now, if that has changed. Returns the reason if it cannot go on; null if it goes
   * on, or has ended. Must not reject.
   */
  move(): EndReason | null | Promise<EndReason | null>
  /** Shows that the connection is still in use. */
  keepAlive(): void
  end(reason: EndReason): void
  leave(reason: EndReason): void
}

/** The settings that hold for all subscriptions. */
export type OpenSubscriptionsSettings = {
  readonly maxSubscriptions: number
  /** Milliseconds. */
  readonly keepAlive: number
  /** Milliseconds. */
  readonly moveWindow: number
}

/** Milliseconds between two looks at subscriptions, each at a part of them. */
const TICK_MS = 100
/** Most subscriptions that are looked at in one turn of the event loop. */
const MOST_PER_TURN = 500

const SETTINGS_CHANGED: EndReason = {
  code: 'SUBSCRIPTION_SETTINGS_CHANGED',
  message: 'The settings of this router have changed. Subscribe again.',
}
const LEAVING: EndReason = {
  code: 'DRAINING',
  message: 'This router is stopping. Subscribe again: another one will answer.',
}

export class OpenSubscriptions implements Disposable {
  readonly #settings: () => OpenSubscriptionsSettings
  readonly #onDefect: (error: unknown) => void
  /**
   * Each with the time of its last sign of life, by `performance.now()`. Those that are looked at come last,
   * so that the first ones are those that were not for longest.
   */
  readonly #all = new Map<ServedSubscription, number>()
  /** Those that began under earlier settings. */
  #outdated: ServedSubscription[] = []
  #timer: NodeJS.Timeout | null = null

  constructor(settings: () => OpenSubscriptionsSettings, onDefect: (error: unknown) => void) {
    this.#settings = settings
    this.#onDefect = onDefect
  }

  get count(): number {
    return this.#all.size
  }

  get isFull(): boolean {
    return this.#all.size >= this.#settings().maxSubscriptions
  }

  /** Serves a subscription until it is removed. */
  add(subscription: ServedSubscription): void {
    this.#all.set(subscription, performance.now())
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS)
  }

  remove(subscription: ServedSubscription): void {
    this.#all.delete(subscription)
    if (this.#all.size === 0) this.#rest()
  }

  /** Other settings are in force: all subscriptions of the earlier ones end, spread over the window. */
  settingsChanged(): void {
    this.#outdated = [...this.#all.keys()]
  }

  /** Ends all of them, since the router drains. */
  leave(): void {
    for (const subscription of this.#all.keys()) subscription.leave(LEAVING)
  }

  [Symbol.dispose](): void {
    this.leave()
    this.#rest()
  }

  #rest(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
    this.#outdated = []
  }

  #tick(): void {
    const { keepAlive, moveWindow } = this.#settings()
    for (const subscription of this.#outdated.splice(0, this.#share(moveWindow)))
      if (this.#all.has(subscription)) subscription.end(SETTINGS_CHANGED)
    const now = performance.now()
    for (const [subscription, last] of this.#longestAgo(this.#share(Math.min(moveWindow, keepAlive)))) {
      const isSilent = now - last >= keepAlive
      // It is the last one now.
      this.#all.delete(subscription)
      this.#all.set(subscription, isSilent ? now : last)
      if (isSilent) subscription.keepAlive()
      this.#look(subscription)
    }
  }

  /** Returns the subscriptions that were not looked at for longest. */
  #longestAgo(count: number): readonly (readonly [ServedSubscription, number])[] {
    const found: (readonly [ServedSubscription, number])[] = []
    for (const entry of this.#all) {
      if (found.length === count) break
      found.push(entry)
    }
    return found
  }

  /** The number of subscriptions to look at in this tick, so that all are looked at within so much time. */
  #share(milliseconds: number): number {
    const ticks = Math.max(1, Math.floor(milliseconds / TICK_MS))
    return Math.min(MOST_PER_TURN, Math.ceil(this.#all.size / ticks))
  }

  #look(subscription: ServedSubscription): void {
    const reason = subscription.move()
    if (reason instanceof Promise) reason.then((late) => late && subscription.end(late)).catch(this.#onDefect)
    else if (reason !== null) subscription.end(reason)
  }
}
