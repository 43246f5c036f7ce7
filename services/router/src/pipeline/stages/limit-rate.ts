/** Whether who asks may ask so often, and so much. */
import type { Asking } from '../../rates/rate-key.ts'
import type { RateCount, RateLimits } from '../../rates/rate-limits.ts'
import { BatchedRequest } from '../batch/batched-request.ts'
import type { Exchange } from '../../request/exchange.ts'

/**
 * Counts the request before it is read. Returns a promise if Redis is asked. Throws, or rejects with,
 * HttpError.
 */
export function limitRate(exchange: Exchange, limits: RateLimits): void | Promise<void> {
  const { request } = exchange
  if (request instanceof BatchedRequest && request.rateCounts !== null) {
    for (const count of request.rateCounts) exchange.countFor(count)
    return
  }
  return noted(exchange, limits.admit(askingOf(exchange)))
}

/** Counts the expected cost of an operation before it is executed. Otherwise as `limitRate`. */
export function chargeCost(exchange: Exchange, limits: RateLimits): void | Promise<void> {
  const cost = exchange.report.summary.cost?.estimated ?? 0
  return noted(exchange, limits.charge(askingOf(exchange), cost))
}

function noted(exchange: Exchange, count: RateCount | null | Promise<RateCount>): void | Promise<void> {
  if (count instanceof Promise) return count.then((late) => exchange.countFor(late))
  if (count !== null) exchange.countFor(count)
}

function askingOf({ client, named, request, identity }: Exchange): Asking {
  return { address: client, clientName: named.name, headers: request.headers, identity }
}
