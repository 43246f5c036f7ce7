/**
 * Decides which composition of a feature flag is compiled next: one that requests wait for, the longest
 * waiting first; then those of flags that are in use; then all others, as far as they fit into the memory
 * that compositions of flags may take.
 *
 * What nobody waits for never pushes out what is in use. What requests wait for is compiled whatever memory
 * it takes, and something that was not used for longer makes room afterwards.
 */
import type { BuildReason } from '../flags/build-reason.ts'
import { hasArtifact, unpackedSizeIn } from './content/artifact-content.ts'
import type { CompositionTable, FlagComposition } from './composition-table.ts'
import type { Generation } from './generation.ts'
import type { VerifiedConfig } from './offered-config.ts'

/** The composition to compile next. `flag` is one of the flags that have it. */
export type NextBuild = {
  readonly composition: FlagComposition
  readonly flag: string
  readonly reason: BuildReason
}

/** A config and its base composition, whose compositions of flags may not be known yet. */
export type NextTable = {
  readonly config: VerifiedConfig
  readonly base: Pick<Generation, 'artifact' | 'size'>
}

/** Requests that wait for one composition, or did. */
type Demand = {
  readonly since: number
  waiting: number
  /** Time at which the last of them began to wait. */
  lastAt: number
  readonly changed: PromiseWithResolvers<void>
}

/** A request's wait for a composition. */
export type WaitingRequest = {
  /** Resolves when the composition was built, failed, or is not needed any more. */
  readonly changed: Promise<void>
  /** Must be called when `changed` resolves, or when the request waits no longer. */
  leave(): void
}

/** A request that was told to try again soon has this long to do so before its flag loses its place. */
const REMEMBERED_MS = 60_000
/** Sizes are estimated by those of other compositions, which may differ a little. */
const MARGIN = 1.05
const MIB = 1024 * 1024

/** The line of compositions that are to be compiled. */
export class FlagLine {
  readonly #now: () => number
  /** Demands by artifact. */
  readonly #demands = new Map<string, Demand>()
  /** Bytes that compositions took when they were built, by artifact. */
  readonly #sizes = new Map<string, number>()

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** A request waits for the composition. */
  wait(artifact: string, since: number): WaitingRequest {
    const demand = this.#demands.get(artifact) ?? {
      since,
      waiting: 0,
      lastAt: since,
      changed: Promise.withResolvers<void>(),
    }
    this.#demands.set(artifact, demand)
    demand.waiting++
    demand.lastAt = this.#now()
    // Others may wait for the same composition by then, since another config is served.
    return { changed: demand.changed.promise, leave: () => void demand.waiting-- }
  }

  /**
   * Lets the requests go on that wait for a composition, which was built with so many bytes, or cannot be
   * built.
   */
  settled(artifact: string, size: number | null): void {
    if (size !== null) this.#sizes.set(artifact, size)
    this.#demands.get(artifact)?.changed.resolve()
    this.#demands.delete(artifact)
  }

  /** Another config is served: all that wait look again. */
  swapped(table: CompositionTable): void {
    for (const { changed } of this.#demands.values()) changed.resolve()
    this.#demands.clear()
    for (const artifact of this.#sizes.keys()) {
      if (!hasArtifact(table.config, artifact)) this.#sizes.delete(artifact)
    }
    this.#sizes.set(table.base.artifact, table.base.size)
    for (const { state, artifact } of table.flags.values()) {
      if (state.kind === 'built') this.#sizes.set(artifact, state.generation.size)
    }
  }

  /**
   * Returns the composition to compile next, or null if there is none. `inUse` lists flags, the most
   * important one first; `ahead` allows other flags to be compiled before a request names them.
   */
  next(
    table: CompositionTable,
    maxSize: number,
    { inUse, ahead }: { readonly inUse: readonly string[]; readonly ahead: boolean },
  ): NextBuild | null {
    const asked = this.#demanded(table) ?? this.firstInUse(table, maxSize, inUse)
    if (asked !== null || !ahead) return asked
    return this.#first(table, maxSize, table.flags.keys(), table.built, 'ahead')
  }

  /** The next one of those in use that fits beside the others in use. */
  firstInUse(table: CompositionTable, maxSize: number, inUse: readonly string[]): NextBuild | null {
    const wanted = new Set(inUse.map((flag) => table.flags.get(flag)))
    const kept = table.built.filter((composition) => wanted.has(composition))
    return this.#first(table, maxSize, inUse, kept, 'in use')
  }

  /** Whether the composition of an artifact fits into `maxSize` bytes beside those of other artifacts. */
  fits(next: NextTable, artifact: string, beside: ReadonlySet<string>, maxSize: number): boolean {
    const sizeOf = this.#sizesIn(next)
    let taken = sizeOf(artifact)
    for (const other of beside) if (other !== next.base.artifact) taken += sizeOf(other)
    return taken <= maxSize
  }

  /**
   * Bytes that all compositions of flags take together, rounded up, and how many compositions there are. Null
   * as long as none of them was built: what a flag shares with base is not known before.
   */
  needed(table: CompositionTable): { readonly bytes: number; readonly count: number } | null {
    const artifacts = artifactsOfFlags(table)
    if (![...artifacts].some((artifact) => this.#sizes.has(artifact))) return null
    const sizeOf = this.#sizesIn(table)
    let bytes = 0
    for (const artifact of artifacts) bytes += sizeOf(artifact)
    return { bytes: Math.ceil(bytes / MIB) * MIB, count: artifacts.size }
  }

  #demanded(table: CompositionTable): NextBuild | null {
    let first: { readonly demand: Demand; readonly composition: FlagComposition } | null = null
    for (const [artifact, demand] of this.#demands) {
      const composition = table.composition(artifact)
      const isForgotten = demand.waiting === 0 && this.#now() - demand.lastAt > REMEMBERED_MS
      if (composition === undefined || isForgotten) this.#demands.delete(artifact)
      else if (composition.state.kind === 'unbuilt' && (first === null || isBefore(demand, first.demand)))
        first = { demand, composition }
    }
    if (first === null) return null
    const { composition } = first
    return { composition, flag: table.flagOf(composition), reason: 'requested' }
  }

  /**
   * Returns the first unbuilt composition of `flags` that fits into `maxSize` bytes besides the compositions
   * in `beside`.
   */
  #first(
    table: CompositionTable,
    maxSize: number,
    flags: Iterable<string>,
    beside: readonly FlagComposition[],
    reason: BuildReason,
  ): NextBuild | null {
    const sizeOf = this.#sizesIn(table)
    let room = maxSize
    for (const { artifact } of beside) room -= sizeOf(artifact)
    for (const flag of flags) {
      const composition = table.flags.get(flag)
      if (composition?.state.kind !== 'unbuilt') continue
      if (sizeOf(composition.artifact) <= room) return { composition, flag, reason }
    }
    return null
  }

  /**
   * Makes a function that returns the size that a composition had when it was built, or an estimate: by those
   * of the other flags, or by that of base as long as there are none.
   */
  #sizesIn(table: NextTable): (artifact: string) => number {
    const known = [...artifactsOfFlags(table)].flatMap((artifact) => this.#sizes.get(artifact) ?? [])
    const mean = known.reduce((sum, size) => sum + size, 0) / known.length
    return (artifact) =>
      this.#sizes.get(artifact) ?? (known.length > 0 ? mean * MARGIN : sizeByBase(table, artifact))
  }
}

/** The artifacts that take memory of their own, beside that of base. */
function artifactsOfFlags({ config, base }: NextTable): ReadonlySet<string> {
  const artifacts = new Set(config.featureFlags.values())
  artifacts.delete(base.artifact)
  return artifacts
}

function sizeByBase({ base, config }: NextTable, artifact: string): number {
  const [own, ofBase] = [unpackedSizeIn(config, artifact), unpackedSizeIn(config, base.artifact)]
  return (own / Math.max(1, ofBase)) * base.size * MARGIN
}

function isBefore(one: Demand, other: Demand): boolean {
  const [waits, otherWaits] = [one.waiting > 0, other.waiting > 0]
  return waits === otherWaits ? one.since < other.since : waits
}
