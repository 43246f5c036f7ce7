/** Limits how often a client may ask, and how much its requests may cost together. */
import type { RateLimits } from './rate-limits.ts'
import type { Arrived } from '../../request/arrived.ts'
import type { Exchange } from '../../request/exchange.ts'
import { askingOf } from '../../request/request-property.ts'
import { OperationOfBatch } from '../../request/operation-of-batch.ts'
import type { RateCount } from '../../request/rate-count.ts'
import type { Stage } from '../../request/stage.ts'

/**
 * Counts the request before it is read. Returns a promise if Redis is asked. Throws, or rejects with,
 * HttpError.
 */
export function limitRate(limits: RateLimits): Stage<Arrived> {
  return {
    waitsFor: 'rate-limits',
    run: ({ exchange }) => {
      const { request } = exchange
      if (request instanceof OperationOfBatch && request.rateCounts !== null) {
        for (const count of request.rateCounts) exchange.countFor(count)
        return undefined
      }
      return noted(exchange, limits.admit(askingOf(exchange)))
    },
  }
}

/** Counts the expected cost of an operation before it is executed. Otherwise as `limitRate`. */
export function chargeCost(limits: RateLimits): Stage<Arrived> {
  return {
    waitsFor: 'rate-limits',
    run: ({ exchange }) => {
      const cost = exchange.report.summary.cost?.estimated ?? 0
      return noted(exchange, limits.charge(askingOf(exchange), cost))
    },
  }
}

function noted(
  exchange: Exchange,
  count: RateCount | null | Promise<RateCount>,
): undefined | Promise<undefined> {
  if (count instanceof Promise) return count.then((late) => noted(exchange, late))
  if (count !== null) exchange.countFor(count)
  return undefined
}
