/** Composition records for tests, with artifacts named by readable texts. */
import { createHash } from 'node:crypto'
import { COMPOSITION_PENDING } from '@switchyard/contracts'
import type { PieceList } from '@switchyard/contracts/artifact-pieces'
import type { CompositionRecord, RecordedResult, ManifestContent } from '@switchyard/contracts'

export const GRAPH = { namespace: 'default', graph: 'shop' }

export function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

export function composed(artifact: string): Extract<RecordedResult, { readonly artifact: string }> {
  return { status: 'composed', inputHash: hash(`input ${artifact}`), artifact: hash(artifact), hints: [] }
}

/** An artifact that is stored in pieces as well. */
export type CutArtifact = {
  readonly name: string
  readonly chunks: readonly string[]
  /** The text of the list. */
  readonly list: string
}

/** `more` is what else a list says, or says wrongly. */
export function cut(name: string, chunks: readonly string[], more: Partial<PieceList> = {}): CutArtifact {
  const list: PieceList = {
    formatVersion: 2,
    artifact: hash(name),
    chunks: chunks.map((text) => ({ sha256: hash(text), bytes: Buffer.byteLength(text) })),
    subgraphs: [{ name: 'a', routingUrl: 'http://a.example/graphql' }],
    compatibilityVersion: 'v0.5',
    ...more,
  }
  return { name, chunks, list: JSON.stringify(list) }
}

/** The hashes of the list and of the chunks. */
export function piecesIn({ chunks, list }: CutArtifact): readonly string[] {
  return [list, ...chunks].map(hash)
}

export function composedInPieces({ name, list }: CutArtifact): RecordedResult {
  return { ...composed(name), pieces: hash(list) }
}

export function reused(artifact: string): RecordedResult {
  return { status: 'reused', inputHash: hash(`input ${artifact}`), artifact: hash(artifact), hints: [] }
}

/** Of a flag that is composed for the first time. */
export function firstPending(): RecordedResult {
  return failed(COMPOSITION_PENDING)
}

export function failed(code = 'TYPE_KIND_MISMATCH'): RecordedResult {
  const errors = [{ code, message: 'no', subgraphs: ['a'], locations: [] }]
  return {
    status: 'failed',
    inputHash: hash('bad input'),
    unchanged: false,
    errors,
    errorCount: 1,
    hints: [],
  }
}

export const empty: RecordedResult = { status: 'empty' }

export function completed(
  registrySequence: number,
  base: RecordedResult,
  flags: Readonly<Record<string, RecordedResult>> = {},
  pinnedRevision: number | null = null,
): CompositionRecord {
  return {
    v: 1,
    type: 'composition.completed',
    ...GRAPH,
    registrySequence,
    base,
    featureFlags: Object.entries(flags).map(([name, result]) => ({ name, unpublished: [], result })),
    pinnedRevision,
  }
}

/** The same record while these flags are being composed. */
export function whilePending(record: CompositionRecord, ...flags: readonly string[]): CompositionRecord {
  if (record.type === 'graph.removed') return record
  const featureFlags = record.featureFlags.map((flag) =>
    flags.includes(flag.name) ? { ...flag, pending: true as const } : flag,
  )
  return { ...record, featureFlags }
}

export function removed(registrySequence: number): CompositionRecord {
  return { v: 1, type: 'graph.removed', ...GRAPH, registrySequence }
}

/** Base and two flags. */
export const served: ManifestContent = {
  base: { artifact: hash('base 1') },
  featureFlags: { a: { artifact: hash('a 1') }, b: { artifact: hash('b 1') } },
}

export function content(base: string | null, flags: Record<string, string> = {}): ManifestContent {
  return {
    base: base === null ? null : { artifact: hash(base) },
    featureFlags: Object.fromEntries(
      Object.entries(flags).map(([name, artifact]) => [name, { artifact: hash(artifact) }]),
    ),
  }
}
