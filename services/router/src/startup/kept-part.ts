/** Parts that are kept when the settings are read again, as long as their own settings stay the same. */
import { isDeepStrictEqual } from 'node:util'

/** Makes a part by its settings. What it opens it hands to `parts`. */
type OpenPart<Settings, Part> = (settings: Settings, parts: AsyncDisposableStack) => Part | Promise<Part>

type Live<Settings, Part> = {
  readonly settings: Settings
  readonly part: Part
  readonly parts: AsyncDisposableStack
  holders: number
}

/** A part, until its holder lets it go. */
export type HeldPart<Part> = AsyncDisposable & { readonly part: Part; readonly isNew: boolean }

/**
 * One part for all who hold it by equal settings. It ends with its last holder. Settings are compared by
 * `isDeepStrictEqual`, so nothing that hides its value may be among them.
 */
export class KeptPart<Settings, Part> {
  readonly #open: OpenPart<Settings, Part>
  readonly #live = new Set<Live<Settings, Part>>()

  constructor(open: OpenPart<Settings, Part>) {
    this.#open = open
  }

  /**
   * Returns the part for these settings. Must not be called again before it has resolved. Rejects with the
   * error of opening.
   */
  async hold(settings: Settings): Promise<HeldPart<Part>> {
    const known = [...this.#live].find((live) => isDeepStrictEqual(live.settings, settings))
    const live = known ?? (await this.#opened(settings))
    live.holders++
    let isHeld = true
    return {
      part: live.part,
      isNew: known === undefined,
      [Symbol.asyncDispose]: async () => {
        if (!isHeld) return
        isHeld = false
        if (--live.holders > 0) return
        this.#live.delete(live)
        await live.parts.disposeAsync()
      },
    }
  }

  async #opened(settings: Settings): Promise<Live<Settings, Part>> {
    await using opening = new AsyncDisposableStack()
    const part = await this.#open(settings, opening)
    const live = { settings, part, parts: opening.move(), holders: 0 }
    this.#live.add(live)
    return live
  }
}
