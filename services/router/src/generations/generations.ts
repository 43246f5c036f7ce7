/**
 * The compositions a router serves right now, and the ones it is finishing with.
 *
 * A request acquires a generation once and keeps it to its last byte, so a swap never mixes two graphs in one
 * response. Swapping is one synchronous assignment: there is no moment at which two requests could disagree
 * about "current".
 */
import { messageOf } from '@switchyard/values'
import { HttpError, ManifestRejectedError } from '../errors/http-error.ts'
import type { CompositionEvents } from './composition-events.ts'
import { type FlagChoice, rolloutOf } from '../flags/flag-choice.ts'
import type { SelectionReason } from '../flags/requested-flag.ts'
import { contentOf, hasArtifact } from './content/artifact-content.ts'
import { type AccessSettings, AccessWarnings } from './access-warnings.ts'
import { FlagLine, type NextBuild, type NextTable } from './flag-line.ts'
import { MemoryWarning } from './memory-warning.ts'
import { prepareFlags } from './prepare-flags.ts'
import type { FlagUse } from '../flags/flag-use.ts'
import { type NamingSettings, UnmatchedNames } from './unmatched-names.ts'
import { WARM_UP_OPERATIONS } from '../planning/settings.ts'
import { warmUp } from './build/warm-up.ts'
import type { Generation } from './generation.ts'
import type { VerifiedConfig } from './offered-config.ts'
import { type CompositionState, type FlagComposition, CompositionTable } from './composition-table.ts'
import type { GenerationFactory } from './generation-factory.ts'
import type { PublishedManifests } from './published-documents.ts'

/** Operations that take long to plan must not keep a new composition from being served. */
const WARM_UP_LIMIT_MS = 10_000
/** Flags of rollouts that are not built are looked for this often while requests come for them. */
const WORK_AGAIN_MS = 1000
const NONE_PREPARED: ReadonlyMap<string, CompositionState> = new Map()

/** The settings of generations that may change while a router runs. */
export type GenerationSettings = {
  /** Bytes that the compositions of flags which stay built may take together. */
  readonly maxBuiltSize: number
  /** Milliseconds that a request waits until the composition of its flag is built. */
  readonly buildWait: number
  /** Whether compositions of flags are built that nobody asks for yet. */
  readonly buildAhead: boolean
}

/**
 * The parts and settings that build compositions, limit how many are kept, and limit how long a request waits
 * for one.
 */
export type GenerationsOptions = {
  readonly generationFactory: GenerationFactory
  readonly events: CompositionEvents
  readonly access: AccessSettings
  /** Returns the settings of this moment. */
  readonly settings: () => GenerationSettings
  readonly naming: () => NamingSettings
  /** Manifests of documents that were published for the graph; null if they are not used. */
  readonly documents: PublishedManifests | null
  readonly flagUse: FlagUse
  /** Compiles the rollouts of a config; null if it has none. */
  readonly rolloutsOf: (config: VerifiedConfig) => CompositionTable['rollouts']
  /** Unix milliseconds, for the end of previews. */
  readonly now?: (() => number) | undefined
  /** Called when another config is served, before any request is answered by it. */
  readonly onServed: (served: Pick<CompositionTable, 'config' | 'rollouts'>) => void
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
type ServedTable = Pick<
  CompositionTable,
  'config' | 'flags' | 'labelsOf' | 'rollouts' | 'shadows' | 'holdBuilt'
>

/** Admits requests to the compositions of one config, and swaps that config for another. */
export class Generations implements Disposable {
  readonly #options: GenerationsOptions
  readonly #stop = new AbortController()
  readonly #accessWarnings: AccessWarnings
  readonly #unmatched: UnmatchedNames
  readonly #line = new FlagLine()
  readonly #memory: MemoryWarning
  /**
   * The composition that is being built from the line. A build goes on when another config is swapped in
   * meanwhile; whichever config then needs the result uses it.
   */
  #building: NextBuild | null = null
  #isWorking = false
  #table: CompositionTable | null = null
  #workedAt = 0

  constructor(options: GenerationsOptions) {
    this.#options = options
    this.#accessWarnings = new AccessWarnings(options.access, options.events)
    this.#unmatched = new UnmatchedNames(options.naming, options.events)
    this.#memory = new MemoryWarning(this.#line, options.events)
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
    const table = this.#table
    if (table === null) return false
    const inUse = this.flagsInUse
    const building = this.#building?.composition
    if (building !== undefined && inUse.some((flag) => table.flags.get(flag) === building)) return true
    return this.#line.firstInUse(table, this.#options.settings().maxBuiltSize, inUse) !== null
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
      this.#workAgain()
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
    const base = await this.#built(config.base, config).catch((error: unknown) => {
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
        await this.#warm(before.base, base)
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
    const stateOf = (artifact: string) => this.#stateOf(artifact, config, before, prepared)
    const table = new CompositionTable(config, { base, rollouts, stateOf, now: this.#options.now }, before)
    this.#table = table
    this.#options.onServed(table)
    this.#accessWarnings.keepOnly((artifact) => hasArtifact(config, artifact))
    this.#options.flagUse.keepOnly(config.featureFlags)
    table.touchRollouts()
    table.evict(this.#options.settings().maxBuiltSize)
    this.#unmatched.serve(table)
    before?.release()
    this.#line.swapped(table)
    this.#work()
    await this.#options.documents?.take(config)
  }

  /** Other settings are in force: flags used least recently go, beyond as many as may be kept now. */
  settingsChanged(): void {
    this.#table?.evict(this.#options.settings().maxBuiltSize)
    this.#unmatched.look()
    this.#work()
  }

  /** Other flags are in use than before, as others say. */
  useChanged(): void {
    this.#work()
  }

  #stateOf(
    artifact: string,
    config: VerifiedConfig,
    before: CompositionTable | null,
    prepared: ReadonlyMap<string, CompositionState>,
  ): CompositionState {
    const ready = prepared.get(artifact)
    if (ready !== undefined) return ready
    if (!hasArtifact(config, artifact)) return { kind: 'damaged' }
    const alive = this.#options.generationFactory.reuse(artifact)
    if (alive !== null) return { kind: 'built', generation: alive }
    if (this.#building?.composition.artifact === artifact) return { kind: 'building' }
    const known = before?.composition(artifact)?.state
    return known?.kind === 'failed' ? known : { kind: 'unbuilt' }
  }

  async #whenBuilt(choice: FlagChoice & { readonly name: string }): Promise<HeldGeneration> {
    const since = performance.now()
    const deadline = since + this.#options.settings().buildWait
    for (;;) {
      const composition = this.#table?.chosen(choice)
      const kind = composition?.state.kind
      if (composition === undefined || (kind !== 'unbuilt' && kind !== 'building')) break
      const waiting = this.#line.wait(composition.artifact, since)
      this.#work()
      const left = deadline - performance.now()
      const isSettled = left > 0 && (await settledWithin(waiting.changed, left))
      waiting.leave()
      if (!isSettled) throw notBuiltYet()
    }
    // Until the composition was built, the flag may have changed. The choice is made anew from what is served
    // now.
    const held = this.hold(choice)
    if (held === null) throw new HttpError('NOT_READY', 'The router is stopping.', { 'Retry-After': '1' })
    return held
  }

  /** A request of a rollout got base, since its flag is not built: there may be room by now. */
  #workAgain(): void {
    const now = performance.now()
    if (now - this.#workedAt < WORK_AGAIN_MS) return
    this.#workedAt = now
    this.#work()
  }

  /** Builds one composition after the other, until none is to be built. */
  #work(): void {
    if (this.#isWorking) return
    this.#isWorking = true
    const work = async () => {
      // A build never rejects: what goes wrong becomes the state of its composition.
      for (let next = this.#next(); next !== null; next = this.#next()) await this.#build(next)
      this.#isWorking = false
    }
    void work()
  }

  #next(): (NextBuild & { readonly table: CompositionTable }) | null {
    const table = this.#table
    if (table === null) return null
    const { maxBuiltSize, buildAhead: ahead } = this.#options.settings()
    this.#memory.look(table, maxBuiltSize)
    const inUse = [...this.flagsInUse, ...table.shadowFlags]
    const next = this.#line.next(table, maxBuiltSize, { inUse, ahead })
    return next === null ? null : { ...next, table }
  }

  async #build({ table, ...next }: NextBuild & { readonly table: CompositionTable }): Promise<void> {
    const { composition, flag, reason } = next
    const { artifact } = composition
    const { events, onFlagsChanged, onFlagSettled } = this.#options
    const started = performance.now()
    this.#building = next
    composition.state = { kind: 'building' }
    try {
      const generation = await this.#built(artifact, table.config)
      if (reason !== 'requested') await this.#warmForRollout(flag, generation)
      this.#building = null
      if (this.#keep(artifact, generation, reason))
        events.flagBuilt(flag, reason, performance.now() - started)
    } catch (error) {
      this.#building = null
      const wanted = this.#awaiting(artifact)
      this.#line.settled(artifact, null)
      if (wanted === null) return
      wanted.composition.state = { kind: 'failed', reason: messageOf(error) }
      events.flagNotServed(flag, error)
      onFlagsChanged()
    }
    onFlagSettled()
  }

  /** Returns false if the config that is served by now does not have it. */
  #keep(artifact: string, generation: Generation, reason: NextBuild['reason']): boolean {
    const wanted = this.#awaiting(artifact)
    if (wanted === null) {
      this.#line.settled(artifact, null)
      generation.release()
      return false
    }
    wanted.composition.state = { kind: 'built', generation }
    // What nobody asks for yet is the first that makes room.
    if (reason !== 'ahead') wanted.table.touch(wanted.composition)
    // Those that wait are told before anything makes room for something else.
    this.#line.settled(artifact, generation.size)
    wanted.table.evict(this.#options.settings().maxBuiltSize)
    this.#unmatched.built(generation)
    return true
  }

  /**
   * Returns the composition that waits for a build which has ended, or null. The table may be newer than the
   * one that began the build.
   */
  #awaiting(
    artifact: string,
  ): { readonly table: CompositionTable; readonly composition: FlagComposition } | null {
    const table = this.#table
    const composition = table?.composition(artifact)
    return table === null || composition?.state.kind !== 'building' ? null : { table, composition }
  }

  #prepareFlags(
    before: CompositionTable,
    next: NextTable,
    rollouts: CompositionTable['rollouts'],
  ): Promise<ReadonlyMap<string, CompositionState>> {
    const { flagUse, events, settings } = this.#options
    return prepareFlags({
      before,
      next,
      rolloutFlags: rollouts?.activeFlags(Date.now()) ?? [],
      inUse: flagUse.inUse,
      fits: (artifact, beside) => this.#line.fits(next, artifact, beside, settings().maxBuiltSize),
      build: (artifact) => this.#built(artifact, next.config),
      warm: (from, to, withinMs) => this.#warm(from, to, withinMs),
      onFailed: (flag, error) => events.flagNotServed(flag, error),
      signal: this.#stop.signal,
    })
  }

  async #built(artifact: string, config: VerifiedConfig): Promise<Generation> {
    const content = contentOf(config, artifact)
    if (content === null) throw new Error(`artifact ${artifact} is not part of the config`)
    const generation = await this.#options.generationFactory.build(artifact, content)
    this.#accessWarnings.look(artifact, generation.graph.compiled)
    return generation
  }

  async #warm(from: Generation, to: Generation, withinMs = WARM_UP_LIMIT_MS): Promise<void> {
    if (from === to) return
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(Math.ceil(withinMs))])
    await warmUp(from.operations, to, WARM_UP_OPERATIONS, signal)
  }

  /** Prepares in the composition of a rollout's flag what base is asked for, before requests get it. */
  async #warmForRollout(flag: string, generation: Generation): Promise<void> {
    const table = this.#table
    if (table?.rolloutFlags.includes(flag) !== true) return
    const base = table.base.acquire()
    await this.#warm(base, generation)
    base.release()
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

async function settledWithin(promise: Promise<void>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, milliseconds, false).unref()
  })
  try {
    return await Promise.race([promise.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}
