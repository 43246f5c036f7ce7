/** The settings `subscriptions` of one subgraph: how the router subscribes at it. */
import { z } from 'zod'
import { urlError } from '../settings/url-error.ts'

const URL_RULE =
  'expected a URL such as ws://products:4001/subscriptions, without a name and password, whose scheme is http, https, ws or wss'
const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'ws:', 'wss:'])
const SubscriptionsUrl = z.string().refine((text) => {
  const url = URL.parse(text)
  if (url === null || !SCHEMES.has(url.protocol)) return false
  return url.username === '' && url.password === '' && url.hash === ''
}, urlError(URL_RULE))

/** The settings of one subgraph; there are none for all subgraphs. */
export const SubscriptionsOverride = z.strictObject({
  protocol: z.enum(['graphql-transport-ws', 'sse'], 'expected graphql-transport-ws or sse').optional(),
  /** Where the subgraph serves subscriptions, if not at the URL of its calls. */
  url: SubscriptionsUrl.optional(),
})

/** The way in which the router subscribes at one subgraph. */
export type SubgraphSubscriptions = {
  readonly protocol: 'graphql-transport-ws' | 'sse'
  /** Null if it is the URL of calls. */
  readonly url: string | null
}

/** Returns the origin under which circuits and connections are kept: that of HTTP, also for a WebSocket. */
export function httpOriginOf({ protocol, host }: URL): string {
  return `${protocol === 'https:' || protocol === 'wss:' ? 'https:' : 'http:'}//${host}`
}

/** Fills in the defaults. */
export function subgraphSubscriptionsOf(
  own: z.output<typeof SubscriptionsOverride> = {},
): SubgraphSubscriptions {
  return { protocol: own.protocol ?? 'graphql-transport-ws', url: own.url ?? null }
}
