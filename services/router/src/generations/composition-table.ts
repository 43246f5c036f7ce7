/**
 * The base generation of one manifest, and one composition per artifact of its feature flags, however many
 * flags share an artifact. Compositions of flags are built one after the other while the table is served; the
 * table keeps those that are built.
 */
import type { Rollouts } from '@switchyard/rollouts'
import type { FlagChoice } from '../flags/flag-choice.ts'
import type { Asking } from '../request/asking.ts'
import type { Generation } from './generation.ts'
import type { VerifiedConfig } from './offered-config.ts'

/** The state of the composition of a flag. */
export type CompositionState =
  | { readonly kind: 'unbuilt' }
  | { readonly kind: 'building' }
  | { readonly kind: 'built'; readonly generation: Generation }
  /** The artifact is missing or incomplete. Requests for its flags get an error until it is whole. */
  | { readonly kind: 'damaged' }
  /** The composition cannot be served: requests for its flags get base. */
  | { readonly kind: 'failed'; readonly reason: string }

/** The composition of one flag in the table that is served. */
export type FlagComposition = {
  readonly artifact: string
  state: CompositionState
  /** Running number of the latest use of the composition. 0 means never. */
  lastUsed: number
}

/** A held composition of a flag. The holder releases it. */
export type HeldFlag = {
  readonly generation: Generation
  readonly flag: string
  readonly config: VerifiedConfig
}

/** The parts of a table. */
export type TableParts = {
  readonly base: Generation
  readonly rollouts: Rollouts<Asking> | null
  /** Returns the state of the composition of an artifact. Called once for each. */
  readonly stateOf: (artifact: string) => CompositionState
  /** Unix milliseconds, for the end of previews. */
  readonly now?: (() => number) | undefined
}

/** The composition of a preview. It is compiled when a request names it, and never before. */
type PreviewComposition = { readonly composition: FlagComposition; readonly expires: number }

/**
 * The compositions served at one moment: a config, the generation of base, and the compositions of feature
 * flags.
 */
export class CompositionTable {
  readonly config: VerifiedConfig
  readonly base: Generation
  readonly flags: ReadonlyMap<string, FlagComposition>
  /** The rollouts of the config; null if it has none. */
  readonly ownRollouts: Rollouts<Asking> | null
  /** Those by which requests are decided: without what newer manifests take back. */
  rollouts: Rollouts<Asking> | null
  readonly #previews: ReadonlyMap<string, PreviewComposition>
  readonly #compositions: ReadonlyMap<string, FlagComposition>
  readonly #now: () => number
  #uses: number

  /**
   * Takes over the caller's hold on `base`, and on each generation that `stateOf` returns. The order of uses
   * goes on from the table before.
   */
  constructor(
    config: VerifiedConfig,
    { base, rollouts, stateOf, now = Date.now }: TableParts,
    before: CompositionTable | null,
  ) {
    this.#now = now
    this.config = config
    this.base = base
    this.ownRollouts = rollouts
    this.rollouts = rollouts
    this.#uses = before?.uses ?? 0
    const flags = new Map<string, FlagComposition>()
    const compositions = new Map<string, FlagComposition>()
    const previews = new Map<string, PreviewComposition>()
    const add = (artifact: string, earlier: FlagComposition | undefined): FlagComposition => {
      let composition = compositions.get(artifact)
      if (composition === undefined) {
        composition = { artifact, state: stateOf(artifact), lastUsed: 0 }
        compositions.set(artifact, composition)
      }
      composition.lastUsed = Math.max(composition.lastUsed, earlier?.lastUsed ?? 0)
      return composition
    }
    for (const [name, artifact] of config.featureFlags)
      flags.set(name, add(artifact, before?.flags.get(name)))
    for (const [name, { artifact, expires }] of config.previews) {
      const earlier = before === null ? undefined : before.#previews.get(name)?.composition
      previews.set(name, { composition: add(artifact, earlier), expires })
    }
    this.flags = flags
    this.#previews = previews
    this.#compositions = compositions
  }

  /**
   * Returns the composition of the flag that was chosen for a request, or of the preview that the request
   * names. Undefined if there is none, or if the time of the preview is over. No rollout chooses a preview.
   */
  chosen(choice: FlagChoice): FlagComposition | undefined {
    if (!('name' in choice)) return undefined
    const flag = this.flags.get(choice.name)
    if (flag !== undefined || choice.from === 'rollout') return flag
    const preview = this.#previews.get(choice.name)
    return preview === undefined || preview.expires <= this.#now() ? undefined : preview.composition
  }

  /**
   * The labels of progressive overrides in the composition that answers a request; null if that is not built.
   */
  labelsOf(choice: FlagChoice): readonly string[] | null {
    const state = this.chosen(choice)?.state
    if (state?.kind === 'built') return state.generation.graph.labels
    const isBase = state === undefined || state.kind === 'failed' || choice.from === 'rollout'
    return isBase ? this.base.graph.labels : null
  }

  /** Flags that a rollout gives to somebody, each once, in the order of the rollouts. */
  get rolloutFlags(): readonly string[] {
    return this.rollouts?.activeFlags(Date.now()) ?? []
  }

  /** Flags that answers of base are compared with, each once, in the order of the rollouts. */
  get shadowFlags(): readonly string[] {
    return this.rollouts?.shadowFlags(Date.now()) ?? []
  }

  /**
   * Holds the composition of a flag for work that nobody waits for. Returns null unless it is built, and
   * counts as no use of it. The caller releases the generation.
   */
  holdBuilt(flag: string): HeldFlag | null {
    const state = this.flags.get(flag)?.state
    if (state?.kind !== 'built') return null
    return { generation: state.generation.acquire(), flag, config: this.config }
  }

  /** Names of the rollouts by which answers are compared. */
  get shadows(): readonly string[] {
    return this.rollouts?.shadows ?? []
  }

  get uses(): number {
    return this.#uses
  }

  composition(artifact: string): FlagComposition | undefined {
    return this.#compositions.get(artifact)
  }

  /** A flag or a preview that has the composition. */
  flagOf(composition: FlagComposition): string {
    for (const [flag, own] of this.flags) if (own === composition) return flag
    for (const [preview, own] of this.#previews) if (own.composition === composition) return preview
    throw new Error(`The composition ${composition.artifact} is not part of this table.`)
  }

  /** The compositions that are built and take memory of their own, beside that of base. */
  get built(): readonly FlagComposition[] {
    return [...this.#compositions.values()].filter(
      ({ state }) => state.kind === 'built' && state.generation !== this.base,
    )
  }

  get hasUnbuiltFlags(): boolean {
    return [...this.flags.values()].some(({ state }) => state.kind === 'unbuilt' || state.kind === 'building')
  }

  touch(composition: FlagComposition): void {
    composition.lastUsed = ++this.#uses
  }

  /** Names of the flags that are served, sorted. */
  get served(): readonly string[] {
    return [...this.flags]
      .filter(([, { state }]) => state.kind !== 'failed' && state.kind !== 'damaged')
      .map(([name]) => name)
      .sort()
  }

  /** Counts the flags of rollouts as used: who gets them next does not name them. */
  touchRollouts(): void {
    for (const flag of this.rolloutFlags.toReversed()) {
      const composition = this.flags.get(flag)
      if (composition?.state.kind === 'built') this.touch(composition)
    }
  }

  /**
   * Lets go of the compositions that were not used for longest, until the built ones take at most `maxSize`
   * bytes. The one used last stays however large it is, since somebody asks for it. A composition that shares
   * the generation of base costs nothing.
   */
  evict(maxSize: number): void {
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
      if (index === 0 || taken <= maxSize) continue
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
