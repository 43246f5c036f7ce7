/**
 * The results of shadows that routers told last. They are kept in memory alone, since they may hold values of
 * users: a registry that starts anew hears them again within a minute.
 */
import {
  ALL_ROUTER_DIFFERENCES,
  DIFFERENCES_KEPT_MS,
  type GraphName,
  type RolloutResults,
  type RouterDifferences,
  routerDifferencesFrom,
} from '@switchyard/contracts'
import type { Announcer } from '@switchyard/event-log'
import { type FleetKey, senderOf } from '@switchyard/service-kit'

/** Processes of routers whose results are kept, and characters that they have together as JSON. */
const MOST_PROCESSES = 2000
const MOST_TEXT = 16 * 1024 * 1024

export type HeardDifferencesOptions = {
  readonly announcer: Announcer
  /** If absent, messages are not signed and prove nothing. */
  readonly fleetKey?: FleetKey | undefined
  /** Unix milliseconds. */
  readonly now: () => number
  /** Monotonic milliseconds. */
  readonly monotonicNow: () => number
}

type Told = { readonly message: RouterDifferences; readonly at: number; readonly length: number }

/** Hears results until it is disposed. */
export class HeardDifferences implements Disposable {
  readonly #monotonicNow: () => number
  readonly #subscription: Disposable
  /** The last message of each process, the longest silent first. */
  readonly #told = new Map<string, Told>()
  #length = 0

  constructor({ announcer, fleetKey, now, monotonicNow }: HeardDifferencesOptions) {
    this.#monotonicNow = monotonicNow
    const verifier = fleetKey?.verifier({ now, otherTimes: 'taken' }) ?? null
    this.#subscription = announcer.subscribe(ALL_ROUTER_DIFFERENCES, (message, subject) => {
      if (
        verifier !== null &&
        verifier.judge(subject, senderOf(subject, message), message).disbelief !== null
      )
        return
      const told = routerDifferencesFrom(subject, message)
      if (told !== null) this.#hear(told, subject)
    })
  }

  /** Returns the results of a rollout with this flag, one of each process that told some. */
  of({ namespace, graph }: GraphName, rollout: string, flag: string): readonly RolloutResults[] {
    this.#forget()
    return [...this.#told.values()].flatMap(({ message }) =>
      message.namespace === namespace && message.graph === graph
        ? message.rollouts.filter((results) => results.rollout === rollout && results.flag === flag)
        : [],
    )
  }

  #hear(message: RouterDifferences, subject: string): void {
    const key = `${subject} ${message.boot}`
    this.#remove(key)
    const { length } = JSON.stringify(message)
    this.#told.set(key, { message, at: this.#monotonicNow(), length })
    this.#length += length
    this.#forget()
  }

  #forget(): void {
    const since = this.#monotonicNow() - DIFFERENCES_KEPT_MS
    for (const [key, { at }] of this.#told) {
      if (at >= since && this.#told.size <= MOST_PROCESSES && this.#length <= MOST_TEXT) return
      this.#remove(key)
    }
  }

  #remove(key: string): void {
    const known = this.#told.get(key)
    if (known === undefined) return
    this.#told.delete(key)
    this.#length -= known.length
  }

  [Symbol.dispose](): void {
    this.#subscription[Symbol.dispose]()
  }
}
