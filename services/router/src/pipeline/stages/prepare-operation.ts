/**
 * The third stage: the operation, parsed and validated, or known from before, and the values of its
 * variables.
 */
import type { Turns } from '@switchyard/engine'
import { HttpError } from '../../errors/http-error.ts'
import type { CachedOperation } from '../../operation/operation-cache.ts'
import type { Exchange } from '../../request/exchange.ts'
import type { GraphQLParams } from '../../request/graphql-params.ts'
import type { HeldGeneration } from '../../generations/generations.ts'
import type { ServedParts } from '../../generations/served-parts.ts'

/** The parts that operations are prepared with. */
export type PreparingParts = { readonly served: ServedParts }

/** Values of variables in the form that goes to subgraphs. */
export type VariableValues = ReadonlyMap<string, unknown>

/**
 * Returns the operation if it was prepared before. Null if not: preparing it takes some milliseconds in one
 * go.
 */
export function knownOperation(
  { query, operationName }: GraphQLParams,
  { generation }: HeldGeneration,
  { served }: PreparingParts,
): CachedOperation | null {
  return served.of(generation).operations.find(query, operationName)
}

/**
 * Prepares the operation. `known` is the one that was prepared before, or null. Throws RequestError, and
 * HttpError for a mutation by GET.
 */
export function prepareOperation(
  { request, report }: Exchange,
  { query, operationName }: GraphQLParams,
  { generation }: HeldGeneration,
  known: CachedOperation | null,
  { served }: PreparingParts,
): CachedOperation {
  report.stepBegan('parse')
  const prepared = known ?? served.of(generation).operations.get(query, operationName, report)
  // The variables of an operation whose steps are behind it are still to be checked.
  report.stepBegan('validate')
  const { name, kind } = prepared.operation
  report.operationKnown(name, kind)
  if (kind === 'mutation' && request.method === 'GET') {
    throw new HttpError('METHOD_NOT_ALLOWED', 'A mutation cannot be sent by GET: use POST.', {
      Allow: 'POST',
    })
  }
  return prepared
}

/** A promise where there is much to do. Throws, or rejects with, RequestError. */
export function coerceVariables(
  params: GraphQLParams,
  { operation }: CachedOperation,
  turns: Turns,
): VariableValues | Promise<VariableValues> {
  if (!operation.takesExactNumbers) return operation.coerceVariablesInTurns(params.variables, turns)
  const exact = params.exactVariables(turns)
  return exact instanceof Promise
    ? exact.then((raw) => operation.coerceVariablesInTurns(raw, turns))
    : operation.coerceVariablesInTurns(exact, turns)
}
