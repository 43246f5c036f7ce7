/** Reads the commit log of one graph: its revisions, newest first where it matters. */
import { createHash } from 'node:crypto'
import { ConfigRecord, configSubject, Manifest, parseRecord, variantReferences } from '@switchyard/contracts'
import type { GraphName, ManifestContent, ManifestIdentity } from '@switchyard/contracts'
import { RecordNotUnderstoodError } from '@switchyard/event-log'
import type { EventLog, LogEntry } from '@switchyard/event-log'

/** A committed revision. */
export type Revision = {
  readonly sequence: number
  readonly record: ConfigRecord
  readonly manifest: Manifest
  readonly identity: ManifestIdentity
}

export function revisionOf(sequence: number, record: ConfigRecord, manifest: Manifest): Revision {
  const { epoch, revision, createdAt } = manifest
  const sha256 = createHash('sha256').update(record.manifest).digest('hex')
  return { sequence, record, manifest, identity: { sha256, epoch, revision, createdAt } }
}

export async function lastRevision(log: EventLog, graph: GraphName): Promise<Revision | null> {
  const entry = await log.last({ kind: 'subject', subject: configSubject(graph) })
  return entry === null ? null : parseRevision(entry)
}

/** Null when the graph never had that revision. */
export async function findRevision(
  log: EventLog,
  graph: GraphName,
  revision: number,
): Promise<Revision | null> {
  let found: Revision | null = null
  for await (const entry of log.read({ kind: 'subject', subject: configSubject(graph) }, 1)) {
    const candidate = parseRevision(entry)
    if (candidate.manifest.revision === revision) found = candidate
  }
  return found
}

/** The newest `count` revisions, oldest first. */
export async function recentRevisions(log: EventLog, graph: GraphName, count: number): Promise<Revision[]> {
  const recent: LogEntry[] = []
  for await (const entry of log.read({ kind: 'subject', subject: configSubject(graph) }, 1)) {
    recent.push(entry)
    if (recent.length > count) recent.shift()
  }
  return recent.map(parseRevision)
}

/** Hashes of all that a manifest names: compositions, and texts of persisted documents. */
export function artifactsOf(content: ManifestContent): ReadonlySet<string> {
  const { base, documents = [] } = content
  const flags = variantReferences(content).map(({ artifact }) => artifact)
  const others = [...flags, ...documents.map(({ manifest }) => manifest)]
  return new Set(base === null ? others : [base.artifact, ...others])
}

/** An artifact that is stored in pieces as well, and the hash of its list. */
export type PieceReference = { readonly artifact: string; readonly pieces: string }

/** The artifacts in pieces that a manifest names: base, then flags, then previews. */
export function piecesOf(content: ManifestContent): readonly PieceReference[] {
  const { base } = content
  const references = [...(base === null ? [] : [base]), ...variantReferences(content)]
  return references.flatMap(({ artifact, pieces }) => (pieces === undefined ? [] : [{ artifact, pieces }]))
}

function parseRevision({ subject, sequence, record }: LogEntry): Revision {
  try {
    const parsed = parseRecord(ConfigRecord, record)
    return revisionOf(sequence, parsed, parseRecord(Manifest, JSON.parse(parsed.manifest)))
  } catch (error) {
    throw new RecordNotUnderstoodError(subject, sequence, error)
  }
}
