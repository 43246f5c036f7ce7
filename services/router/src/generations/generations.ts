/**
 * The compositions a router serves right now, and the ones it is finishing with.
 *
 * A request acquires a generation once and keeps it to its last byte, so a swap never mixes two graphs in one
 * response. Swapping is one synchronous assignment: there is no moment at which two requests could disagree
 * about "current".
 */
import { isDeepStrictEqual } from 'node:util'
import { messageOf } from '@switchyard/values'
import { HttpError, ManifestRejectedError } from '../errors/http-error.ts'
import { type FlagChoice, rolloutOf } from '../flags/flag-choice.ts'
import type { SelectionReason } from '../flags/requested-flag.ts'
import { FlagBuilds, type FlagSettings } from './flag-builds.ts'
import type { NextTable } from './flag-line.ts'
import { prepareFlags } from './prepare-flags.ts'
import type { FlagUse } from '../flags/flag-use.ts'
import { type NamingSettings, UnmatchedNames } from './unmatched-names.ts'
import type { Generation } from './generation.ts'
import { type CompileRollouts, type NewerRollouts, withoutNewer } from './newer-rollouts.ts'
import type { VerifiedConfig } from './offered-config.ts'
import { type CompositionState, CompositionTable } from './composition-table.ts'
import { GenerationMaker, type GenerationMakerOptions } from './generation-maker.ts'
import type { PublishedManifests } from './published-documents.ts'

const NONE_PREPARED: ReadonlyMap<string, CompositionState> = new Map()

/** The settings of generations that may change while a router runs. */
export type GenerationSettings = FlagSettings & {
  /** Milliseconds that a request waits until the composition of its flag is built. */
  readonly buildWait: number
}

/**
 * The parts and settings that build compositions, limit how many are kept, and limit how long a request waits
 * for one.
 */
export type GenerationsOptions = GenerationMakerOptions & {
  /** Returns the settings of this moment. */
  readonly settings: () => GenerationSettings
  readonly naming: () => NamingSettings
  /** Manifests of documents that were published for the graph; null if they are not used. */
  readonly documents: PublishedManifests | null
  readonly flagUse: FlagUse
  readonly rolloutsOf: CompileRollouts
  /** Unix milliseconds, for the end of previews. */
  readonly now?: (() => number) | undefined
  /** Called when another config is served, before any request is answered by it. */
  readonly onServed: (served: Readonly<Pick<CompositionTable, 'config' | 'rollouts'>>) => void
  /** Called when a flag turns out not to be servable, or to be servable again. */
  readonly onFlagsChanged: () => void
  /** Called whenever a composition of a flag was built, or turned out not to be servable. */
  readonly onFlagSettled: () => void
}

/** A held generation and why it was chosen. The holder releases it. */
export type HeldGeneration = {
  readonly generation: Generation
  readonly reason: SelectionReason
  /** The configured flag that answers; null for base. */
  readonly flag: string | null
  /** The rollout that decided; null if none did. */
  readonly rollout: string | null
  readonly config: VerifiedConfig
}

/** The compositions that are served, as far as requests look at them. */
type ServedTable = Readonly<
  Pick<CompositionTable, 'config' | 'flags' | 'labelsOf' | 'rollouts' | 'shadows' | 'holdBuilt'>
>

/** Admits requests to the compositions of one config, and swaps that config for another. */
export class Generations implements Disposable {
  readonly #options: GenerationsOptions
  readonly #stop = new AbortController()
  readonly #maker: GenerationMaker
  readonly #unmatched: UnmatchedNames
  readonly #builds: FlagBuilds
  #table: CompositionTable | null = null
  #newer: readonly NewerRollouts[] = []

  constructor(options: GenerationsOptions) {
    this.#options = options
    this.#maker = new GenerationMaker(options, this.#stop.signal)
    this.#unmatched = new UnmatchedNames(options.naming, options.events)
    this.#builds = new FlagBuilds({
      ...options,
      table: () => this.#table,
      inUse: () => this.flagsInUse,
      maker: this.#maker,
      onBuilt: (generation) => this.#unmatched.built(generation),
    })
  }

  /** The compositions that are served; null if nothing is served yet. */
  get table(): ServedTable | null {
    return this.#table
  }

  get serving(): { readonly config: VerifiedConfig; readonly flags: readonly string[] } | null {
    return this.#table === null ? null : { config: this.#table.config, flags: this.#table.served }
  }

  /** Whether a composition is still to be built whose flag is in use, and for which there is room. */
  get buildsFlagsInUse(): boolean {
    return this.#builds.buildsFlagsInUse
  }

  /** Flags that are compiled before others: those of rollouts, then those that clients name. */
  get flagsInUse(): readonly string[] {
    const { inUse } = this.#options.flagUse
    const ofRollouts = this.#table?.rolloutFlags ?? []
    return ofRollouts.length === 0 ? inUse : [...new Set([...ofRollouts, ...inUse])]
  }

  /** Whether a flag of the config is neither compiled nor known not to be servable. */
  get hasUnbuiltFlags(): boolean {
    return this.#table?.hasUnbuiltFlags ?? false
  }

  /**
   * Returns null if nothing is served yet, and a promise only until the requested composition is built. It
   * rejects with HttpError if that takes too long, or the artifact of the composition is damaged.
   */
  hold(choice: FlagChoice): HeldGeneration | Promise<HeldGeneration> | null {
    const table = this.#table
    if (table === null) return null
    const base = (reason: SelectionReason) => heldOf(table, table.base, choice, { reason, flag: null })
    if (choice.from === 'none' || choice.from === 'rollout-control') return base(choice.from)
    const { name } = choice
    const composition = table.chosen(choice)
    // A preview is compiled for those who name it, and by no router that only hears of it.
    if (choice.from !== 'rollout' && table.flags.has(name)) this.#options.flagUse.asked(name)
    if (composition?.state.kind === 'built') {
      table.touch(composition)
      return heldOf(table, composition.state.generation, choice, { reason: choice.from, flag: name })
    }
    if (choice.from === 'rollout') {
      this.#builds.workAgain()
      return base('rollout-not-ready')
    }
    if (composition === undefined) return base('unknown')
    switch (composition.state.kind) {
      case 'failed':
        return base('not-served')
      case 'damaged':
        return Promise.reject(notAvailable())
      case 'unbuilt':
      case 'building':
        return this.#whenBuilt(choice)
      default:
        return composition.state satisfies never
    }
  }

  /**
   * Serves another config. Artifacts that stay keep their generation and its caches. Base is compiled before
   * the swap, and so are flags in use that were served, and those of rollouts that become active; other flags
   * soon after it, those that are asked for first. Throws ManifestRejectedError when base cannot be built;
   * what is served then stays.
   */
  async replace(config: VerifiedConfig): Promise<void> {
    const before = this.#table
    const base = await this.#maker.build(config.base, config).catch((error: unknown) => {
      throw new ManifestRejectedError(
        'MANIFEST_NOT_BUILT',
        `Its base composition cannot be served: ${messageOf(error)}.`,
        error,
      )
    })
    const rollouts = this.#options.rolloutsOf(config)
    let prepared: ReadonlyMap<string, CompositionState> = NONE_PREPARED
    try {
      if (before !== null) {
        await this.#maker.warm(before.base, base)
        prepared = await this.#prepareFlags(before, { config, base }, rollouts)
      }
      this.#stop.signal.throwIfAborted()
    } catch (error) {
      base.release()
      for (const state of prepared.values()) if (state.kind === 'built') state.generation.release()
      if (this.#stop.signal.aborted) return
      throw error
    }
    // Nothing is awaited from here to the assignment, so what was built for the old table meanwhile is found
    // here.
    const stateOf = this.#builds.statesIn(config, before, prepared)
    const table = new CompositionTable(config, { base, rollouts, stateOf, now: this.#options.now }, before)
    this.#withoutNewer(table)
    this.#table = table
    this.#options.onServed(table)
    this.#maker.served(config)
    this.#options.flagUse.keepOnly(config.featureFlags)
    table.touchRollouts()
    table.evict(this.#options.settings().maxBuiltSize)
    this.#unmatched.serve(table)
    before?.release()
    this.#builds.swapped(table)
    await this.#options.documents?.take(config)
  }

  /**
   * These are the rollouts of all manifests that are verified, and newer than the config that is served. What
   * they take from requests of this config, or of one that is served before theirs, takes effect at once.
   */
  takeBack(newer: readonly NewerRollouts[]): void {
    if (isDeepStrictEqual(newer, this.#newer)) return
    this.#newer = newer
    if (this.#table !== null) this.#withoutNewer(this.#table)
  }

  #withoutNewer(table: CompositionTable): void {
    const { rolloutsOf } = this.#options
    table.rollouts = withoutNewer(table.ownRollouts, table.config, this.#newer, rolloutsOf)
  }

  /** Other settings are in force: flags used least recently go, beyond as many as may be kept now. */
  settingsChanged(): void {
    this.#table?.evict(this.#options.settings().maxBuiltSize)
    this.#unmatched.look()
    this.#options.providers.settingsChanged()
    this.#builds.work()
  }

  /** Other flags are in use than before, as others say. */
  useChanged(): void {
    this.#builds.work()
  }

  async #whenBuilt(choice: FlagChoice & { readonly name: string }): Promise<HeldGeneration> {
    const since = performance.now()
    const deadline = since + this.#options.settings().buildWait
    for (;;) {
      const composition = this.#table?.chosen(choice)
      const kind = composition?.state.kind
      if (composition === undefined || (kind !== 'unbuilt' && kind !== 'building')) break
      if (!(await this.#builds.settled(composition, since, deadline))) throw notBuiltYet()
    }
    // Until the composition was built, the flag may have changed. The choice is made anew from what is served
    // now.
    const held = this.hold(choice)
    if (held === null) throw new HttpError('NOT_READY', 'The router is stopping.', { 'Retry-After': '1' })
    return held
  }

  #prepareFlags(
    before: CompositionTable,
    next: NextTable,
    rollouts: CompositionTable['rollouts'],
  ): Promise<ReadonlyMap<string, CompositionState>> {
    const { flagUse, events } = this.#options
    return prepareFlags({
      before,
      next,
      rolloutFlags: rollouts?.activeFlags(Date.now()) ?? [],
      inUse: flagUse.inUse,
      fits: (artifact, beside) => this.#builds.fits(next, artifact, beside),
      build: (artifact) => this.#maker.build(artifact, next.config),
      warm: (from, to, withinMs) => this.#maker.warm(from, to, withinMs),
      onFailed: (flag, error) => events.flagNotServed(flag, error),
      signal: this.#stop.signal,
    })
  }

  [Symbol.dispose](): void {
    this.#stop.abort()
    this.#table?.release()
    this.#table = null
  }
}

/** Holds a composition for a request. */
function heldOf(
  { config }: CompositionTable,
  generation: Generation,
  choice: FlagChoice,
  { reason, flag }: Pick<HeldGeneration, 'reason' | 'flag'>,
): HeldGeneration {
  return { generation: generation.acquire(), reason, flag, rollout: rolloutOf(choice), config }
}

function notBuiltYet(): HttpError {
  return new HttpError(
    'FLAG_NOT_BUILT_YET',
    'The composition of this feature flag is still being built. Try again in a moment.',
    { 'Retry-After': '2' },
  )
}

/** Makes the refusal of a request for a flag whose composition could not be read. */
export function notAvailable(): HttpError {
  return new HttpError(
    'FLAG_NOT_AVAILABLE',
    'This feature flag cannot be served at the moment: its composition could not be read. Try again later.',
    { 'Retry-After': '10' },
  )
}
