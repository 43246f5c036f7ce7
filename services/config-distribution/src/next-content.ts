/**
 * What routers should be given after a composition record: the table of PROTOCOL.md §1, as a pure function.
 *
 * The rule behind the table: a base that does not compose freezes what is being served, except that whatever was switched
 * off leaves at once. So an outage of one team's schema never keeps a disabled flag alive.
 */
import type { CompositionRecord, ConfigRecord, Manifest } from '@switchyard/contracts'

/** The part of a manifest that decides which graph a request gets. A `base` of null is a tombstone. */
export type ManifestContent = Pick<Manifest, 'base' | 'featureFlags'>

export type PublishReason = ConfigRecord['cause']['reason']

type Completed = Extract<CompositionRecord, { type: 'composition.completed' }>
type FeatureFlags = Manifest['featureFlags']

/**
 * `last` is what is served now (null: nothing was ever served), `pinned` the content of the revision that the record
 * names in `pinnedRevision`. Returns null while there is nothing to serve.
 */
export function contentAfter(
  last: ManifestContent | null,
  record: CompositionRecord,
  pinned: ManifestContent | null,
): ManifestContent | null {
  if (record.type === 'graph.removed') return last === null ? null : { base: null, featureFlags: {} }
  return record.pinnedRevision === null ? following(last, record) : held(last, record, pinned)
}

/**
 * Whether the record says nothing new about the base of a graph that is not pinned. `last` is then to be what was served
 * without any pin: the graph may just have been released.
 */
export function isFrozen(record: CompositionRecord): boolean {
  if (record.type !== 'composition.completed' || record.pinnedRevision !== null) return false
  return record.base.status === 'failed' || record.base.status === 'empty'
}

function following(last: ManifestContent | null, record: Completed): ManifestContent | null {
  const { base } = record
  if (base.status === 'composed' || base.status === 'reused') {
    return { base: { artifact: base.artifact }, featureFlags: composedFlags(record) }
  }
  if (last === null) return null
  return { base: last.base, featureFlags: stillListed(last.featureFlags, record) }
}

/** A pin holds the artifacts of one revision; flags that were switched off since then leave all the same. */
function held(
  last: ManifestContent | null,
  record: Completed,
  pinned: ManifestContent | null,
): ManifestContent | null {
  const content = pinned === null || pinned.base === null ? last : pinned
  if (content === null) return null
  return { base: content.base, featureFlags: stillListed(content.featureFlags, record) }
}

function composedFlags(record: Completed): FeatureFlags {
  const flags: FeatureFlags = {}
  for (const { name, result } of record.featureFlags) {
    if (result.status === 'composed' || result.status === 'reused')
      flags[name] = { artifact: result.artifact }
  }
  return flags
}

function stillListed(flags: FeatureFlags, record: Completed): FeatureFlags {
  const listed = new Set(record.featureFlags.map(({ name }) => name))
  return Object.fromEntries(Object.entries(flags).filter(([name]) => listed.has(name)))
}

export function sameContent(a: ManifestContent, b: ManifestContent): boolean {
  const names = Object.keys(a.featureFlags)
  return (
    a.base?.artifact === b.base?.artifact &&
    names.length === Object.keys(b.featureFlags).length &&
    names.every((name) => a.featureFlags[name]?.artifact === b.featureFlags[name]?.artifact)
  )
}

/**
 * Why a revision is published, for people who read the history. `record` is the newest that it carries out, or null when
 * only keys changed: those in the manifest, or the one that signs it. A pinned graph stays a pinned one then.
 */
export function publishReason(
  last: { readonly content: ManifestContent; readonly reason: PublishReason } | null,
  next: ManifestContent,
  record: CompositionRecord | null,
): PublishReason {
  if (record === null) return last?.reason === 'pin' ? 'pin' : 'keys'
  if (record.type === 'graph.removed') return 'graph-removed'
  if (record.pinnedRevision !== null) return 'pin'
  if (last?.reason === 'pin') return 'unpin'
  return last !== null && onlyRemoves(last.content, next) ? 'removal' : 'composition'
}

function onlyRemoves(last: ManifestContent, next: ManifestContent): boolean {
  const left = Object.entries(next.featureFlags)
  return (
    last.base?.artifact === next.base?.artifact &&
    left.length < Object.keys(last.featureFlags).length &&
    left.every(([name, { artifact }]) => last.featureFlags[name]?.artifact === artifact)
  )
}
