/** Removes artifacts from the config store that no manifest needs: the blob store keeps the originals. */
import type { GraphName } from '@switchyard/contracts'
import type { ConfigStore } from '@switchyard/config-store'
import { artifactsOf, type Revision } from '../log/config-log.ts'

/**
 * The number of revisions whose artifacts and pieces are kept: routers that are a few revisions behind, and
 * most rollbacks, find them in the store.
 */
export const KEPT_REVISIONS = 20
/**
 * The least age of an artifact, or a piece, that is removed, in milliseconds: more than a commit takes to
 * name it.
 */
export const UNUSED_FOR_MS = 60 * 60 * 1000

/** The last of `revisions` is what is served, pinned or not. Returns how many artifacts were removed. */
export async function sweepArtifacts(
  store: Pick<ConfigStore, 'deleteArtifact' | 'listArtifacts'>,
  graph: GraphName,
  revisions: () => Promise<readonly Revision[]>,
  now: number,
): Promise<number> {
  const old = (await store.listArtifacts(graph)).filter(({ storedAt }) => now - storedAt > UNUSED_FOR_MS)
  if (old.length === 0) return 0
  const needed = new Set<string>()
  for (const { manifest } of await revisions()) {
    for (const artifact of artifactsOf(manifest)) needed.add(artifact)
  }
  const unused = old.filter(({ sha256 }) => !needed.has(sha256))
  for (const { sha256 } of unused) await store.deleteArtifact(graph, sha256)
  return unused.length
}
