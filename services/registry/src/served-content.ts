/**
 * What routers of a graph are to serve after a composition record: the table of PROTOCOL.md §1, which config-distribution
 * carries out. The registry asks it whether that has happened.
 */
import type { CompositionRecord, CompositionResult } from '@switchyard/contracts'

export type ServedContent = {
  /** Null: the graph was removed. */
  readonly base: string | null
  /** Artifact by flag. */
  readonly featureFlags: ReadonlyMap<string, string>
}

type Completed = Extract<CompositionRecord, { type: 'composition.completed' }>

/** `last` is what was served before, `pinned` what the revision holds that the record names. Null: nothing to serve yet. */
export function contentAfter(
  last: ServedContent | null,
  record: CompositionRecord,
  pinned: ServedContent | null,
): ServedContent | null {
  if (record.type === 'graph.removed') return last === null ? null : { base: null, featureFlags: new Map() }
  if (record.pinnedRevision !== null) {
    return withoutUnlisted(pinned === null || pinned.base === null ? last : pinned, record)
  }
  const base = artifactOf(record.base)
  // A base that does not compose freezes what is served; only what was switched off still leaves.
  return base === null ? withoutUnlisted(last, record) : { base, featureFlags: composedFlags(record) }
}

/** The record says nothing new about the base of a graph that is not held: `last` is then what it had without any pin. */
export function isFrozen(record: CompositionRecord): boolean {
  if (record.type !== 'composition.completed' || record.pinnedRevision !== null) return false
  return artifactOf(record.base) === null
}

export function sameContent(one: ServedContent, other: ServedContent): boolean {
  if (one.base !== other.base || one.featureFlags.size !== other.featureFlags.size) return false
  return [...one.featureFlags].every(([name, artifact]) => other.featureFlags.get(name) === artifact)
}

export function artifactOf(result: CompositionResult): string | null {
  return result.status === 'composed' || result.status === 'reused' ? result.artifact : null
}

function withoutUnlisted(content: ServedContent | null, record: Completed): ServedContent | null {
  if (content === null) return null
  const listed = new Set(record.featureFlags.map(({ name }) => name))
  return {
    base: content.base,
    featureFlags: new Map([...content.featureFlags].filter(([name]) => listed.has(name))),
  }
}

function composedFlags(record: Completed): ReadonlyMap<string, string> {
  const flags = new Map<string, string>()
  for (const { name, result } of record.featureFlags) {
    const artifact = artifactOf(result)
    if (artifact !== null) flags.set(name, artifact)
  }
  return flags
}
