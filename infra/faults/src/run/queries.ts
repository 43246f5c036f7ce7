/**
 * Queries that go on while something is wrong: on both routers in turn, base and flagged, each answer
 * checked.
 */
import { type Answer, type LoadReport, startLoad } from '@switchyard/bench'
import { SHOP_QUERY, variantOf } from '@switchyard/e2e'

/**
 * Each asks again a moment after it was answered: a machine that is too slow for this many queries is asked
 * fewer, and not buried.
 */
const CLIENTS = 4
const PAUSE_MS = 40
/** The usual wait of clients, long enough for a machine that does other work, too. */
const TIMEOUT_MS = 30_000

export type Asked = {
  readonly total: number
  readonly failed: number
  /** The messages of failed queries, with the kind of the failure in front, and how often each occurred. */
  readonly failures: ReadonlyMap<string, number>
  /** Milliseconds from when a query was due to its answer, for 99 in 100 queries. Null if nobody answered. */
  readonly p99: number | null
  readonly longest: number | null
}

export function startQueries(routerUrls: readonly string[]): AsyncDisposable & { stop(): Promise<Asked> } {
  const failures = new Map<string, number>()
  const load = startLoad({
    urls: routerUrls.map((url) => `${url}/graphql`),
    timeout: TIMEOUT_MS,
    pace: { kind: 'connections', count: CLIENTS, pause: PAUSE_MS },
    requests: [
      { name: 'base', query: SHOP_QUERY, judge: answers(['base']) },
      {
        name: 'flagged',
        query: SHOP_QUERY,
        headers: { 'X-Feature-Flag': 'next' },
        judge: answers(['base', 'next']),
      },
    ],
    onFailure: ({ kind, message }) => {
      const text = `${kind}: ${message}`.slice(0, 200)
      failures.set(text, (failures.get(text) ?? 0) + 1)
    },
  })
  return {
    stop: async () => askedOf(await load.stop(), failures),
    [Symbol.asyncDispose]: () => load[Symbol.asyncDispose](),
  }
}

function answers(allowed: readonly string[]): (answer: Answer) => string | null {
  return ({ status, data }) => {
    const variant = variantOf({ status, headers: new Headers(), body: { data } })
    return allowed.includes(variant) ? null : `expected ${allowed.join(' or ')}, got ${variant}`
  }
}

function askedOf({ requests, failed, latency }: LoadReport, failures: ReadonlyMap<string, number>): Asked {
  return { total: requests, failed, failures, p99: latency?.p99 ?? null, longest: latency?.max ?? null }
}
