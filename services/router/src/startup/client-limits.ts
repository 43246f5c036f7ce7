/** What the clients of a router share, and how much of it each of them may have. */
import { TrustedProxies } from '@switchyard/service-kit'
import { ByteShares } from '../clients/byte-shares.ts'
import type { RouterConfig } from '../config/router-config.ts'
import { Connections } from '../http/connections.ts'
import { LoadShedding } from '../http/load-shedding.ts'
import { connectionsWithin, maxOpenFiles } from '../http/open-files.ts'
import { Traffic } from '../http/traffic.ts'
import { UnreadRequests } from '../http/unread-requests.ts'
import { UnsentAnswers } from '../http/unsent-answers.ts'
import type { ListenerEvents } from '../observe/listener-events.ts'
import type { RouterEvents } from '../observe/router-events.ts'

/** What clients share. */
export type ClientLimits = {
  readonly connections: Connections
  /** Requests that are in progress. */
  readonly traffic: Traffic
  /** null: requests are taken however late the event loop is. */
  readonly shedding: LoadShedding | null
  /** Requests whose bodies are still on their way. */
  readonly unread: UnreadRequests
  /** Bytes of requests that are not answered, and of what subgraphs answered for them. */
  readonly unanswered: ByteShares
  /** Bytes of answers that clients have not read. */
  readonly unsent: UnsentAnswers
}

/** Whoever is refused or has to give way because of a limit is told to `events`. */
export function openClientLimits(
  config: RouterConfig,
  { listener: events, shedding }: Pick<RouterEvents, 'listener' | 'shedding'>,
  parts: AsyncDisposableStack,
): ClientLimits {
  const { traffic } = config
  const connections = openConnections(config, events)
  const maxDelay = traffic.maxEventLoopDelay ?? null
  return {
    connections,
    traffic: new Traffic(traffic.maxConcurrentRequests),
    shedding: maxDelay === null ? null : parts.use(new LoadShedding({ maxDelay, watcher: shedding })),
    unread: new UnreadRequests(
      { perClient: traffic.maxUnreadRequestsPerClient, total: traffic.maxUnreadRequests },
      () => events.unreadRequestRefused(),
    ),
    unanswered: new ByteShares(traffic.unansweredSize, ({ bytes }) => events.requestGaveWay(bytes)),
    unsent: new UnsentAnswers(
      new ByteShares(traffic.unsentSize, ({ bytes }) => events.answerGaveWay(bytes)),
      connections,
    ),
  }
}

/** No more than the system allows: it would close those beyond that without a word to anybody. */
function openConnections({ traffic }: RouterConfig, events: ListenerEvents): Connections {
  const openFiles = maxOpenFiles()
  const total = connectionsWithin(openFiles, traffic.maxConnections)
  if (openFiles !== null && total < traffic.maxConnections)
    events.connectionsLowered(openFiles, total, traffic.maxConnections)
  const limits = { perClient: traffic.maxConnectionsPerClient, total }
  const proxies = new TrustedProxies(traffic.trustedProxies)
  return new Connections(limits, proxies, () => events.connectionClosed(limits))
}
