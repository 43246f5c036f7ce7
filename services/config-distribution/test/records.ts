/** Composition records for tests, with artifacts named by readable texts. */
import { createHash } from 'node:crypto'
import type { CompositionRecord, CompositionResult, ManifestContent } from '@switchyard/contracts'

export const GRAPH = { namespace: 'default', graph: 'shop' }

export function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

export function composed(artifact: string): CompositionResult {
  return { status: 'composed', inputHash: hash(`input ${artifact}`), artifact: hash(artifact), hints: [] }
}

export function reused(artifact: string): CompositionResult {
  return { status: 'reused', inputHash: hash(`input ${artifact}`), artifact: hash(artifact), hints: [] }
}

export function failed(): CompositionResult {
  const errors = [{ code: 'TYPE_KIND_MISMATCH', message: 'no', subgraphs: ['a'], locations: [] }]
  return {
    status: 'failed',
    inputHash: hash('bad input'),
    unchanged: false,
    errors,
    errorCount: 1,
    hints: [],
  }
}

export const empty: CompositionResult = { status: 'empty' }

export function completed(
  registrySequence: number,
  base: CompositionResult,
  flags: Readonly<Record<string, CompositionResult>> = {},
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
