/**
 * Remembers when routers last said that clients had named a flag. Heartbeats tell the flags of the last 15
 * minutes and nothing of before, so that a registry knows only what it heard itself since its start.
 */
import type { FlagUse, RouterHeartbeat } from '@switchyard/contracts'

/** The most flags that are remembered. Those that nobody named for the longest time are forgotten first. */
const MOST_FLAGS = 10_000

export class AskedFlags {
  readonly #now: () => number
  readonly #listeningSince: string
  /** Unix ms by namespace and flag, those that were heard of last at the end. */
  readonly #asked = new Map<string, number>()

  /** Begins to remember. `now` returns Unix milliseconds. */
  constructor(now: () => number) {
    this.#now = now
    this.#listeningSince = new Date(now()).toISOString()
  }

  hear({ namespace, flagsInUse = [] }: RouterHeartbeat): void {
    const now = this.#now()
    for (const flag of flagsInUse) {
      const key = keyOf(namespace, flag)
      this.#asked.delete(key)
      this.#asked.set(key, now)
    }
    for (const key of this.#asked.keys()) {
      if (this.#asked.size <= MOST_FLAGS) break
      this.#asked.delete(key)
    }
  }

  useOf(namespace: string, flag: string): FlagUse {
    const asked = this.#asked.get(keyOf(namespace, flag))
    return {
      lastAskedFor: asked === undefined ? null : new Date(asked).toISOString(),
      listeningSince: this.#listeningSince,
    }
  }
}

function keyOf(namespace: string, flag: string): string {
  return JSON.stringify([namespace, flag])
}
