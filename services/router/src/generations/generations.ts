/**
 * The compositions a router serves right now, and the ones it is finishing with.
 *
 * A request acquires a generation once and keeps it to its last byte, so a swap never mixes two graphs in one
 * response. Swapping is one synchronous assignment: there is no moment at which two requests could disagree
 * about "current".
 */
import { HttpError, ManifestRejectedError, messageOf } from '../errors/http-error.ts'
import type { CompositionEvents } from '../observe/composition-events.ts'
import type { RequestedFlag, SelectionReason } from '../flags/requested-flag.ts'
import { type AccessSettings, AccessWarnings } from './access-warnings.ts'
import { type NamingSettings, UnmatchedNames } from './unmatched-names.ts'
import { warmUp } from './warm-up.ts'
import type { Generation } from './generation.ts'
import type { VerifiedConfig } from './offered-config.ts'
import {
  type BuiltFlagLimits,
  type CompositionState,
  type FlagComposition,
  CompositionTable,
} from './composition-table.ts'
import type { GenerationFactory } from './generation-factory.ts'
import type { PublishedDocuments } from './published-documents.ts'

/** Operations that take long to plan must not keep a new composition from being served. */
const WARM_UP_LIMIT_MS = 10_000

/** What may change while a router runs. */
export type GenerationSettings = {
  readonly builtFlags: BuiltFlagLimits
  /** Milliseconds that the first request of a flag waits for its build. */
  readonly buildWait: number
  readonly warmUpOperations: number
}

/** What builds compositions, how many are kept, and how long a request waits for one. */
export type GenerationsOptions = {
  readonly generationFactory: GenerationFactory
  readonly events: CompositionEvents
  readonly access: AccessSettings
  /** As they are at this moment. */
  readonly settings: () => GenerationSettings
  readonly naming: () => NamingSettings
  /** null: manifests of documents that were published for the graph are not used. */
  readonly documents: PublishedDocuments | null
  /** Called when a flag turns out not to be servable, or to be servable again. */
  readonly onFlagsChanged: () => void
}

/** A held generation and why it was chosen. The holder releases it. */
export type Admission = {
  readonly generation: Generation
  readonly reason: SelectionReason
  /** The configured flag that answers; null for base. */
  readonly flag: string | null
  readonly config: VerifiedConfig
}

/** Admits requests to the compositions of one config, and swaps that config for another. */
export class Generations implements Disposable {
  readonly #options: GenerationsOptions
  readonly #stop = new AbortController()
  readonly #accessWarnings: AccessWarnings
  readonly #unmatched: UnmatchedNames
  /**
   * Builds under way, by artifact. A build goes on when another config is swapped in meanwhile; its result is
   * used by whichever config then needs it.
   */
  readonly #building = new Map<string, Promise<void>>()
  #table: CompositionTable | null = null

  constructor(options: GenerationsOptions) {
    this.#options = options
    this.#accessWarnings = new AccessWarnings(options.access, options.events)
    this.#unmatched = new UnmatchedNames(options.naming, options.events)
  }

  get isServing(): boolean {
    return this.#table !== null
  }

  get serving(): { readonly config: VerifiedConfig; readonly flags: readonly string[] } | null {
    return this.#table === null ? null : { config: this.#table.config, flags: this.#table.served }
  }

  /**
   * Returns null if nothing is served yet, and a promise only while the requested composition is being built.
   */
  admit(requested: RequestedFlag): Admission | Promise<Admission> | null {
    const table = this.#table
    if (table === null) return null
    const base = (reason: SelectionReason) => this.#admission(table, table.base, reason, null)
    if (requested.from === 'none') return base('none')
    const composition = table.flags.get(requested.name)
    if (composition === undefined) return base('unknown')
    switch (composition.state.kind) {
      case 'failed':
        return base('not-served')
      case 'built':
        table.touch(composition)
        return this.#admission(table, composition.state.generation, requested.from, requested.name)
      case 'unbuilt':
      case 'building':
        return this.#whenBuilt(requested)
      default:
        return composition.state satisfies never
    }
  }

  /**
   * Serves another config. Artifacts that stay keep their generation and its caches; base and the flags in
   * use are compiled before the swap, other flags when they are asked for. Throws ManifestRejectedError when
   * base cannot be built; what is served then stays.
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
    const prepared = new Map<string, CompositionState>()
    try {
      if (before !== null) {
        await this.#warm(before.base, base)
        await this.#prepareFlagsInUse(before, config, prepared)
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
    const table = new CompositionTable(
      config,
      base,
      (artifact) => this.#stateOf(artifact, before, prepared),
      before,
    )
    this.#table = table
    this.#accessWarnings.keepOnly(config.artifacts)
    table.evict(this.#options.settings().builtFlags)
    this.#unmatched.serve(table)
    before?.release()
    await this.#options.documents?.take(config)
  }

  /** Other settings are in force: flags used least recently go, beyond as many as may be kept now. */
  settingsChanged(): void {
    this.#table?.evict(this.#options.settings().builtFlags)
    this.#unmatched.look()
  }

  #stateOf(
    artifact: string,
    before: CompositionTable | null,
    prepared: ReadonlyMap<string, CompositionState>,
  ): CompositionState {
    const ready = prepared.get(artifact)
    if (ready !== undefined) return ready
    const alive = this.#options.generationFactory.reuse(artifact)
    if (alive !== null) return { kind: 'built', generation: alive }
    const done = this.#building.get(artifact)
    if (done !== undefined) return { kind: 'building', done }
    const known = before?.composition(artifact)?.state
    return known?.kind === 'failed' ? known : { kind: 'unbuilt' }
  }

  #admission(
    table: CompositionTable,
    generation: Generation,
    reason: SelectionReason,
    flag: string | null,
  ): Admission {
    return { generation: generation.acquire(), reason, flag, config: table.config }
  }

  async #whenBuilt(requested: RequestedFlag): Promise<Admission> {
    const deadline = performance.now() + this.#options.settings().buildWait
    for (;;) {
      const table = this.#table
      const composition = requested.from === 'none' ? undefined : table?.flags.get(requested.name)
      if (table === null || composition === undefined || requested.from === 'none') break
      if (composition.state.kind === 'unbuilt') this.#build(table, composition, requested.name)
      if (composition.state.kind !== 'building') break
      const left = deadline - performance.now()
      if (left <= 0 || !(await settledWithin(composition.state.done, left))) {
        throw new HttpError(
          'FLAG_NOT_BUILT_YET',
          'The composition of this feature flag is still being built. Try again in a moment.',
          { 'Retry-After': '2' },
        )
      }
    }
    // While the composition was being built, the flag may have changed. The choice is made anew from what is
    // served now.
    const admission = this.admit(requested)
    if (admission === null)
      throw new HttpError('NOT_READY', 'The router is stopping.', { 'Retry-After': '1' })
    return admission
  }

  /** `flag` is the one that was asked for, among those that share the composition. */
  #build(table: CompositionTable, composition: FlagComposition, flag: string): void {
    const { events, settings, onFlagsChanged } = this.#options
    const { artifact } = composition
    const started = performance.now()
    const done = this.#built(artifact, table.config).then(
      (generation) => {
        this.#building.delete(artifact)
        const wanted = this.#awaiting(artifact)
        if (wanted === null) return generation.release()
        wanted.composition.state = { kind: 'built', generation }
        wanted.table.touch(wanted.composition)
        wanted.table.evict(settings().builtFlags)
        this.#unmatched.built(generation)
        events.flagBuilt(flag, performance.now() - started)
      },
      (error: unknown) => {
        this.#building.delete(artifact)
        const wanted = this.#awaiting(artifact)
        if (wanted === null) return
        wanted.composition.state = { kind: 'failed', reason: messageOf(error) }
        events.flagNotServed(flag, error)
        onFlagsChanged()
      },
    )
    this.#building.set(artifact, done)
    composition.state = { kind: 'building', done }
  }

  /**
   * What waits for a build that has ended, or null. The table may be a newer one than the one that began the
   * build.
   */
  #awaiting(
    artifact: string,
  ): { readonly table: CompositionTable; readonly composition: FlagComposition } | null {
    const table = this.#table
    const composition = table?.composition(artifact)
    return table === null || composition?.state.kind !== 'building' ? null : { table, composition }
  }

  /** Flags in use are built with the manifest that changes them, so that their requests do not wait. */
  async #prepareFlagsInUse(
    before: CompositionTable,
    config: VerifiedConfig,
    prepared: Map<string, CompositionState>,
  ): Promise<void> {
    for (const [name, artifact] of config.featureFlags) {
      const old = before.flags.get(name)
      if (old?.state.kind !== 'built' || old.artifact === artifact || prepared.has(artifact)) continue
      const held = old.state.generation.acquire()
      try {
        const generation = await this.#built(artifact, config)
        prepared.set(artifact, { kind: 'built', generation })
        await this.#warm(held, generation)
      } catch (error) {
        if (this.#stop.signal.aborted) return
        prepared.set(artifact, { kind: 'failed', reason: messageOf(error) })
        this.#options.events.flagNotServed(name, error)
      } finally {
        held.release()
      }
    }
  }

  async #built(artifact: string, config: VerifiedConfig): Promise<Generation> {
    const gzipped = config.artifacts.get(artifact)
    if (gzipped === undefined) throw new Error(`artifact ${artifact} is not part of the config`)
    const generation = await this.#options.generationFactory.build(artifact, gzipped)
    this.#accessWarnings.look(artifact, generation.graph.compiled)
    return generation
  }

  async #warm(from: Generation, to: Generation): Promise<void> {
    if (from === to) return
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(WARM_UP_LIMIT_MS)])
    await warmUp(from.operations, to, this.#options.settings().warmUpOperations, signal)
  }

  [Symbol.dispose](): void {
    this.#stop.abort()
    this.#table?.release()
    this.#table = null
  }
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
