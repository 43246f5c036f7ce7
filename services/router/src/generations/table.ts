/**
 * What one manifest serves: the base generation and the flags. Flags are built when somebody asks for them; each holds its
 * generation while it is built.
 */
import type { Generation } from './generation.ts'
import type { VerifiedConfig } from './offered-config.ts'

export type FlagState =
  | { readonly kind: 'unbuilt' }
  | { readonly kind: 'building'; readonly done: Promise<void> }
  | { readonly kind: 'built'; readonly generation: Generation }
  /** Not served: requests that name it get base. */
  | { readonly kind: 'failed'; readonly reason: string }

export type FlagSlot = {
  readonly name: string
  readonly artifact: string
  state: FlagState
  lastUsed: number
}

export class Table {
  readonly config: VerifiedConfig
  readonly base: Generation
  readonly flags: ReadonlyMap<string, FlagSlot>
  #uses = 0

  /** Takes over the holds on `base` and on the generations of built flags. */
  constructor(config: VerifiedConfig, base: Generation, flags: ReadonlyMap<string, FlagSlot>) {
    this.config = config
    this.base = base
    this.flags = flags
  }

  touch(slot: FlagSlot): void {
    slot.lastUsed = ++this.#uses
  }

  /** Names of the flags that are served, sorted. */
  get served(): readonly string[] {
    return [...this.flags.values()]
      .filter(({ state }) => state.kind !== 'failed')
      .map(({ name }) => name)
      .sort()
  }

  /** Lets go of the flags that were not used for longest until at most `max` are built. They are built again when asked for. */
  evict(max: number): void {
    const built = [...this.flags.values()].filter(({ state }) => state.kind === 'built')
    built.sort((a, b) => a.lastUsed - b.lastUsed)
    for (const slot of built.slice(0, Math.max(0, built.length - max))) {
      const { state } = slot
      slot.state = { kind: 'unbuilt' }
      if (state.kind === 'built') state.generation.release()
    }
  }

  release(): void {
    this.base.release()
    for (const slot of this.flags.values()) {
      const { state } = slot
      if (state.kind !== 'built') continue
      slot.state = { kind: 'unbuilt' }
      state.generation.release()
    }
  }
}
