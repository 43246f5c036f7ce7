/**
 * Which revision carries out a composition record: what config-distribution will do, or has done, with it.
 */
import { contentAfter, type ManifestContent, sameContent } from '@switchyard/contracts'
import type { CompositionEntry } from './composition-results.ts'
import type { PublishedConfig } from './published-configs.ts'

/**
 * Null while it is not there. A record that changes nothing that routers see gets no revision of its own;
 * then the newest one is it. `pinned` is the revision that the record holds the graph on, null while that is
 * not known.
 */
export function revisionFor(
  entry: CompositionEntry | null,
  newest: PublishedConfig | null,
  pinned: PublishedConfig | null,
): PublishedConfig | null {
  if (entry === null || newest === null) return null
  if (newest.compositionSequence >= entry.sequence) return newest
  if (isHeld(entry) && pinned === null) return null
  // It is to be published once more, although nothing of it is new.
  if (republishedBy(entry) > newest.republished) return null
  const wanted = contentWantedBy(entry, newest, pinned)
  return wanted === null || sameContent(newest, wanted) ? newest : null
}

/** Returns the content that the record wants routers to serve. Null if there is nothing, or nothing new. */
export function contentWantedBy(
  { record, lastUnpinned }: CompositionEntry,
  newest: ManifestContent | null,
  pinned: ManifestContent | null,
): ManifestContent | null {
  return contentAfter(lastUnpinned === 'irrelevant' ? newest : lastUnpinned, record, pinned)
}

function republishedBy({ record }: CompositionEntry): number {
  return record.type === 'composition.completed' ? (record.republished ?? 0) : 0
}

function isHeld({ record }: CompositionEntry): boolean {
  return record.type === 'composition.completed' && record.pinnedRevision !== null
}
