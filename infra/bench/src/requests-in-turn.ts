/** Which request is next, and which URL it goes to. */
import type { LoadOptions, LoadRequest } from './load-options.ts'
import { PreparedRequest, type SharedHeaders } from './prepared-request.ts'

export function requestsInTurn(
  requests: readonly LoadRequest[] | (() => LoadRequest),
  urls: readonly string[],
  shared: SharedHeaders,
): () => PreparedRequest {
  if (typeof requests === 'function') {
    const nextUrl = inTurn(urls)
    return () => new PreparedRequest(requests(), nextUrl(), shared)
  }
  // Each request goes to each URL before the next request has its turn: else some would go to some URLs
  // alone.
  const prepared = weighted(requests).map((request) =>
    urls.map((url) => new PreparedRequest(request, url, shared)),
  )
  return inTurn(prepared.flat())
}

/** Returns the requests that can be sent: without a token no trace can be asked for. */
export function sendable(
  { traceToken }: LoadOptions,
  requests: readonly LoadRequest[],
): readonly LoadRequest[] {
  return traceToken === undefined ? requests.filter(({ traced }) => traced !== true) : requests
}

/** Each so often as its weight says, and far from itself: a, b, a, c rather than a, a, b, c. */
function weighted(requests: readonly LoadRequest[]): readonly LoadRequest[] {
  const total = requests.reduce((sum, { weight = 1 }) => sum + weight, 0)
  const credits = requests.map((request) => ({ request, weight: request.weight ?? 1, credit: 0 }))
  return Array.from({ length: total }, () => {
    for (const entry of credits) entry.credit += entry.weight
    const richest = credits.reduce((most, entry) => (entry.credit > most.credit ? entry : most))
    richest.credit -= total
    return richest.request
  })
}

function inTurn<T>(items: readonly T[]): () => T {
  let next = 0
  return () => {
    const item = items[next++ % items.length]
    if (item === undefined) throw new Error('There is nothing to ask.')
    return item
  }
}
