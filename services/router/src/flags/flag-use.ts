/**
 * Which feature flags clients ask for. A starting router compiles these before it is ready, and a new config
 * is served once it has them.
 *
 * The flags are those that this router was asked for, and those that others told it of: the routers of its
 * graph in their heartbeats, the file of an earlier start, and the primary of a worker.
 */
import { MOST_FLAGS_IN_USE, MOST_FLAGS_IN_USE_TEXT } from '@switchyard/contracts'

/** A flag that was not asked for during this time is not in use any more. */
const IN_USE_MS = 15 * 60_000
/** Every request notes its flag; the order of those of one second does not matter. */
const NOTED_EVERY_MS = 1000
/** Names that are kept before it is known which flags there are. */
const MOST_NAMES = 1000

export type FlagUseOptions = { readonly others?: () => readonly string[]; readonly now?: () => number }

/** Remembers when each flag was asked for last. */
export class FlagUse {
  readonly #others: () => readonly string[]
  readonly #now: () => number
  /** Milliseconds of the clock by flag, the most recent one last. */
  #askedAt = new Map<string, number>()

  /**
   * `others`: flags in use that are remembered elsewhere, by the workers of a primary; `now`: milliseconds of
   * a clock that only goes on.
   */
  constructor({ others = () => [], now = () => performance.now() }: FlagUseOptions = {}) {
    this.#others = others
    this.#now = now
  }

  /** A request named the flag, which is one of the config. */
  asked(flag: string): void {
    const now = this.#now()
    const before = this.#askedAt.get(flag)
    if (before !== undefined && now - before < NOTED_EVERY_MS) return
    this.#askedAt.delete(flag)
    this.#askedAt.set(flag, now)
  }

  /** Others say that these are in use, the most recent one first. Returns whether that was news. */
  heard(flags: readonly string[]): boolean {
    const now = this.#now()
    const known = [...this.#askedAt].filter(([, at]) => now - at < IN_USE_MS)
    const names = new Set(known.map(([flag]) => flag))
    const fresh = flags.filter((flag) => !names.has(flag)).slice(0, Math.max(0, MOST_NAMES - names.size))
    if (fresh.length === 0) return false
    // Those that this router was asked for itself come first.
    this.#askedAt = new Map([...fresh.reverse().map((flag) => [flag, now] as const), ...known])
    return true
  }

  /** Another config is served: flags that it does not have are forgotten. */
  keepOnly(flags: { has(flag: string): boolean }): void {
    for (const flag of this.#askedAt.keys()) if (!flags.has(flag)) this.#askedAt.delete(flag)
  }

  /** Flags that were asked for recently, the most recent one first. */
  get inUse(): readonly string[] {
    const now = this.#now()
    return [...this.#askedAt]
      .filter(([, at]) => now - at < IN_USE_MS)
      .map(([flag]) => flag)
      .reverse()
  }

  /** The flags in use that a heartbeat names, with those remembered elsewhere, as many as it may name. */
  get told(): readonly string[] {
    const told: string[] = []
    let text = 0
    for (const flag of new Set([...this.#others(), ...this.inUse])) {
      text += flag.length
      if (told.length === MOST_FLAGS_IN_USE || text > MOST_FLAGS_IN_USE_TEXT) break
      told.push(flag)
    }
    return told
  }
}
