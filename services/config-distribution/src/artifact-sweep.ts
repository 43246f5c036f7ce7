/** Removes artifacts from the config store that no manifest needs: the blob store keeps the originals. */
import type { GraphName } from '@switchyard/contracts'
import type { ConfigStore } from '@switchyard/config-store'
import type { EventLog } from '@switchyard/event-log'
import { artifactsOf, recentRevisions } from './config-log.ts'

/** Routers that are a few revisions behind, and most rollbacks, find their artifacts in the store. */
const KEPT_REVISIONS = 20
/** The least age of an artifact that is removed, in milliseconds: more than a commit takes to name it. */
export const UNUSED_FOR_MS = 60 * 60 * 1000

export async function sweepArtifacts(
  { log, store }: { readonly log: EventLog; readonly store: ConfigStore },
  graph: GraphName,
  now: number,
): Promise<number> {
  const old = (await store.listArtifacts(graph)).filter(({ storedAt }) => now - storedAt > UNUSED_FOR_MS)
  if (old.length === 0) return 0
  // The last of these revisions is what is served, pinned or not.
  const needed = new Set<string>()
  for (const { manifest } of await recentRevisions(log, graph, KEPT_REVISIONS)) {
    for (const artifact of artifactsOf(manifest)) needed.add(artifact)
  }
  const unused = old.filter(({ sha256 }) => !needed.has(sha256))
  for (const { sha256 } of unused) await store.deleteArtifact(graph, sha256)
  return unused.length
}
