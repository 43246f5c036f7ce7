import type { ManifestVersion } from './config-store.ts'

/** How many versions a graph's history keeps. */
export const HISTORY_LIMIT = 200

/** Negative when `a` is older than `b`: epoch first, then revision. */
export function compareVersions(a: ManifestVersion, b: ManifestVersion): number {
  return a.epoch - b.epoch || a.revision - b.revision
}

/**
 * The history after `version` was written. What is not older than it goes: after a repair these are versions
 * that were never committed.
 */
export function extendHistory(
  history: readonly ManifestVersion[],
  version: ManifestVersion,
): readonly ManifestVersion[] {
  return [version, ...history.filter((earlier) => compareVersions(earlier, version) < 0)].slice(
    0,
    HISTORY_LIMIT,
  )
}
