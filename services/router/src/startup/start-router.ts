/** The composition root: builds the parts of a router, starts them, and takes them apart in order. */
import type { HealthState } from '@switchyard/service-kit'
import type { Authentication } from '../authentication/authentication.ts'
import { TurnQueue } from '../clients/turn-queue.ts'
import type { Generations } from '../generations/generations.ts'
import type { GenerationFactory } from '../generations/generation-factory.ts'
import { Certificate } from '../http/certificate.ts'
import { createHandler } from '../http/handler.ts'
import { listen } from '../http/server.ts'
import type { Traffic } from '../http/traffic.ts'
import { OpenStreams } from '../incremental/open-streams.ts'
import { OperationMemory } from '../memory/operation-memory.ts'
import { createRouterEvents, type RouterEvents } from '../observe/router-events.ts'
import { observeRouter, type ServedRevision } from '../observe/router-gauges.ts'
import type { RateLimits } from '../rates/rate-limits.ts'
import { Deadlines } from '../subgraph/deadlines.ts'
import { LoadWatch } from '../subgraph/load/load-watch.ts'
import { SubgraphTls } from '../subgraph/tls/subgraph-tls.ts'
import { Tracing } from '../tracing/recorder/tracing.ts'
import { announceAddresses, announceSettings } from './announce-settings.ts'
import { type ClientLimits, openClientLimits } from './client-limits.ts'
import { startFollowing } from './config-sources.ts'
import { leave } from './drain.ts'
import { openDocuments, type OpenDocuments } from './open-documents.ts'
import { openRateLimits } from './open-rate-limits.ts'
import { openRoute } from './open-route.ts'
import { openPlayground } from './open-playground.ts'
import { openGenerationFactory } from './open-generation-factory.ts'
import type { RouterOptions, RunningRouter } from './router-options.ts'
import { openServing, type Serving } from './serving.ts'

export type { RouterConfig } from '../config/router-config.ts'
export { Compiler } from '../generations/compiler.ts'
export type { GraphChoice } from '../generations/graph-choice.ts'
export { boundHeapGrowth } from './heap-growth.ts'
export type { PrimarySource, RouterOptions, RouterSource, RunningRouter } from './router-options.ts'

/**
 * Resolves as soon as the router listens; with a file, once that is served (throws ExecutionConfigError,
 * SupergraphFileError or ManifestRejectedError when it cannot be). Disposing
 * takes `shutdown.pre_stop_delay`, and drains then: requests in progress are finished, within
 * `shutdown.drain_timeout`.
 */
export async function startRouter(options: RouterOptions): Promise<RunningRouter> {
  const { config, source, logger } = options
  await using parts = new AsyncDisposableStack()
  const events = createRouterEvents(logger, {
    accessLog: config.accessLog,
    countedClients: config.clientIdentification.countedNames,
    costs: config.costs.mode !== 'off',
  })
  if (source.kind !== 'primary') announceSettings(config, events.listener)
  const certificate =
    config.tls === null ? null : parts.use(await Certificate.open(config.tls, events.listener))
  const subgraphTls = parts.use(await SubgraphTls.open(config.subgraphs, events.subgraphTls))
  const limits = openClientLimits(config, events, parts)
  const authentication = await openAuthentication(config, events, parts)
  const documents = await openDocuments(config, events.documents, parts)
  const rates = await openRateLimits(config, events.rates, parts)
  const shared = { events, limits, documents, authentication, rates, subgraphTls }
  const { graphql, serving, streams, memory, generationFactory } = openGraphql(options, shared, parts)
  const { generations, follower } = serving
  const keys = authentication?.refresh()
  await startFollowing(source, follower, (error) => events.requests.failures.defect(error))
  // Nobody is to be refused because keys are on their way, which takes authentication.jwt.timeout at most.
  await keys
  const ready = () => readiness(limits.traffic, source, serving)
  const page = await openPlayground(config, generations)
  const { basePath } = config
  const handler = createHandler({ basePath, graphql, page, ready, events: events.refusals })
  parts.use(observeParts({ events, limits, memory, generationFactory, generations }))
  const handed = source.kind === 'primary' ? source.connections : null
  options.beforeListening?.()
  const server = await listen(handler, config, certificate, limits, events, handed)
  parts.defer(() => server.close())
  if (handed === null) await announceAddresses(config, server.url, events.listener)

  const running = parts.move()
  const { traffic } = limits
  const stop = async () => {
    await leave({ config, server, traffic, streams, serving, events: events.listener })
    await running.disposeAsync()
  }
  let stopping: Promise<void> | null = null
  return {
    url: server.url,
    port: server.port,
    get remembered() {
      return memory.bytes
    },
    activeRequests: () => traffic.inFlight,
    ready: serving.ready,
    reload: () => {
      certificate?.look()
      documents.files?.look()
      void authentication?.refresh()
      subgraphTls.look()
      follower.look()
    },
    [Symbol.asyncDispose]: () => (stopping ??= stop()),
  }
}

/** Loads what verifies tokens only where they are taken. null: nobody is asked who they are. */
async function openAuthentication(
  { authentication: config }: RouterOptions['config'],
  { authentication: events }: RouterEvents,
  parts: AsyncDisposableStack,
): Promise<Authentication | null> {
  if (config === null) return null
  const { Authentication } = await import('../authentication/authentication.ts')
  return parts.use(new Authentication({ config, events }))
}

type GraphqlParts = {
  readonly events: RouterEvents
  readonly limits: ClientLimits
  readonly documents: OpenDocuments
  readonly authentication: Authentication | null
  readonly rates: RateLimits | null
  readonly subgraphTls: SubgraphTls
}

/** The GraphQL endpoint with all that answers for it. Nothing is followed and nothing listens yet. */
function openGraphql(
  options: RouterOptions,
  { events, limits, documents: { documents, files }, authentication, rates, subgraphTls }: GraphqlParts,
  parts: AsyncDisposableStack,
) {
  const { config } = options
  const streams = new OpenStreams()
  const deadlines = parts.use(new Deadlines())
  const loads = new LoadWatch()
  const turns = new TurnQueue()
  const memory = new OperationMemory(config.operationCacheSize)
  const shared = { events, loads, turns, memory, files, subgraphTls }
  const generationFactory = openGenerationFactory(options, shared, parts)
  const leaving = () => limits.traffic.leaving
  const serving = openServing(options, { generationFactory, events, leaving }, parts)
  const graphql = openRoute(options, {
    ...limits,
    authentication,
    rates,
    generations: serving.generations,
    streams,
    tracing: new Tracing(config.tracing, config.devMode, loads),
    deadlines,
    events,
    turns,
    documents,
    waitingFor: () => serving.follower.state.waitingFor,
  })
  return { graphql, serving, streams, memory, generationFactory }
}

function readiness(
  traffic: Traffic,
  source: RouterOptions['source'],
  { generations, follower }: Serving,
): HealthState {
  if (traffic.draining) return { ok: false, reason: 'the router is draining' }
  if (traffic.leaving) return { ok: false, reason: 'the router is about to stop' }
  if (source.kind === 'primary') return source.ready()
  return generations.serving === null ? { ok: false, reason: follower.state.waitingFor } : { ok: true }
}

function observeParts({
  events,
  limits: { traffic, unsent, unanswered },
  memory,
  generationFactory,
  generations,
}: {
  readonly events: RouterEvents
  readonly limits: ClientLimits
  readonly memory: OperationMemory
  readonly generationFactory: GenerationFactory
  readonly generations: Generations
}): Disposable {
  return observeRouter({
    activeRequests: () => traffic.inFlight,
    activeCalls: () => events.requests.metrics.activeCalls,
    operations: memory,
    planning: generationFactory.planning,
    serving: () => servedBy(generations),
    unsentSize: () => unsent.bytes,
    unansweredSize: () => unanswered.bytes,
  })
}

function servedBy({ serving }: Generations): ServedRevision | null {
  if (serving === null) return null
  const { graph, version, createdAt } = serving.config
  return {
    graph: graph === null ? '' : `${graph.namespace}/${graph.graph}`,
    revision: version.revision,
    createdAt,
  }
}
