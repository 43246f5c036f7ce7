/**
 * The rollouts of manifests that are verified, and newer than the config that is served.
 *
 * A config is served when its base is compiled and warmed, which may take minutes. What its rollouts take
 * from requests does not wait for that: requests of the config that is served lose their flag as soon as a
 * newer manifest is verified. What they give waits.
 */
import { compareVersions, type ManifestVersion } from '@switchyard/config-store'
import type { ManifestRollout } from '@switchyard/contracts'
import { mayTakeBack, type Rollouts, RolloutsTakenBack } from '@switchyard/rollouts'
import type { Asking } from '../request/asking.ts'

/** The rollouts of one manifest. */
export type NewerRollouts = {
  readonly version: ManifestVersion
  readonly rollouts: readonly ManifestRollout[]
  /** Flags of the manifest that its rollouts name. */
  readonly flags: readonly string[]
}

/** Manifests that are kept while a config is built. Each costs every request a decision. */
const MOST_NEWER = 10

/** A config or a manifest with rollouts. */
type WithRollouts = {
  readonly version: ManifestVersion
  readonly rollouts: readonly ManifestRollout[]
  readonly featureFlags: { has(flag: string): boolean }
}

/** Compiles rollouts; null if there are none. */
export type CompileRollouts = (manifest: Omit<WithRollouts, 'version'>) => Rollouts<Asking> | null

/** Returns what is to be known of a manifest as long as its config is not served. */
export function newerRolloutsOf({ version, rollouts, featureFlags }: WithRollouts): NewerRollouts {
  const named = new Set(rollouts.map(({ flag }) => flag))
  return { version, rollouts, flags: [...named].filter((flag) => featureFlags.has(flag)) }
}

/**
 * Adds the rollouts of a manifest, by its version. Those of older ones stay that still take something back:
 * a percentage that one lowered and the next one raised again is raised when that config is served. Of more
 * than ten the newest count.
 */
export function withNewer(
  known: readonly NewerRollouts[],
  newer: NewerRollouts,
  now: number,
): readonly NewerRollouts[] {
  const needed = known.filter(
    (one) =>
      compareVersions(one.version, newer.version) > 0 ||
      mayTakeBack(asManifest(newer), asManifest(one), now).length > 0,
  )
  const all = [...needed, newer].sort((one, other) => compareVersions(one.version, other.version))
  return all.slice(-MOST_NEWER)
}

/** Returns those that are newer than a version. */
export function newerThan(
  known: readonly NewerRollouts[],
  version: ManifestVersion,
): readonly NewerRollouts[] {
  return known.filter((one) => compareVersions(one.version, version) > 0)
}

/** Names the rollouts of a config that lose requests by newer ones. */
export function takenBackFrom(
  config: WithRollouts,
  known: readonly NewerRollouts[],
  now: number,
): readonly string[] {
  const served = { rollouts: config.rollouts, flags: config.featureFlags }
  const names = newerThan(known, config.version).flatMap((newer) =>
    mayTakeBack(served, asManifest(newer), now),
  )
  return [...new Set(names)]
}

/**
 * Returns the rollouts of a config without what newer ones take back. `own`: those of the config; null if it
 * has none.
 */
export function withoutNewer(
  own: Rollouts<Asking> | null,
  config: WithRollouts,
  known: readonly NewerRollouts[],
  compile: CompileRollouts,
): Rollouts<Asking> | null {
  const taking = known.filter((one) => takenBackFrom(config, [one], Date.now()).length > 0)
  if (own === null || taking.length === 0) return own
  return new RolloutsTakenBack(
    own,
    taking.map(({ rollouts, flags }) => compile({ rollouts, featureFlags: new Set(flags) })),
  )
}

function asManifest({ rollouts, flags }: NewerRollouts) {
  return { rollouts, flags: new Set(flags) }
}
