/**
 * Keeps a starting router from being called ready before the feature flags that clients ask for are compiled,
 * so that no request of a fleet that is restarted waits for one. Requests that come all the same are
 * answered.
 *
 * The gate opens once, when it is known which flags are in use and they are compiled, as far as there is room
 * for them; when no flag is left to be compiled; and in any case after a limit, so that no flag keeps a
 * router from being ready.
 */
import type { Generations } from './generations.ts'

/** Why a router that serves is not ready. */
export const COMPILING_FLAGS =
  'the router serves, and compiles the feature flags that are in use so that nobody has to wait for them'

export type ReadyGateOptions = {
  readonly generations: Pick<Generations, 'serving' | 'hasUnbuiltFlags' | 'buildsFlagsInUse'>
  /** Milliseconds that the router is not ready for the sake of flags. */
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

  /** `isHeard`: nobody is to be heard who would say which flags are in use. */
  constructor(options: ReadyGateOptions, isHeard: boolean) {
    this.#options = options
    this.#isHeard = isHeard
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** By now it is known which flags are in use. */
  heard(): void {
    this.#isHeard = true
    this.look()
  }

  /** What is served has changed, or how much of it is compiled. */
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
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#options.onOpen()
  }

  [Symbol.dispose](): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
  }
}
