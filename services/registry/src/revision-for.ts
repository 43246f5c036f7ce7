/** Which revision carries out a composition record: what config-distribution will do, or has done, with it. */
import type { CompositionResult } from '@switchyard/contracts'
import type { CompositionEntry } from './composition-results.ts'
import type { PublishedConfig } from './published-configs.ts'

/**
 * Null while it is not there. A record that changes nothing that routers see gets no revision of its own; then the newest
 * one is it. `pinned` is the revision that the record holds the graph on, null while that is not known.
 */
export function revisionFor(
  entry: CompositionEntry | null,
  newest: PublishedConfig | null,
  pinned: PublishedConfig | null,
): PublishedConfig | null {
  if (entry === null || newest === null) return null
  if (newest.compositionSequence >= entry.sequence) return newest
  return needsRevision(entry, newest, pinned) ? null : newest
}

/** Whether routers have anything to serve because of it. */
export function canBeServed({ record }: CompositionEntry): boolean {
  return record.type === 'composition.completed' && artifactOf(record.base) !== null
}

export function artifactOf(result: CompositionResult): string | null {
  return result.status === 'composed' || result.status === 'reused' ? result.artifact : null
}

function needsRevision(
  { record }: CompositionEntry,
  newest: PublishedConfig,
  pinned: PublishedConfig | null,
): boolean {
  if (record.type === 'graph.removed') return newest.base !== null
  const listed = new Set(record.featureFlags.map(({ name }) => name))
  const stillListed = (flags: PublishedConfig['featureFlags']) =>
    new Map([...flags].filter(([name]) => listed.has(name)))
  if (record.pinnedRevision !== null) {
    if (pinned === null) return true
    const held = pinned.base === null ? newest : pinned
    return differs(newest, held.base, stillListed(held.featureFlags))
  }
  const base = artifactOf(record.base)
  // A base that fails freezes what is served; only what was switched off still leaves.
  if (base === null) return differs(newest, newest.base, stillListed(newest.featureFlags))
  const wanted = new Map<string, string>()
  for (const { name, result } of record.featureFlags) {
    const artifact = artifactOf(result)
    if (artifact !== null) wanted.set(name, artifact)
  }
  return differs(newest, base, wanted)
}

function differs(
  newest: PublishedConfig,
  base: string | null,
  featureFlags: PublishedConfig['featureFlags'],
): boolean {
  if (newest.base !== base || newest.featureFlags.size !== featureFlags.size) return true
  return [...featureFlags].some(([name, artifact]) => newest.featureFlags.get(name) !== artifact)
}
