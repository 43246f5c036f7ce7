/**
 * Asks the router from time to time whether it is there and what it serves, so that the page says so without
 * being asked and goes on by itself when the router is back.
 */
import { messageOf } from '@switchyard/values'
import type { PlaygroundState } from '../state.ts'
import type { Visibility } from './page-visibility.ts'
import { Store } from './store.ts'

/** A router that does not answer. */
export type Silence = {
  readonly since: Date
  /** A clause such as "there is no connection to it". */
  readonly problem: string
}

export type PageWatchOptions = {
  /** Throws an Error whose message is a clause as in `Silence`. */
  readonly load: () => Promise<PlaygroundState>
  readonly state: Store<PlaygroundState>
  readonly now: () => Date
  /** Calls `run` after `ms` milliseconds. */
  readonly later: (run: () => void, ms: number) => void
  readonly visibility: Visibility
}

/** Milliseconds between two questions while the router answers, and while it does not. */
const ANSWERING_MS = 5_000
const SILENT_MS = 1_000

export class RouterWatch {
  /** Null while the router answers. */
  readonly silence = new Store<Silence | null>(null)
  readonly #options: PageWatchOptions
  #asking: Promise<void> | null = null
  /** It was time to ask, and the page was hidden. */
  #isResting = false

  constructor(options: PageWatchOptions) {
    this.#options = options
  }

  /**
   * Asks again and again, as long as the page is open; while it is hidden not, and when it is shown at once.
   */
  start(): void {
    const { visibility } = this.#options
    const again = () => {
      this.#isResting = visibility.isHidden()
      if (!this.#isResting) void this.look().then(() => this.#schedule(again))
    }
    visibility.onChange(() => {
      if (visibility.isHidden()) return
      if (this.#isResting) again()
      else void this.look()
    })
    this.#schedule(again)
  }

  /** Asks at once. Never rejects. Several calls at a time ask once. */
  look(): Promise<void> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null
    })
    return this.#asking
  }

  #schedule(again: () => void): void {
    this.#options.later(again, this.silence.value === null ? ANSWERING_MS : SILENT_MS)
  }

  async #ask(): Promise<void> {
    const { load, state, now } = this.#options
    try {
      const loaded = await load()
      // An equal value would render the page again for nothing.
      if (JSON.stringify(loaded) !== JSON.stringify(state.value)) state.set(loaded)
      if (this.silence.value !== null) this.silence.set(null)
    } catch (error) {
      const problem = messageOf(error)
      const { since } = this.silence.value ?? { since: now() }
      if (this.silence.value?.problem !== problem) this.silence.set({ since, problem })
    }
  }
}
