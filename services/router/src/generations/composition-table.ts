/**
 * What one manifest serves: the base generation and the compositions of the flags, one per artifact however
 * many flags share it. They are built when somebody asks for them; the table holds those that are.
 */
import type { Generation } from './generation.ts'
import type { VerifiedConfig } from './offered-config.ts'

/** How far the composition of a flag is built. */
export type CompositionState =
  | { readonly kind: 'unbuilt' }
  | { readonly kind: 'building'; readonly done: Promise<void> }
  | { readonly kind: 'built'; readonly generation: Generation }
  /** Not served: requests that name its flags get base. */
  | { readonly kind: 'failed'; readonly reason: string }

/** The composition of one flag in the table that is served. */
export type FlagComposition = {
  readonly artifact: string
  state: CompositionState
  /** Orders uses; 0: never used. */
  lastUsed: number
}

/** How many compositions of flags stay built, and how many bytes they may take together. */
export type BuiltFlagLimits = { readonly count: number; readonly bytes: number }

/** What is served at one moment: a config, the generation of base, and the compositions of flags. */
export class CompositionTable {
  readonly config: VerifiedConfig
  readonly base: Generation
  readonly flags: ReadonlyMap<string, FlagComposition>
  readonly #compositions: ReadonlyMap<string, FlagComposition>
  #uses: number

  /**
   * Takes over the holds on `base` and on the generations that `stateOf` gives, which is asked once per
   * artifact. Uses are counted on from the table before.
   */
  constructor(
    config: VerifiedConfig,
    base: Generation,
    stateOf: (artifact: string) => CompositionState,
    before: CompositionTable | null,
  ) {
    this.config = config
    this.base = base
    this.#uses = before?.uses ?? 0
    const flags = new Map<string, FlagComposition>()
    const compositions = new Map<string, FlagComposition>()
    for (const [name, artifact] of config.featureFlags) {
      let composition = compositions.get(artifact)
      if (composition === undefined) {
        composition = { artifact, state: stateOf(artifact), lastUsed: 0 }
        compositions.set(artifact, composition)
      }
      composition.lastUsed = Math.max(composition.lastUsed, before?.flags.get(name)?.lastUsed ?? 0)
      flags.set(name, composition)
    }
    this.flags = flags
    this.#compositions = compositions
  }

  get uses(): number {
    return this.#uses
  }

  composition(artifact: string): FlagComposition | undefined {
    return this.#compositions.get(artifact)
  }

  touch(composition: FlagComposition): void {
    composition.lastUsed = ++this.#uses
  }

  /** Names of the flags that are served, sorted. */
  get served(): readonly string[] {
    return [...this.flags]
      .filter(([, { state }]) => state.kind !== 'failed')
      .map(([name]) => name)
      .sort()
  }

  /**
   * Lets go of the compositions that were not used for longest until the built ones are within the limits.
   * The one used last stays, however large: somebody asks for it. What shares the generation of base costs
   * nothing.
   */
  evict({ count, bytes }: BuiltFlagLimits): void {
    const built: { composition: FlagComposition; generation: Generation }[] = []
    for (const composition of this.#compositions.values()) {
      const { state } = composition
      if (state.kind === 'built' && state.generation !== this.base) {
        built.push({ composition, generation: state.generation })
      }
    }
    built.sort((a, b) => b.composition.lastUsed - a.composition.lastUsed)
    let taken = 0
    for (const [index, { composition, generation }] of built.entries()) {
      taken += generation.size
      if (index === 0 || (index < count && taken <= bytes)) continue
      composition.state = { kind: 'unbuilt' }
      generation.release()
      taken -= generation.size
    }
  }

  release(): void {
    this.base.release()
    for (const composition of this.#compositions.values()) {
      const { state } = composition
      if (state.kind !== 'built') continue
      composition.state = { kind: 'unbuilt' }
      state.generation.release()
    }
  }
}
