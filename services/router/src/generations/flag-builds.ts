/**
 * Builds the compositions of flags of the table that is served, one after the other, and keeps them there.
 *
 * A build goes on when another config is swapped in meanwhile; whichever config then needs the result uses
 * it. Which composition is next is for FlagLine to say.
 */
import { messageOf } from '@switchyard/values'
import type { CompositionEvents } from './composition-events.ts'
import type { CompositionState, CompositionTable, FlagComposition } from './composition-table.ts'
import { hasArtifact } from './content/artifact-content.ts'
import { FlagLine, type NextBuild, type NextTable } from './flag-line.ts'
import type { Generation } from './generation.ts'
import type { GenerationMaker } from './generation-maker.ts'
import { MemoryWarning } from './memory-warning.ts'
import type { VerifiedConfig } from './offered-config.ts'

/** Flags of rollouts that are not built are looked for this often while requests come for them. */
const WORK_AGAIN_MS = 1000

/** The settings of flags that may change while a router runs. */
export type FlagSettings = {
  /** Bytes that the compositions of flags which stay built may take together. */
  readonly maxBuiltSize: number
  /** Whether compositions of flags are built that nobody asks for yet. */
  readonly buildAhead: boolean
}

/** The table that is served, and the parts that build compositions for it. */
export type FlagBuildsOptions = {
  /** Returns the table that is served; null if nothing is. */
  readonly table: () => CompositionTable | null
  /** Returns the flags that are built before others, the most important one first. */
  readonly inUse: () => readonly string[]
  /** Returns the settings of this moment. */
  readonly settings: () => FlagSettings
  readonly events: CompositionEvents
  readonly maker: GenerationMaker
  /** Called when a composition was built that is served from then on. */
  readonly onBuilt: (generation: Generation) => void
  /** Called when a flag turns out not to be servable. */
  readonly onFlagsChanged: () => void
  /** Called whenever a composition of a flag was built, or turned out not to be servable. */
  readonly onFlagSettled: () => void
}

type BuildOfTable = NextBuild & { readonly table: CompositionTable }

/** Builds what requests wait for, what is in use, and then all else for which there is room. */
export class FlagBuilds {
  readonly #options: FlagBuildsOptions
  readonly #line = new FlagLine()
  readonly #memory: MemoryWarning
  #building: FlagComposition | null = null
  #isWorking = false
  #workedAt = 0

  constructor(options: FlagBuildsOptions) {
    this.#options = options
    this.#memory = new MemoryWarning(this.#line, options.events)
  }

  /** Whether a composition is still to be built whose flag is in use, and for which there is room. */
  get buildsFlagsInUse(): boolean {
    const { table: served, settings, inUse } = this.#options
    const table = served()
    if (table === null) return false
    const flags = inUse()
    const building = this.#building
    if (building !== null && flags.some((flag) => table.flags.get(flag) === building)) return true
    return this.#line.firstInUse(table, settings().maxBuiltSize, flags) !== null
  }

  /**
   * Makes a function that returns the state of the composition of an artifact in a table of the config, and
   * acquires the generation of one that is built. `prepared`: states of those that were built for it.
   */
  statesIn(
    config: VerifiedConfig,
    before: CompositionTable | null,
    prepared: ReadonlyMap<string, CompositionState>,
  ): (artifact: string) => CompositionState {
    return (artifact) => {
      const ready = prepared.get(artifact)
      if (ready !== undefined) return ready
      if (!hasArtifact(config, artifact)) return { kind: 'damaged' }
      const alive = this.#options.maker.reuse(artifact)
      if (alive !== null) return { kind: 'built', generation: alive }
      if (this.#building?.artifact === artifact) return { kind: 'building' }
      const known = before?.composition(artifact)?.state
      return known?.kind === 'failed' ? known : { kind: 'unbuilt' }
    }
  }

  /** Whether the composition of an artifact of the next table fits beside those of other artifacts. */
  fits(next: NextTable, artifact: string, beside: ReadonlySet<string>): boolean {
    return this.#line.fits(next, artifact, beside, this.#options.settings().maxBuiltSize)
  }

  /**
   * Resolves when the composition was built, failed, or is not needed any more; with false if that takes
   * longer than until the deadline. Both times are of `performance.now()`.
   */
  async settled({ artifact }: FlagComposition, since: number, deadline: number): Promise<boolean> {
    const waiting = this.#line.wait(artifact, since)
    this.work()
    const left = deadline - performance.now()
    const isSettled = left > 0 && (await settledWithin(waiting.changed, left))
    waiting.leave()
    return isSettled
  }

  /** Another table is served: what waits looks again, and what it lacks is built. */
  swapped(table: CompositionTable): void {
    this.#line.swapped(table)
    this.work()
  }

  /** A request of a rollout got base, since its flag is not built: there may be room by now. */
  workAgain(): void {
    const now = performance.now()
    if (now - this.#workedAt < WORK_AGAIN_MS) return
    this.#workedAt = now
    this.work()
  }

  /** Begins to build, until no composition is to be built. */
  work(): void {
    if (this.#isWorking) return
    this.#isWorking = true
    const work = async () => {
      // A build never rejects: what goes wrong becomes the state of its composition.
      for (let next = this.#next(); next !== null; next = this.#next()) await this.#build(next)
      this.#isWorking = false
    }
    void work()
  }

  #next(): BuildOfTable | null {
    const { table: served, settings, inUse } = this.#options
    const table = served()
    if (table === null) return null
    const { maxBuiltSize, buildAhead: ahead } = settings()
    this.#memory.look(table, maxBuiltSize)
    const next = this.#line.next(table, maxBuiltSize, { inUse: [...inUse(), ...table.shadowFlags], ahead })
    return next === null ? null : { ...next, table }
  }

  async #build({ composition, flag, reason, table }: BuildOfTable): Promise<void> {
    const { artifact } = composition
    const { maker, events, onFlagsChanged, onFlagSettled } = this.#options
    const started = performance.now()
    this.#building = composition
    composition.state = { kind: 'building' }
    try {
      const generation = await maker.build(artifact, table.config)
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

  /** Prepares in the composition of a rollout's flag what base is asked for, before requests get it. */
  async #warmForRollout(flag: string, generation: Generation): Promise<void> {
    const { table: served, maker } = this.#options
    const table = served()
    if (table?.rolloutFlags.includes(flag) !== true) return
    const base = table.base.acquire()
    await maker.warm(base, generation)
    base.release()
  }

  /** Returns false if the config that is served by now does not have it. */
  #keep(artifact: string, generation: Generation, reason: NextBuild['reason']): boolean {
    const { settings, onBuilt } = this.#options
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
    wanted.table.evict(settings().maxBuiltSize)
    onBuilt(generation)
    return true
  }

  /**
   * Returns the composition that waits for a build which has ended, or null. The table may be newer than the
   * one that began the build.
   */
  #awaiting(
    artifact: string,
  ): { readonly table: CompositionTable; readonly composition: FlagComposition } | null {
    const table = this.#options.table()
    const composition = table?.composition(artifact)
    return table === null || composition?.state.kind !== 'building' ? null : { table, composition }
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
