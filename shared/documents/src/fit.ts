/** Whether a composition can answer a persisted document. */
import { type Graph, type OperationLimits, prepareOperation, RequestError } from '@switchyard/engine'
import type { SourceLocation } from 'graphql'
import type { ManifestDocument } from './manifest.ts'

export type DocumentRules = {
  readonly limits: Partial<OperationLimits>
  readonly mayDefer: boolean
  /** Subscriptions are served. */
  readonly maySubscribe: boolean
}

/**
 * An error of a document. `locations` are lines and columns in its text, from 1; they are empty if the error
 * is about no part of it.
 */
export type DocumentError = { readonly message: string; readonly locations: readonly SourceLocation[] }

/** Returns the reasons why the graph cannot answer the document; null if it can. */
export function reasonAgainst(
  document: Pick<ManifestDocument, 'text' | 'operationName'>,
  graph: Graph,
  rules: DocumentRules,
): string | null {
  const errors = errorsAgainst(document, graph, rules)
  return errors.length === 0 ? null : errors.map(({ message }) => message).join('\n')
}

/** Returns the errors of the document with this graph; none if the graph can answer it. */
export function errorsAgainst(
  { text, operationName }: Pick<ManifestDocument, 'text' | 'operationName'>,
  graph: Graph,
  { limits, mayDefer, maySubscribe }: DocumentRules,
): readonly DocumentError[] {
  try {
    prepareOperation(graph, {
      document: text,
      operationName,
      limits,
      defer: mayDefer,
      subscriptions: maySubscribe,
    })
    return []
  } catch (error) {
    if (error instanceof RequestError)
      return error.errors.map(({ message, locations = [] }) => ({ message, locations }))
    return [{ message: error instanceof Error ? error.message : String(error), locations: [] }]
  }
}
