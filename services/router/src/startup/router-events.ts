/**
 * Everything worth knowing about a running router: one helper per event, which logs it and counts it. By
 * theme.
 */
import { BrokerCallEvents } from '../brokers/calls/events.ts'
import { ProviderEvents } from '../brokers/provider-events.ts'
import { openPolicyEvents, type PolicyEvents } from '../call/call-policies.ts'
import type { Logger } from '@switchyard/service-kit'
import { AccessLog } from '../observe/access-log.ts'
import { ClientMetrics } from '../concerns/client-names/metrics.ts'
import { AuthenticationEvents } from '../concerns/authentication/events.ts'
import { CompositionEvents } from '../generations/composition-events.ts'
import { CostMetrics } from '../concerns/costs/metrics.ts'
import { ConfigEvents } from '../generations/follow/config-events.ts'
import { DenialMetrics } from '../concerns/authorization/metrics.ts'
import { SharedDocumentEvents } from '../concerns/documents/shared-events.ts'
import { DocumentEvents } from '../concerns/documents/events.ts'
import { FailureLog } from '../observe/failure-log.ts'
import { GuardEvents } from '../concerns/guards/events.ts'
import { ListenerEvents } from '../listen/listener-events.ts'
import { PlanningEvents } from '../planning/events.ts'
import { RateEvents } from '../concerns/rates/events.ts'
import { RefusalEvents } from '../observe/refusal-events.ts'
import { ResponseHeaderMetrics } from '../concerns/headers/response-header-metrics.ts'
import { SettingsEvents } from './settings-events.ts'
import { DeferEvents } from '../observe/defer-events.ts'
import { SheddingEvents } from '../listen/shedding-events.ts'
import { RolloutEvents } from '../concerns/rollouts/events.ts'
import { HttpMetrics } from '../observe/http-metrics.ts'
import { RequestMetrics } from '../observe/request-metrics.ts'
import { ShadowMetrics } from '../concerns/shadows/metrics.ts'
import type { RequestObserver } from '../observe/request-observer.ts'
import { SubscriptionMetrics } from '../subscriptions/metrics.ts'
import { SocketEvents } from '../subscriptions/sockets/events.ts'
import { SubgraphTlsEvents } from '../transport/tls/events.ts'

/** The listeners for the events of a router. */
export type RouterEvents = {
  readonly authentication: AuthenticationEvents
  readonly brokerCalls: BrokerCallEvents
  readonly policies: PolicyEvents
  readonly compositions: CompositionEvents
  readonly configs: ConfigEvents
  readonly documents: DocumentEvents
  readonly sharedDocuments: SharedDocumentEvents
  readonly guards: GuardEvents
  readonly listener: ListenerEvents
  readonly planning: PlanningEvents
  readonly providers: ProviderEvents
  readonly rates: RateEvents
  readonly refusals: RefusalEvents
  readonly responseHeaders: ResponseHeaderMetrics
  readonly rollouts: RolloutEvents
  readonly settings: SettingsEvents
  readonly shadows: ShadowMetrics
  readonly shedding: SheddingEvents
  readonly sockets: SocketEvents
  readonly deferred: DeferEvents
  readonly subgraphTls: SubgraphTlsEvents
  readonly subscriptions: SubscriptionMetrics
  readonly requests: {
    readonly metrics: RequestMetrics
    readonly failures: FailureLog
    /** The observers of every request, whatever it is for. */
    readonly ofAll: readonly RequestObserver[]
    /** The observers of every request for GraphQL, whatever the settings are. */
    readonly observers: readonly RequestObserver[]
    /** Logs each request; to be added where that is wanted, as those below. */
    readonly accessLog: AccessLog
    /** Counts the requests of these clients. */
    readonly clients: (names: readonly string[]) => RequestObserver
    /** Measures what operations cost. */
    readonly costs: () => CostMetrics
  }
}

/**
 * Opens the logs and instruments of a router. `logsClients`: whether what single clients do is logged at this
 * moment.
 */
export function createRouterEvents(logger: Logger, logsClients: () => boolean): RouterEvents {
  const refusals = new RefusalEvents()
  const http = new HttpMetrics(refusals)
  const metrics = new RequestMetrics()
  const failures = new FailureLog(logger)
  const ofAll: readonly RequestObserver[] = [http, failures]
  const observers: readonly RequestObserver[] = [...ofAll, metrics, new DenialMetrics()]
  // Opened where the settings ask for them.
  let costs: CostMetrics | null = null
  let clients: ClientMetrics | null = null
  return {
    authentication: new AuthenticationEvents(logger),
    brokerCalls: new BrokerCallEvents(logger),
    policies: openPolicyEvents(logger),
    compositions: new CompositionEvents(logger),
    configs: new ConfigEvents(logger),
    documents: new DocumentEvents(logger),
    sharedDocuments: new SharedDocumentEvents(logger),
    guards: new GuardEvents(logger),
    listener: new ListenerEvents(logger, logsClients),
    planning: new PlanningEvents(logger),
    providers: new ProviderEvents(logger),
    rates: new RateEvents(logger),
    refusals,
    responseHeaders: new ResponseHeaderMetrics(),
    rollouts: new RolloutEvents(logger),
    settings: new SettingsEvents(logger),
    shadows: new ShadowMetrics(),
    shedding: new SheddingEvents(logger),
    sockets: new SocketEvents(logger, logsClients),
    deferred: new DeferEvents(logger),
    subgraphTls: new SubgraphTlsEvents(logger),
    subscriptions: new SubscriptionMetrics(),
    requests: {
      metrics,
      failures,
      ofAll,
      observers,
      accessLog: new AccessLog(logger),
      clients: (names) => (clients ??= new ClientMetrics()).observerOf(names),
      costs: () => (costs ??= new CostMetrics()),
    },
  }
}
