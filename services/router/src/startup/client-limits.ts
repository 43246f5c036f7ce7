/** The resources of a router that clients share, and how much of them each client may use. */
import { isDeepStrictEqual } from 'node:util'
import { TrustedProxies } from '@switchyard/service-kit'
import { ByteShares } from '../fairness/byte-shares.ts'
import type { RouterConfig } from '../config/router-config.ts'
import { type ConnectionLimits, Connections } from '../listen/connections.ts'
import { connectionsWithin, maxOpenFiles } from '../listen/open-files.ts'
import { Traffic } from '../listen/traffic.ts'
import { type UnreadLimits, UnreadRequests } from '../listen/unread-requests.ts'
import { UnsentAnswers } from '../listen/unsent-answers.ts'
import type { ListenerEvents } from '../listen/listener-events.ts'

/** The resources that clients share. */
export type ClientLimits = {
  readonly connections: Connections
  /** Requests that are in progress. */
  readonly traffic: Traffic
  /** Requests whose bodies are still on their way. */
  readonly unread: UnreadRequests
  /** Bytes of requests that are not answered, and of what subgraphs answered for them. */
  readonly unanswered: ByteShares
  /** Bytes of answers that clients have not read. */
  readonly unsent: UnsentAnswers
  /** Applies the limits of other settings from now on; `traffic` changes by itself. */
  change(config: RouterConfig): void
}

/** Opens the limits. `events` hears of each client that is refused, or has to give way, because of one. */
export function openClientLimits(config: RouterConfig, events: ListenerEvents): ClientLimits {
  let { traffic } = config
  const connections = new Connections(
    connectionLimits(traffic, events),
    new TrustedProxies(traffic.trustedProxies),
    (limits) => events.connectionClosed(limits),
  )
  const unread = new UnreadRequests(unreadLimits(traffic), () => events.unreadRequestRefused())
  const unanswered = new ByteShares(traffic.unansweredSize, ({ bytes }) => events.requestGaveWay(bytes))
  const unsent = new ByteShares(traffic.unsentSize, ({ bytes }) => events.answerGaveWay(bytes))
  return {
    connections,
    traffic: new Traffic(traffic.maxConcurrentRequests),
    unread,
    unanswered,
    unsent: new UnsentAnswers(unsent, connections),
    change: ({ traffic: next }) => {
      if (isDeepStrictEqual(next, traffic)) return
      traffic = next
      connections.change(connectionLimits(next, events), new TrustedProxies(next.trustedProxies))
      unread.changeLimits(unreadLimits(next))
      unanswered.changeLimits(next.unansweredSize)
      unsent.changeLimits(next.unsentSize)
    },
  }
}

type TrafficConfig = RouterConfig['traffic']

function unreadLimits({ maxUnreadRequests: total, maxUnreadRequestsPerClient }: TrafficConfig): UnreadLimits {
  return { perClient: maxUnreadRequestsPerClient, total }
}

/** No more than the system allows: it would close those beyond that without a word to anybody. */
function connectionLimits(
  { maxConnections, maxConnectionsPerClient: perClient }: TrafficConfig,
  events: ListenerEvents,
): ConnectionLimits {
  const openFiles = maxOpenFiles()
  const total = connectionsWithin(openFiles, maxConnections)
  if (openFiles !== null && total < maxConnections)
    events.connectionsLowered(openFiles, total, maxConnections)
  return { perClient, total }
}
