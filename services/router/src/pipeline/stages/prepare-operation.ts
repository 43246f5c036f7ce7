/** Finds the operation of a request, parsed and validated, or known from before. */
import { HttpError } from '../../errors/http-error.ts'
import type { ServedParts } from '../../generations/served-parts.ts'
import type { CachedOperation } from '../../operation/operation-cache.ts'
import type { Stage } from '../../request/stage.ts'
import type { Chosen } from './choose-composition.ts'

/** The parts that operations are prepared with. */
export type PreparingParts = { readonly served: ServedParts }

/** The operation as it was prepared before; null if it was not. */
type Found = { readonly known: CachedOperation | null }

/** A request whose operation is known. */
export type Prepared = Chosen & { readonly prepared: CachedOperation }

/**
 * Finds the operation if it was prepared before. If not, waits for a turn, since preparing it takes some
 * milliseconds in one go.
 */
export function findOperation({ served }: PreparingParts): Stage<Chosen, Found> {
  return {
    waitsFor: 'turn',
    run: ({ exchange, params: { query, operationName }, held: { generation }, turns }) => {
      exchange.report.enter('prepare')
      const known = served.of(generation).operations.find(query, operationName)
      const turn = known === null ? turns.begin() : undefined
      return turn === undefined ? { known } : turn.then(() => ({ known }))
    },
  }
}

/** Prepares the operation unless it is known. Throws RequestError, and HttpError for a mutation by GET. */
export function prepareOperation({
  served,
}: PreparingParts): Stage<Chosen & Found, { readonly prepared: CachedOperation }> {
  return {
    waitsFor: null,
    run: ({ exchange: { request, report }, params, held: { generation }, known }) => {
      report.stepBegan('parse')
      const { query, operationName } = params
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
      return { prepared }
    },
  }
}
