/** Whether a composition can answer a persisted document. */
import { type Graph, type OperationLimits, prepareOperation } from '@switchyard/engine'
import type { ManifestDocument } from './manifest.ts'

export type DocumentRules = { readonly limits: Partial<OperationLimits>; readonly mayDefer: boolean }

/** null: the graph can answer it. */
export function reasonAgainst(
  { text, operationName }: Pick<ManifestDocument, 'text' | 'operationName'>,
  graph: Graph,
  { limits, mayDefer }: DocumentRules,
): string | null {
  try {
    prepareOperation(graph, { document: text, operationName, limits, defer: mayDefer })
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
