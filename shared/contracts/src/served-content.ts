/**
 * Computes the content that routers are to be given after a composition record: the table of PROTOCOL.md §1,
 * as a pure function. Publishing configs and reporting about them both use the same rows.
 *
 * The rule behind the table: a base that does not compose freezes the served content, except that everything
 * that was switched off leaves at once. So an outage of one team's schema never keeps a disabled flag alive.
 * A flag that is still being composed freezes likewise, for itself: a new base never takes away what is
 * served for the flag.
 *
 * Previews follow the newest record whatever is done about base: a pin holds what clients get, and no preview
 * is for clients.
 */
import {
  type CompositionRecord,
  type RecordedResult,
  isFirstPending,
  variantsOf,
} from './composition-records.ts'
import type { ArtifactReference, DocumentReference, Manifest } from './execution-config.ts'

/**
 * The part of a manifest that decides which graph a request gets, and which documents clients may use. A
 * `base` of null is a tombstone.
 */
export type ManifestContent = Pick<Manifest, 'base' | 'featureFlags' | 'previews' | 'documents'>

type Completed = Extract<CompositionRecord, { type: 'composition.completed' }>
type FeatureFlags = Manifest['featureFlags']
type FlagEntry = Completed['featureFlags'][number]
type Previews = NonNullable<Manifest['previews']>

/**
 * `last` is what is served now (null: nothing was ever served), `pinned` the content of the revision that the
 * record names in `pinnedRevision`. Returns null while there is nothing to serve.
 */
export function contentAfter(
  last: ManifestContent | null,
  record: CompositionRecord,
  pinned: ManifestContent | null,
): ManifestContent | null {
  if (record.type === 'graph.removed') return last === null ? null : { base: null, featureFlags: {} }
  const content = record.pinnedRevision === null ? following(last, record) : held(last, record, pinned)
  return content === null ? null : { ...content, ...previewsAfter(last, record) }
}

/** Whether the record says nothing new about the base of a graph that is not pinned. */
export function isFrozen(record: CompositionRecord): boolean {
  if (record.type !== 'composition.completed' || record.pinnedRevision !== null) return false
  return artifactOf(record.base) === null
}

/**
 * Whether something of what was served stays served by this record of a graph that is not pinned. `last` is
 * then to be what was served without any pin: the graph may just have been released.
 */
export function keepsServed(record: CompositionRecord): boolean {
  if (record.type !== 'composition.completed' || record.pinnedRevision !== null) return false
  return isFrozen(record) || variantsOf(record).some(isKept)
}

/** The record as it would be had the graph never been pinned. */
export function withoutPin(record: CompositionRecord): CompositionRecord {
  return record.type === 'graph.removed' ? record : { ...record, pinnedRevision: null }
}

/** Returns all compositions of a manifest but that of base: those of flags, then those of previews. */
export function variantReferences({
  featureFlags,
  previews = {},
}: Pick<ManifestContent, 'featureFlags' | 'previews'>): readonly ArtifactReference[] {
  return [...Object.values(featureFlags), ...Object.values(previews)]
}

export function sameContent(one: ManifestContent, other: ManifestContent): boolean {
  return sameCompositions(one, other) && sameDocuments(one, other)
}

export function sameCompositions(one: ManifestContent, other: ManifestContent): boolean {
  return (
    one.base?.artifact === other.base?.artifact &&
    sameReferences(one.featureFlags, other.featureFlags) &&
    sameReferences(one.previews ?? {}, other.previews ?? {})
  )
}

type References = Readonly<Record<string, { readonly artifact: string; readonly expires?: string }>>

function sameReferences(one: References, other: References): boolean {
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => {
      const [left, right] = [one[name], other[name]]
      return left?.artifact === right?.artifact && left?.expires === right?.expires
    })
  )
}

function sameDocuments({ documents: one = [] }: ManifestContent, other: ManifestContent): boolean {
  return JSON.stringify(one.map(parts)) === JSON.stringify((other.documents ?? []).map(parts))
}

function parts({ name, manifest, clients = [] }: DocumentReference): readonly unknown[] {
  return [name, manifest, clients]
}

/** The hash of the artifact of a composition. Null when nothing came of it. */
export function artifactOf(result: RecordedResult): string | null {
  return referenceOf(result)?.artifact ?? null
}

/** The composition as manifests name it. Null when nothing came of it. */
export function referenceOf(result: RecordedResult): ArtifactReference | null {
  if (result.status !== 'composed' && result.status !== 'reused') return null
  const { artifact, pieces } = result
  return { artifact, ...(pieces === undefined ? {} : { pieces }) }
}

function following(last: ManifestContent | null, record: Completed): ManifestContent | null {
  const base = referenceOf(record.base)
  if (base !== null) return { base, featureFlags: composedFlags(record, last), ...documentsOf(record) }
  return last === null ? null : withoutUnlisted(last, record)
}

/** A pin holds the artifacts of one revision; flags that were switched off since then leave all the same. */
function held(
  last: ManifestContent | null,
  record: Completed,
  pinned: ManifestContent | null,
): ManifestContent | null {
  const content = pinned === null || pinned.base === null ? last : pinned
  return content === null ? null : withoutUnlisted(content, record)
}

/** Those of the record at any rate: they say what clients may send, whatever is served. */
function documentsOf({ documents = [] }: Completed): Pick<ManifestContent, 'documents'> {
  return documents.length === 0 ? {} : { documents }
}

function composedFlags(record: Completed, last: ManifestContent | null): FeatureFlags {
  const flags: FeatureFlags = {}
  for (const entry of record.featureFlags) {
    const served = isKept(entry) ? last?.featureFlags[entry.name] : undefined
    const reference = referenceOf(entry.result) ?? served
    if (reference !== undefined) flags[entry.name] = reference
  }
  return flags
}

/** One that fails with base fails because of base, and stays as it was. */
function previewsAfter(last: ManifestContent | null, record: Completed): Pick<ManifestContent, 'previews'> {
  const previews: Previews = {}
  const isFailureOfBase = artifactOf(record.base) === null
  for (const entry of record.previews ?? []) {
    const served = isFailureOfBase || isKept(entry) ? last?.previews?.[entry.name] : undefined
    const reference = referenceOf(entry.result) ?? served
    if (reference !== undefined) previews[entry.name] = { ...reference, expires: entry.expires }
  }
  return Object.keys(previews).length === 0 ? {} : { previews }
}

/**
 * A flag that failed in the previous record, and is being composed now. It may be served all the same, from
 * before a base that did not compose.
 */
function isKept({ pending, result }: FlagEntry): boolean {
  return pending === true && artifactOf(result) === null && !isFirstPending(result)
}

function withoutUnlisted({ base, featureFlags }: ManifestContent, record: Completed): ManifestContent {
  const listed = new Set(record.featureFlags.map(({ name }) => name))
  return {
    base,
    featureFlags: Object.fromEntries(Object.entries(featureFlags).filter(([name]) => listed.has(name))),
    ...documentsOf(record),
  }
}
