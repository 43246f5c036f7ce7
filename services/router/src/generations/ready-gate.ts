/**
 * Keeps a starting router from being called ready before the feature flags that clients ask for are compiled,
 * so that no request of a fleet that is restarted waits for one. Requests that come all the same are
 * answered.
 *
 * The gate opens once, when it is known which flags are in use and they are compiled, as far as there is room
 * for them; when no flag is left to be compiled; and when no flag was compiled for as long as the limit says,
 * so that no flag keeps a router from being ready. A limit for all flags together would have to be chosen by
 * the sizes of graphs: thirty flags of 10,000 types take longer than the two minutes of the setting, and the
 * router would be called ready with half of them.
 */
import type { Generations } from './generations.ts'

/** The reason why a router that serves is not ready. */
export const COMPILING_FLAGS =
  'the router serves, and compiles the feature flags that are in use so that nobody has to wait for them'

export type ReadyGateOptions = {
  readonly generations: Pick<Generations, 'serving' | 'hasUnbuiltFlags' | 'buildsFlagsInUse'>
  /** Milliseconds that the router is not ready while no flag in use gets compiled. */
  readonly limit: () => number
  readonly onOpen: () => void
  /** The limit has passed; flags in use are still to be compiled. */
  readonly onLimit: () => void
}

/** Whether a router that serves its graph is ready to be sent requests. */
export class ReadyGate implements Disposable {
  readonly #options: ReadyGateOptions
  #isHeard: boolean
  #isOpen = false
  #timer: NodeJS.Timeout | null = null

  /** Makes a closed gate. `isHeard` tells that there is nobody who could report which flags are in use. */
  constructor(options: ReadyGateOptions, isHeard: boolean) {
    this.#options = options
    this.#isHeard = isHeard
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Called when it is known which flags are in use. */
  heard(): void {
    this.#isHeard = true
    this.look()
  }

  /** Begins the limit anew, since a flag was compiled or turned out to be broken. */
  settled(): void {
    // As long as it is not known which flags are in use, nothing says that this one was needed.
    if (this.#isHeard) this.#stopTimer()
    this.look()
  }

  /** Opens the gate if nothing has to be waited for any more: what is served has changed. */
  look(): void {
    const { generations, limit, onLimit } = this.#options
    if (this.#isOpen || generations.serving === null) return
    const isDone = !generations.hasUnbuiltFlags || (this.#isHeard && !generations.buildsFlagsInUse)
    if (isDone) return this.#open()
    if (this.#timer !== null) return
    const late = () => {
      if (this.#isOpen) return
      if (generations.buildsFlagsInUse) onLimit()
      this.#open()
    }
    this.#timer = setTimeout(late, limit()).unref()
  }

  #open(): void {
    this.#isOpen = true
    this.#stopTimer()
    this.#options.onOpen()
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  [Symbol.dispose](): void {
    this.#stopTimer()
  }
}
