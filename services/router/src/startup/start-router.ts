/** The composition root: builds the parts of a router, starts them, and takes them apart in order. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { trace } from '@opentelemetry/api'
import type { ConfigStore, GraphKey } from '@switchyard/config-store'
import type { Jwks } from '@switchyard/contracts'
import type { Announcer } from '@switchyard/event-log'
import {
  type FleetKey,
  type HealthState,
  type Logger,
  type Propagation,
  TRACE_CONTEXT,
  TrustedProxies,
} from '@switchyard/service-kit'
import type { RouterConfig } from '../config/router-config.ts'
import { observeRouter } from '../observe/router-gauges.ts'
import { createRouterEvents, type RouterEvents } from '../observe/router-events.ts'
import { Compiler } from '../generations/compiler.ts'
import { ConfigFollower, type ConfigFollowing } from '../generations/config-follower.ts'
import { sourcesOf, startFollowing } from './config-sources.ts'
import type { ConfigTarget } from '../generations/config-intake.ts'
import { Generations } from '../generations/generations.ts'
import type { GraphChoice } from '../generations/graph-choice.ts'
import { Heartbeat } from '../generations/heartbeat.ts'
import { Workshop } from '../generations/workshop.ts'
import { Certificate } from '../http/certificate.ts'
import { ByteShares } from '../clients/byte-shares.ts'
import { createGraphQLRoute, type GraphQLRouteOptions } from '../pipeline/graphql-route.ts'
import { Connections } from '../http/connections.ts'
import { createHandler, type GraphQLRoute } from '../http/handler.ts'
import { connectionsWithin, maxOpenFiles } from '../http/open-files.ts'
import { type HandedConnections, type HttpServer, listen } from '../http/server.ts'
import { Traffic } from '../http/traffic.ts'
import { UnreadRequests } from '../http/unread-requests.ts'
import { UnsentAnswers } from '../http/unsent-answers.ts'
import { OpenStreams } from '../incremental/open-streams.ts'
import { TurnQueue } from '../clients/turn-queue.ts'
import { Introspections } from '../introspection/introspections.ts'
import { OperationMemory } from '../memory/operation-memory.ts'
import { OverrideLabels } from '../planning/override-labels.ts'
import { type PlanningClock, SYSTEM_CLOCK } from '../planning/planning-clock.ts'
import { Planning } from '../planning/planning.ts'
import { announceTracing } from './announce-tracing.ts'
import { AnswerIntake } from '../subgraph/answer-intake.ts'
import { Deadlines } from '../subgraph/deadlines.ts'
import { Origins } from '../subgraph/origins.ts'
import { createRequestSpans } from '../observe/request-spans.ts'
import { Tracing } from '../tracing/recorder/tracing.ts'
import { LoadWatch } from '../subgraph/load/load-watch.ts'

/** For clients of streams that are cut at the limit of draining to read that they were. */
export const LAST_WORDS_MS = 1000
export const TRACER = '@switchyard/router'

export type { RouterConfig } from '../config/router-config.ts'
export { Compiler } from '../generations/compiler.ts'
export { boundHeapGrowth } from './heap-growth.ts'
export type { GraphChoice } from '../generations/graph-choice.ts'

/** Where configs come from. */
export type RouterSource =
  | {
      readonly kind: 'config-store'
      readonly store: ConfigStore
      /** The public keys that manifests must be signed with. */
      readonly keys: Jwks
      readonly graph: GraphKey | GraphChoice
      /**
       * Whoever can write the store can write the log it is made from as well. What it offers is then taken without a signed head
       * that says that it is the newest.
       */
      readonly trusted?: boolean
      /** Absent: no copy is kept, and a start without the store serves nothing. */
      readonly lastKnownGoodDirectory?: string
      /** Served while there is neither a config in the store nor a copy. Trusted as given. */
      readonly executionConfig?: string
    }
  /** One file, trusted as given, and nothing to follow: what `router compose` wrote, or the supergraph of any composer. */
  | { readonly kind: 'execution-config' | 'supergraph'; readonly path: string }

/** Of a worker: its primary follows the configs, verifies them, and accepts connections for it. */
export type PrimarySource = {
  readonly kind: 'primary'
  readonly connections: HandedConnections
  /** Takes the configs into service that the primary hands over. */
  follow(generations: ConfigTarget, onChange: () => void): ConfigFollowing
  /** Whether the router as a whole is ready. */
  ready(): HealthState
  /** Other flags are served of the same config. */
  flagsChanged(flags: readonly string[]): void
}

export type RouterOptions = {
  readonly config: RouterConfig
  readonly source: RouterSource | PrimarySource
  /** Absent: no heartbeats, and changes are found by polling. */
  readonly announcer?: Announcer
  readonly logger: Logger
  /** Heartbeats are signed with it; absent: they prove nothing. */
  readonly fleetKey?: FleetKey
  /** How traces come with requests and go on to subgraphs. Absent: W3C Trace Context. */
  readonly propagation?: Propagation
  /** Unique in the fleet. */
  readonly instance?: string
  /** For several routers in one process; whoever made it disposes it. */
  readonly compiler?: Compiler
  /** For tests, in place of what the machine gives. */
  readonly overrides?: {
    readonly clock?: PlanningClock
    /** Uniform in [0, 1). */
    readonly random?: () => number
    readonly createPlanningWorker?: () => Worker
  }
}

export type RunningRouter = AsyncDisposable & {
  /** Base of the address, without base path. */
  readonly url: string
  readonly port: number
  /** Bytes, by estimate, that operations, their plans and introspections take: at most `cache.operations`. */
  readonly remembered: number
  /** Resolves when the first generation serves. Never rejects. */
  readonly ready: Promise<void>
  /** Looks at once at the files of the certificate and at the config store, as it does from time to time anyway. */
  reload(): void
}

/**
 * Resolves as soon as the router listens; with a file, once that is served (throws ExecutionConfigError, SupergraphFileError,
 * UnenforcedAuthorizationError or ManifestRejectedError when it cannot be). Disposing takes `shutdown.pre_stop_delay`, and
 * drains then: requests in progress are finished, within `shutdown.drain_timeout`.
 */
export async function startRouter(options: RouterOptions): Promise<RunningRouter> {
  const { config, source, announcer, logger } = options
  await using parts = new AsyncDisposableStack()
  const events = createRouterEvents(logger, config.accessLog)
  if (source.kind !== 'primary') announceSettings(config, events.listener)
  const certificate =
    config.tls === null ? null : parts.use(await Certificate.open(config.tls, events.listener))
  const traffic = new Traffic(config.traffic.maxConcurrentRequests)
  const unread = new UnreadRequests(
    { perClient: config.traffic.maxUnreadRequestsPerClient, total: config.traffic.maxUnreadRequests },
    () => events.listener.unreadRequestRefused(),
  )
  const connections = openConnections(config, events.listener)
  const unsent = new UnsentAnswers(
    new ByteShares(config.traffic.unsentSize, ({ bytes }) => events.listener.answerGaveWay(bytes)),
    connections,
  )
  const unanswered = new ByteShares(config.traffic.unansweredSize, ({ bytes }) =>
    events.listener.requestGaveWay(bytes),
  )
  const streams = new OpenStreams()
  const ready = Promise.withResolvers<void>()
  const deadlines = parts.use(new Deadlines())
  const loads = new LoadWatch()
  const turns = new TurnQueue()
  const memory = new OperationMemory(config.operationCacheSize)
  const workshop = openWorkshop(options, { events, loads, turns, memory }, parts)
  let heartbeat: Heartbeat | null = null
  const changed = () => {
    if (generations.serving !== null) ready.resolve()
    heartbeat?.beat()
  }
  const generations = parts.use(
    new Generations({
      workshop,
      events: events.compositions,
      builtFlags: { count: config.flags.maxBuilt, bytes: config.flags.maxBuiltSize },
      buildWait: config.flags.buildWait,
      warmUpOperations: config.warmUpOperations,
      onFlagsChanged: () => {
        changed()
        if (source.kind === 'primary') source.flagsChanged(generations.serving?.flags ?? [])
      },
    }),
  )
  const follower: ConfigFollowing = parts.use(
    source.kind === 'primary'
      ? source.follow(generations, changed)
      : new ConfigFollower({
          ...sourcesOf(source, config, events.configs),
          generations,
          events: events.configs,
          tracer: trace.getTracer(TRACER),
          announcer: announcer ?? null,
          pollInterval: config.pollInterval,
          onChange: changed,
        }),
  )
  if (announcer !== undefined) {
    heartbeat = parts.use(
      new Heartbeat({
        announcer,
        fleetKey: options.fleetKey ?? null,
        instance: options.instance ?? `router-${randomUUID().slice(0, 8)}`,
        boot: randomUUID(),
        generations,
        follower: () => follower.state,
        leaving: () => traffic.leaving,
      }),
    )
  }
  const waitingFor = () => follower.state.waitingFor
  const readiness = (): HealthState => {
    if (traffic.draining) return { ok: false, reason: 'the router is draining' }
    if (traffic.leaving) return { ok: false, reason: 'the router is about to stop' }
    if (source.kind === 'primary') return source.ready()
    return generations.serving === null ? { ok: false, reason: waitingFor() } : { ok: true }
  }
  const tracing = new Tracing(config.tracing, config.devMode, loads)
  const graphql = openRoute(options, {
    generations,
    traffic,
    unread,
    unanswered,
    connections,
    streams,
    tracing,
    deadlines,
    events,
    turns,
    waitingFor,
  })
  await startFollowing(source, follower, (error) => events.requests.requestFailed(error))
  const handler = createHandler({
    basePath: config.basePath,
    graphql,
    ready: readiness,
    events: events.refusals,
  })
  parts.use(
    observeRouter({
      activeRequests: () => traffic.inFlight,
      activeCalls: () => events.requests.activeCalls,
      operations: memory,
      planning: workshop.planning,
      serving: () => servedBy(generations),
      unsentSize: () => unsent.bytes,
      unansweredSize: () => unanswered.bytes,
    }),
  )
  const handed = source.kind === 'primary' ? source.connections : null
  const server = await listen(handler, config, certificate, { connections, unread, unsent }, events, handed)
  parts.defer(() => server.close())
  if (handed === null) events.listener.listening(`${server.url}${config.basePath}/graphql`)

  const running = parts.move()
  const stop = async () => {
    traffic.leave()
    heartbeat?.beat()
    // Nobody sends requests to a router that was never ready.
    if (generations.serving !== null) await untilNobodySends(config.preStopDelay, events.listener)
    await drain({ config, server, traffic, streams, events: events.listener })
    await running.disposeAsync()
  }
  let stopping: Promise<void> | null = null
  return {
    url: server.url,
    port: server.port,
    get remembered() {
      return memory.bytes
    },
    ready: ready.promise,
    reload: () => {
      certificate?.look()
      follower.look()
    },
    [Symbol.asyncDispose]: () => (stopping ??= stop()),
  }
}

function servedBy({ serving }: Generations): { revision: number; createdAt: string | null } | null {
  if (serving === null) return null
  const { version, createdAt } = serving.config
  return { revision: version.revision, createdAt }
}

/** Once for a router, however many processes it has. */
export function announceSettings(config: RouterConfig, events: RouterEvents['listener']): void {
  if (config.devMode) events.devMode()
  announceTracing(config, events)
}

/** No more than the system allows: it would close those beyond that without a word to anybody. */
function openConnections({ traffic }: RouterConfig, events: RouterEvents['listener']): Connections {
  const openFiles = maxOpenFiles()
  const total = connectionsWithin(openFiles, traffic.maxConnections)
  if (openFiles !== null && total < traffic.maxConnections)
    events.connectionsLowered(openFiles, total, traffic.maxConnections)
  const limits = { perClient: traffic.maxConnectionsPerClient, total }
  const proxies = new TrustedProxies(traffic.trustedProxies)
  return new Connections(limits, proxies, () => events.connectionClosed(limits))
}

/** Load balancers notice only after a while that a router is not ready any more. */
async function untilNobodySends(delay: number, events: RouterEvents['listener']): Promise<void> {
  if (delay === 0) return
  events.leaving(delay)
  await sleep(delay)
}

/** Lets what is in progress finish, within the limit of the settings. */
async function drain(router: {
  readonly config: RouterConfig
  readonly server: HttpServer
  readonly traffic: Traffic
  readonly streams: OpenStreams
  readonly events: RouterEvents['listener']
}): Promise<void> {
  const { config, server, traffic, streams, events } = router
  events.draining(traffic.inFlight)
  // New requests still get an answer, 503, until the last one in progress is done.
  const drained = traffic.drain(config.drainTimeout)
  server.drain()
  if (await drained) return
  events.drainLimitReached(traffic.inFlight)
  await streams.endAll(LAST_WORDS_MS)
}

function openRoute(
  { config, propagation = TRACE_CONTEXT, overrides = {} }: RouterOptions,
  parts: Pick<
    GraphQLRouteOptions,
    | 'generations'
    | 'traffic'
    | 'unread'
    | 'unanswered'
    | 'connections'
    | 'streams'
    | 'tracing'
    | 'turns'
    | 'waitingFor'
  > & {
    readonly deadlines: Deadlines
    readonly events: RouterEvents
  },
): GraphQLRoute {
  const { deadlines, events, ...shared } = parts
  return createGraphQLRoute({
    ...shared,
    config,
    overrideLabels: new OverrideLabels({
      alwaysActive: config.activeOverrideLabels,
      random: overrides.random ?? Math.random,
    }),
    spans: createRequestSpans(trace.getTracer(TRACER), propagation, {
      route: `${config.basePath}/graphql`,
      scheme: config.tls === null ? 'http' : 'https',
    }),
    events: events.requests,
    client: {
      deadlines,
      intake: new AnswerIntake(config.subgraphs.receivingSize),
      events: events.requests,
      maxResponseSize: config.subgraphs.maxResponseSize,
      errors: config.subgraphs.errors,
      propagation,
    },
  })
}

/** What compositions are compiled with; its parts end with the router. */
function openWorkshop(
  { config, compiler, overrides = {} }: RouterOptions,
  shared: {
    readonly events: RouterEvents
    readonly loads: LoadWatch
    readonly turns: TurnQueue
    readonly memory: OperationMemory
  },
  parts: AsyncDisposableStack,
): Workshop {
  const { events, loads, turns, memory } = shared
  const { clock = SYSTEM_CLOCK, createPlanningWorker: createWorker } = overrides
  return new Workshop({
    origins: parts.use(new Origins(config.subgraphs, loads)),
    compiler: compiler ?? parts.use(new Compiler()),
    planning: parts.use(
      new Planning({
        config: config.planning,
        events: events.planning,
        clock,
        ...(createWorker === undefined ? {} : { createWorker }),
      }),
    ),
    subgraphs: config.subgraphs,
    headers: config.headers,
    requestIdHeader: config.requestId.header.toLowerCase(),
    limits: config.limits,
    introspections: new Introspections({ maxSize: config.limits.introspectionSize, turns, memory }),
    memory,
    mayDefer: config.enableDefer,
    events: events.compositions,
  })
}
