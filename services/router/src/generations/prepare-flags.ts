/**
 * Builds compositions of flags before the config is served that needs them: those that are in use and change
 * with it, so that their requests do not wait, and those of rollouts that become active with it, so that
 * their requests get the flag from the first one on.
 */
import { messageOf } from '@switchyard/values'
import type { FlagComposition, CompositionState, CompositionTable } from './composition-table.ts'
import { hasArtifact } from './content/artifact-content.ts'
import type { NextTable } from './flag-line.ts'
import type { Generation } from './generation.ts'

/**
 * Milliseconds that a config waits at most for flags of rollouts which nobody got before. They are built
 * afterwards then, and their requests get base until they are. It is short, since all else of the config
 * waits for them too: a percentage that it raises, and the rollouts that it begins.
 */
const NEW_FLAGS_WITHIN_MS = 500

/** The configs before and after, and what builds compositions. */
export type FlagPreparation = {
  readonly before: CompositionTable
  readonly next: NextTable
  /** Flags that rollouts of the next config give to somebody. */
  readonly rolloutFlags: readonly string[]
  /** Flags that clients name. */
  readonly inUse: readonly string[]
  /** Whether the composition of an artifact fits beside those of these artifacts. */
  readonly fits: (artifact: string, beside: ReadonlySet<string>) => boolean
  /** Builds the composition of an artifact of the next config. The caller holds the result. */
  readonly build: (artifact: string) => Promise<Generation>
  /**
   * Prepares operations that one generation was asked for in another one. It ends after so many milliseconds,
   * or when it has taken too long, if no number is given.
   */
  readonly warm: (from: Generation, to: Generation, withinMs?: number) => Promise<void>
  readonly onFailed: (flag: string, error: unknown) => void
  /** Ends the preparation. */
  readonly signal: AbortSignal
}

/** Resolves with the states of the compositions that were built or failed, by artifact. Never rejects. */
export async function prepareFlags(options: FlagPreparation): Promise<Map<string, CompositionState>> {
  const { before, next, rolloutFlags, inUse, signal } = options
  const prepared = new Map<string, CompositionState>()
  const served = new Set(before.rolloutFlags)
  const fresh = new Set(rolloutFlags.filter((flag) => !served.has(flag)))
  const deadline = performance.now() + NEW_FLAGS_WITHIN_MS
  const all = [...new Set([...rolloutFlags, ...inUse])]
  for (const flag of all) {
    if (signal.aborted) break
    const artifact = next.config.featureFlags.get(flag)
    if (artifact === undefined || !hasArtifact(next.config, artifact) || prepared.has(artifact)) continue
    const old = before.flags.get(flag)
    const isChanged = old?.artifact !== artifact && old?.state.kind === 'built'
    if (isChanged) await replaceBuilt(flag, { artifact, old }, options, prepared)
    else if (fresh.has(flag)) {
      const kept = keptArtifacts(all, options, prepared)
      await prepareNew(flag, { artifact, kept, deadline }, options, prepared)
    }
  }
  return prepared
}

/** The composition was served: the next one is warmed by what that was asked for. */
async function replaceBuilt(
  flag: string,
  { artifact, old }: { readonly artifact: string; readonly old: FlagComposition },
  { build, warm, onFailed, signal }: FlagPreparation,
  prepared: Map<string, CompositionState>,
): Promise<void> {
  if (old.state.kind !== 'built') return
  const held = old.state.generation.acquire()
  try {
    const generation = await build(artifact)
    prepared.set(artifact, { kind: 'built', generation })
    await warm(held, generation)
  } catch (error) {
    if (signal.aborted) return
    prepared.set(artifact, { kind: 'failed', reason: messageOf(error) })
    onFailed(flag, error)
  } finally {
    held.release()
  }
}

/** Nobody got the flag from a rollout before: it is warmed by what base was asked for. */
async function prepareNew(
  flag: string,
  {
    artifact,
    kept,
    deadline,
  }: { readonly artifact: string; readonly kept: ReadonlySet<string>; readonly deadline: number },
  { before, fits, build, warm, onFailed, signal }: FlagPreparation,
  prepared: Map<string, CompositionState>,
): Promise<void> {
  const isThere = before.composition(artifact)?.state.kind === 'built' || kept.has(artifact)
  if (!isThere && !fits(artifact, kept)) return
  const base = before.base.acquire()
  try {
    const generation = await inTime(build(artifact), deadline)
    if (generation === null) return
    prepared.set(artifact, { kind: 'built', generation })
    await warm(base, generation, Math.max(0, deadline - performance.now()))
  } catch (error) {
    if (signal.aborted) return
    prepared.set(artifact, { kind: 'failed', reason: messageOf(error) })
    onFailed(flag, error)
  } finally {
    base.release()
  }
}

/** Artifacts of flags in use that stay built, and of those that were prepared. */
function keptArtifacts(
  flags: readonly string[],
  { before, next }: FlagPreparation,
  prepared: ReadonlyMap<string, CompositionState>,
): ReadonlySet<string> {
  const kept = new Set<string>([next.base.artifact])
  for (const flag of flags) {
    const artifact = next.config.featureFlags.get(flag)
    if (artifact === undefined) continue
    const { kind } = prepared.get(artifact) ?? before.composition(artifact)?.state ?? { kind: 'unbuilt' }
    if (kind === 'built') kept.add(artifact)
  }
  return kept
}

/** Resolves with null, and releases the generation when it is there, if that takes too long. */
async function inTime(building: Promise<Generation>, deadline: number): Promise<Generation | null> {
  const late = Promise.withResolvers<null>()
  const timer = setTimeout(late.resolve, Math.max(0, deadline - performance.now()), null).unref()
  const generation = await Promise.race([building, late.promise]).finally(() => clearTimeout(timer))
  if (generation === null) void building.then((unneeded) => unneeded.release(), ignore)
  return generation
}

/** Drops an error that comes too late: whoever builds the composition next meets it again. */
function ignore(): void {}
