/** The GraphQL endpoint of a router, put together from its parts. */
import { trace } from '@opentelemetry/api'
import { CacheHints } from '@switchyard/engine'
import { TRACE_CONTEXT } from '@switchyard/service-kit'
import { BrokerCalls } from '../brokers/calls/broker-calls.ts'
import type { NatsProviders } from '../brokers/nats/nats-provider.ts'
import { Authorizer } from '../concerns/authorization/authorizer.ts'
import { CostLimits } from '../concerns/costs/cost-limits.ts'
import type { GraphQLRoute } from '../http/handler.ts'
import { PendingForms } from '../incremental/pending-forms.ts'
import { ForwardedHeaders } from '../concerns/headers/forwarded-headers.ts'
import { createRequestSpans } from '../observe/request-spans.ts'
import type { RequestObserver } from '../observe/request-observer.ts'
import type { Usage } from '../concerns/usage/usage.ts'
import type { RouterEvents } from './router-events.ts'
import { TRACER } from '../observe/meter.ts'
import { createGraphQLRoute, type GraphQLRouteOptions } from '../pipeline/graphql-route.ts'
import { OverrideLabels } from '../concerns/override-labels/override-labels.ts'
import { RequestSharing } from '../concerns/sharing/request-sharing.ts'
import { AnswerIntake } from '../call/in-flight/answer-intake.ts'
import { AnswerTurns } from '../call/in-flight/answer-turns.ts'
import { CollectedHeaders } from '../concerns/headers/collected-headers.ts'
import type { Deadlines } from '../call/in-flight/deadlines.ts'
import { FetchSharing } from '../call/fetch-sharing.ts'
import { allResponseRules } from '../concerns/headers/response-rules.ts'
import type { RouterOptions } from './router-options.ts'
import { subgraphConfigOf } from '../settings/per-subgraph.ts'
import { shortestTimeoutOf } from '../call/settings.ts'

/** The parts that the endpoint shares with the rest of the router. */
export type RouteParts = Pick<
  GraphQLRouteOptions,
  | 'authentication'
  | 'rates'
  | 'generations'
  | 'traffic'
  | 'shedding'
  | 'unread'
  | 'unanswered'
  | 'connections'
  | 'streams'
  | 'tracing'
  | 'turns'
  | 'waitingFor'
  | 'documents'
  | 'served'
  | 'mutations'
  | 'shadows'
  | 'subscriptions'
> & {
  readonly providers: NatsProviders
  readonly deadlines: Deadlines
  /** Counts the requests of guarded rollouts. */
  readonly guards: RequestObserver
  /** Counts requests by operation, client and composition; null if nobody is told. */
  readonly usage: Usage | null
  readonly events: RouterEvents
}

/** Opens the endpoint. */
export function openRoute(
  { config, propagation = TRACE_CONTEXT, overrides = {} }: RouterOptions,
  parts: RouteParts,
): GraphQLRoute {
  const { deadlines, guards, events, providers, ...shared } = parts
  const { mutations } = parts
  const route = `${config.basePath}/graphql`
  const responseRules = allResponseRules(config.headers)
  return createGraphQLRoute({
    ...shared,
    config,
    sharing: new RequestSharing({
      forwarded: new ForwardedHeaders(config.headers, propagation.handedOn),
      // A cookie of an answer is for one client.
      isOn: config.traffic.shareInflight && !responseRules.haveCookies,
      timeout: shortestTimeoutOf(config.subgraphs),
    }),
    authorizer: new Authorizer(config.authorization),
    brokers: new BrokerCalls({
      providers,
      events: events.brokerCalls,
      timeoutOf: (name) => subgraphConfigOf(config.subgraphs, name).timeout,
      maxReplySize: config.subgraphs.maxResponseSize,
      mutations,
    }),
    costs: config.costs.mode === 'off' ? null : new CostLimits(config.costs),
    cacheHints:
      config.cacheControl.kind === 'computed' ? new CacheHints(config.cacheControl.defaultMaxAge) : null,
    overrideLabels: new OverrideLabels({
      ...config.overrideLabels,
      random: overrides.random ?? Math.random,
    }),
    route,
    spans: createRequestSpans(trace.getTracer(TRACER), propagation, {
      route,
      scheme: config.tls === null ? 'http' : 'https',
    }),
    observers: [...observersOf(config, events), guards, ...(parts.usage === null ? [] : [parts.usage])],
    pendingForms: new PendingForms({
      usual: config.deferPending,
      byClient: config.deferPendingByClient,
      onFragmentsForApollo: (client) => events.deferred.fragmentsForApollo(client),
    }),
    collectHeaders: responseRules.areAny
      ? () => new CollectedHeaders((reason) => events.responseHeaders.dropped(reason))
      : null,
    client: {
      deadlines,
      intake: new AnswerIntake(config.subgraphs.receivingSize),
      turns: new AnswerTurns(),
      maxResponseSize: config.subgraphs.maxResponseSize,
      errors: config.subgraphs.errors,
      propagation,
      mutations,
      sharing: new FetchSharing(config.traffic.shareInflight && config.subgraphs.shareInflight, mutations),
    },
  })
}

function observersOf(
  { accessLog, clientIdentification: { countedNames }, costs }: RouterOptions['config'],
  { requests }: RouterEvents,
): readonly RequestObserver[] {
  return [
    ...requests.observers,
    ...(accessLog ? [requests.accessLog] : []),
    ...(countedNames.length > 0 ? [requests.clients(countedNames)] : []),
    ...(costs.mode === 'off' ? [] : [requests.costs()]),
  ]
}
