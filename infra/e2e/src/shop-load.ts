/** Constant load on the shop: every answer is compared with what it must be, as a whole. */
import { type Load, type LoadOptions, type LoadRequest, startLoad } from '@switchyard/bench'
import { isLongRun } from '@switchyard/testkit'
import { SHOP_QUERY } from './shop.ts'

/**
 * Clients of each URL. They ask less where answers take long, so that a busy machine is not asked for more
 * than it can do, and less in `make test-full` than in `make test-long`.
 */
const CLIENTS = 2
const PAUSE_MS = isLongRun() ? 5 : 20
/** Only what hangs may reach it: other things on the same machine make an answer many times as long. */
const TIMEOUT_MS = 60_000

const BASE = answerOf('base')
const NEXT = answerOf('next')

/**
 * Requests of the shop. A request that names the flag `next` gets the base or the flag, whichever is served,
 * and never a mixture. Every other request gets the base.
 */
export const SHOP_REQUESTS: readonly LoadRequest[] = [
  { name: 'base', query: SHOP_QUERY, expected: [BASE] },
  { name: 'base by GET', query: SHOP_QUERY, method: 'GET', expected: [BASE] },
  { name: 'flagged', query: SHOP_QUERY, headers: { 'X-Feature-Flag': 'next' }, expected: [BASE, NEXT] },
  {
    name: 'flagged by GET',
    query: SHOP_QUERY,
    method: 'GET',
    headers: { 'X-Feature-Flag': 'next' },
    expected: [BASE, NEXT],
  },
]

/** A request with `@defer`, for routers with `engine.enable_defer`. */
export const DEFERRED_REQUEST: LoadRequest = {
  name: 'deferred',
  query:
    '{ products { id nameVariant ... @defer { stockVariant inStock } reviews { text author { name } } } }',
  deferred: true,
  expected: [BASE],
}

/** Starts a load on the routers, or on what stands in front of them, in turn. */
export function startShopLoad(
  urls: readonly string[],
  options: Omit<Partial<LoadOptions>, 'urls'> = {},
): Load {
  return startLoad({
    pace: { kind: 'connections', count: urls.length * CLIENTS, pause: PAUSE_MS },
    requests: SHOP_REQUESTS,
    timeout: TIMEOUT_MS,
    ...options,
    urls: urls.map((url) => `${url}/graphql`),
  })
}

function answerOf(variant: string) {
  return {
    products: ['1', '2', '3'].map((id) => ({
      id,
      nameVariant: variant,
      stockVariant: variant,
      inStock: Number(id),
      reviews: [{ text: `review of ${id}`, author: { name: 'Ada' } }],
    })),
  }
}
