import type { ManifestVersion } from './config-store.ts'

/** How many versions a graph's history keeps. */
export const HISTORY_LIMIT = 200

/** Compares versions by epoch first, then by revision: negative if `a` is older than `b`. */
export function compareVersions(a: ManifestVersion, b: ManifestVersion): number {
  return a.epoch - b.epoch || a.revision - b.revision
}

/**
 * Returns the history after `version` was written. Versions that are not older are removed: after a repair
 * these are versions that were never committed.
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
