/**
 * The compositions a router serves right now, and the ones it is finishing with.
 *
 * A request acquires a generation once and keeps it to its last byte, so a swap never mixes two graphs in one response.
 * Swapping is one synchronous assignment: there is no moment at which two requests could disagree about "current".
 */
import { HttpError, ManifestRejectedError, messageOf } from '../errors.ts'
import type { RouterEvents } from '../events.ts'
import type { RequestedFlag, SelectionReason } from '../flags/requested-flag.ts'
import { warmUp } from '../operation/warm-up.ts'
import type { Generation } from './generation.ts'
import type { VerifiedConfig } from './offered-config.ts'
import { type FlagSlot, Table } from './table.ts'
import type { Workshop } from './workshop.ts'

/** Operations that take long to plan must not keep a new composition from being served. */
const WARM_UP_LIMIT_MS = 10_000

export type GenerationsOptions = {
  readonly workshop: Workshop
  readonly events: RouterEvents
  readonly maxBuiltFlags: number
  /** How long the first request of a flag waits for its build. */
  readonly buildWait: number
  readonly warmUpOperations: number
  /** A flag turned out not to be servable, or servable again. */
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

export class Generations implements Disposable {
  readonly #options: GenerationsOptions
  readonly #stop = new AbortController()
  /** Artifacts whose access rules were logged. */
  readonly #warnedOf = new Set<string>()
  #table: Table | null = null

  constructor(options: GenerationsOptions) {
    this.#options = options
  }

  get serving(): { readonly config: VerifiedConfig; readonly flags: readonly string[] } | null {
    return this.#table === null ? null : { config: this.#table.config, flags: this.#table.served }
  }

  /** null: nothing is served yet. A promise only while the composition asked for is being built. */
  admit(requested: RequestedFlag): Admission | Promise<Admission> | null {
    const table = this.#table
    if (table === null) return null
    const base = (reason: SelectionReason) => this.#admission(table, table.base, reason, null)
    if (requested.from === 'none') return base('none')
    const slot = table.flags.get(requested.name)
    if (slot === undefined) return base('unknown')
    switch (slot.state.kind) {
      case 'failed':
        return base('not-served')
      case 'built':
        table.touch(slot)
        return this.#admission(table, slot.state.generation, requested.from, slot.name)
      case 'unbuilt':
      case 'building':
        return this.#whenBuilt(requested)
      default:
        return slot.state satisfies never
    }
  }

  /**
   * Serves another config. Artifacts that stay keep their generation and its caches; base and the flags in use are compiled
   * before the swap, other flags when they are asked for. Throws ManifestRejectedError when base cannot be built; what is
   * served then stays.
   */
  async replace(config: VerifiedConfig): Promise<void> {
    const { workshop } = this.#options
    const before = this.#table
    const base = await this.#built(config.base, config).catch((error: unknown) => {
      throw new ManifestRejectedError(
        'MANIFEST_NOT_BUILT',
        `Its base composition cannot be served: ${messageOf(error)}.`,
        error,
      )
    })
    const flags = new Map<string, FlagSlot>()
    const table = new Table(config, base, flags)
    try {
      if (before !== null) await this.#warm(before.base, base)
      for (const [name, artifact] of config.featureFlags) {
        const old = before?.flags.get(name)
        const slot: FlagSlot = { name, artifact, state: { kind: 'unbuilt' }, lastUsed: old?.lastUsed ?? 0 }
        flags.set(name, slot)
        const alive = workshop.reuse(artifact)
        if (alive !== null) slot.state = { kind: 'built', generation: alive }
        else if (old?.state.kind === 'failed' && old.artifact === artifact) slot.state = old.state
        else if (old?.state.kind === 'built') await this.#replaceFlag(slot, old.state.generation, config)
      }
    } catch (error) {
      table.release()
      throw error
    }
    if (this.#stop.signal.aborted) return table.release()
    this.#table = table
    table.evict(this.#options.maxBuiltFlags)
    before?.release()
  }

  #admission(table: Table, generation: Generation, reason: SelectionReason, flag: string | null): Admission {
    return { generation: generation.acquire(), reason, flag, config: table.config }
  }

  async #whenBuilt(requested: RequestedFlag): Promise<Admission> {
    const deadline = performance.now() + this.#options.buildWait
    for (;;) {
      const table = this.#table
      const slot = requested.from === 'none' ? undefined : table?.flags.get(requested.name)
      if (table === null || slot === undefined) break
      if (slot.state.kind === 'unbuilt') this.#build(table, slot)
      if (slot.state.kind !== 'building') break
      const left = deadline - performance.now()
      if (left <= 0 || !(await settledWithin(slot.state.done, left))) {
        throw new HttpError(
          'FLAG_NOT_BUILT_YET',
          'The composition of this feature flag is still being built. Try again in a moment.',
          { 'Retry-After': '2' },
        )
      }
    }
    // The flag may have been swapped, served or lost in the meantime: chosen anew from what is served now.
    const admission = this.admit(requested)
    if (admission === null)
      throw new HttpError('NOT_READY', 'The router is stopping.', { 'Retry-After': '1' })
    return admission
  }

  #build(table: Table, slot: FlagSlot): void {
    const { events, maxBuiltFlags, onFlagsChanged } = this.#options
    const started = performance.now()
    const done = this.#built(slot.artifact, table.config).then(
      (generation) => {
        if (this.#table !== table) {
          slot.state = { kind: 'unbuilt' }
          return generation.release()
        }
        slot.state = { kind: 'built', generation }
        table.touch(slot)
        table.evict(maxBuiltFlags)
        events.flagBuilt(slot.name, performance.now() - started)
      },
      (error: unknown) => {
        slot.state = { kind: 'failed', reason: messageOf(error) }
        if (this.#stop.signal.aborted) return
        events.flagNotServed(slot.name, error)
        onFlagsChanged()
      },
    )
    slot.state = { kind: 'building', done }
  }

  /** A flag in use is built with the manifest that changes it, so that its requests do not wait. */
  async #replaceFlag(slot: FlagSlot, old: Generation, config: VerifiedConfig): Promise<void> {
    const held = old.acquire()
    try {
      const generation = await this.#built(slot.artifact, config)
      slot.state = { kind: 'built', generation }
      await this.#warm(held, generation)
    } catch (error) {
      slot.state = { kind: 'failed', reason: messageOf(error) }
      this.#options.events.flagNotServed(slot.name, error)
    } finally {
      held.release()
    }
  }

  async #built(artifact: string, config: VerifiedConfig): Promise<Generation> {
    const gzipped = config.artifacts.get(artifact)
    if (gzipped === undefined) throw new Error(`artifact ${artifact} is not part of the config`)
    const generation = await this.#options.workshop.build(artifact, gzipped)
    const { accessRules } = generation.graph.compiled
    if (accessRules.length > 0 && !this.#warnedOf.has(artifact)) {
      this.#warnedOf.add(artifact)
      this.#options.events.accessRulesNotEnforced(artifact, accessRules)
    }
    return generation
  }

  async #warm(from: Generation, to: Generation): Promise<void> {
    if (from === to) return
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(WARM_UP_LIMIT_MS)])
    await warmUp(from.operations, to, this.#options.warmUpOperations, signal)
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
