/** The composition root: builds the parts of a router, starts them, and takes them apart in order. */
import { manifestNumber, type ProcessLoad } from '@switchyard/contracts'
import { type HealthState, LoadMeter, observeCertificates, observeReady } from '@switchyard/service-kit'
import { SharedAccounts } from '../brokers/nats/shared-accounts.ts'
import { TurnQueue } from '../fairness/turn-queue.ts'
import type { ReloadedSettings } from '../config/reload-settings.ts'
import type { RouterConfig } from '../config/router-config.ts'
import { DocumentChecks } from '../generations/document-checks.ts'
import type { Generations } from '../generations/generations.ts'
import type { GenerationFactory } from '../generations/generation-factory.ts'
import { ManifestHash } from '../generations/verify/manifest-hash.ts'
import { damageOf, leftOutOf } from '../generations/offered-config.ts'
import { COMPILING_FLAGS } from '../generations/ready-gate.ts'
import { Certificate } from '../listen/certificate.ts'
import { listen } from '../listen/server.ts'
import type { Traffic } from '../listen/traffic.ts'
import { OpenStreams } from '../incremental/open-streams.ts'
import { OpenSubscriptions } from '../subscriptions/open-subscriptions.ts'
import { OperationMemory } from '../memory/operation-memory.ts'
import { createRouterEvents, type RouterEvents } from './router-events.ts'
import { observeRouter, type MeasuredRevision } from './router-gauges.ts'
import { allOpened } from '../settings/config-error.ts'
import { Deadlines } from '../call/in-flight/deadlines.ts'
import { LoadWatch } from '../transport/load/load-watch.ts'
import {
  announceAddresses,
  announceRetired,
  announceSettings,
  isAnnouncedAlike,
} from './announce-settings.ts'
import { type ClientLimits, openClientLimits } from './client-limits.ts'
import { startFollowing } from './config-sources.ts'
import { leave } from './drain.ts'
import { DocumentParts } from './open-documents.ts'
import { openGenerationFactory, operationRules } from './open-generation-factory.ts'
import type { PreparedSettings, RouterOptions, RunningRouter } from './router-options.ts'
import { openShadowResults } from '../shadows/open-shadows.ts'
import { SettingsFileWatch } from './settings-file-watch.ts'
import { SettingsInForce } from './settings-in-force.ts'
import { openServing, type Serving } from './serving.ts'
import { observeSockets } from '../subscriptions/sockets/events.ts'
import { Sockets } from '../subscriptions/sockets/sockets.ts'

export { loadSettings } from '../config/reload-settings.ts'
export { watchedSettings } from './settings-file-watch.ts'
export type { WatchedSettings } from './settings-file-watch.ts'
export type { RouterConfig } from '../config/router-config.ts'
export { Compiler } from '../generations/build/compiler.ts'
export type { GraphChoice } from '../generations/follow/graph-choice.ts'
export { boundHeapGrowth } from './heap-growth.ts'
export type {
  PreparedSettings,
  PrimarySource,
  RouterOptions,
  RouterSource,
  RunningRouter,
} from './router-options.ts'

/**
 * Resolves as soon as the router listens; with a file, once that is served (throws ExecutionConfigError,
 * SupergraphFileError or ManifestRejectedError when it cannot be). Disposing
 * takes `shutdown.pre_stop_delay`, and drains then: requests in progress are finished, within
 * `shutdown.drain_timeout`.
 */
export async function startRouter(options: RouterOptions): Promise<RunningRouter> {
  const { config, source } = options
  await using parts = new AsyncDisposableStack()
  const opened = await openRouter(options, parts)
  const { current, events, certificate, limits, inForce, serving, streams, subscriptions, memory } = opened
  const { sockets: upgrades, load } = opened
  const { follower } = serving
  const announces = source.kind !== 'primary'
  const handed = source.kind === 'primary' ? source.connections : null
  options.beforeListening?.()
  const server = await listen(inForce.handler, config, certificate, limits, events, { handed, upgrades })
  parts.defer(() => server.close())
  const accounts = parts.use(new SharedAccounts(options.controlPlane ?? null, events.providers))
  const prepare = async (next: RouterConfig): Promise<PreparedSettings> => {
    const { putInForce, letGo } = await inForce.prepare(next)
    return {
      putInForce: () => {
        const before = current()
        putInForce()
        accounts.look(next.brokers)
        server.changeTimes(next.traffic)
        if (announces && !isAnnouncedAlike(before, next)) announceSettings(next, events.listener)
      },
      letGo,
    }
  }
  const apply = async (next: RouterConfig) => (await prepare(next)).putInForce()
  accounts.look(config.brokers)
  const file = watchSettings(options, events, ({ config: next }) => apply(next))
  if (file !== null) parts.use(file)
  if (handed === null) await announceAddresses(config, server.url, events.listener)

  const running = parts.move()
  const { traffic } = limits
  const stop = async () => {
    const { listener } = events
    await leave({ config: current(), server, traffic, streams, subscriptions, serving, events: listener })
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
    load,
    ready: serving.ready,
    reload: () => {
      file?.look()
      certificate?.look()
      inForce.look()
      follower.look()
    },
    apply,
    prepare,
    versions: () => inForce.versions,
    [Symbol.asyncDispose]: () => (stopping ??= stop()),
  }
}

/**
 * Opens everything that a router needs before it listens, so that whatever it cannot be started with is
 * known. All of it is handed to `parts`. Throws as `startRouter` does, and RouterConfigError.
 */
export async function openRouter(
  options: RouterOptions,
  parts: AsyncDisposableStack,
  { follows = true, announces = true }: OpeningOptions = {},
) {
  const { config, source, logger } = options
  let opened: SettingsInForce | null = null
  const current = (): RouterConfig => opened?.current?.config ?? config
  const events = createRouterEvents(logger, () => current().accessLog)
  if (source.kind !== 'primary') announceRetired(config, events.settings)
  if (announces && source.kind !== 'primary') announceSettings(config, events.listener)
  const limits = openClientLimits(config, events.listener)
  const documents = new DocumentParts(current, events, options.overrides?.redisTimeout)
  const shared = { current, events, limits, documents }
  const graphql = openGraphql(options, shared, parts)
  const { inForce, serving, generationFactory, memory, sockets } = graphql
  opened = inForce
  const { generations, follower } = serving
  const openCertificate = async () =>
    config.tls === null ? null : parts.use(await Certificate.open(config.tls, events.listener))
  const [certificate] = await allOpened([openCertificate(), inForce.open(config)])
  if (follows) await startFollowing(source, follower, (error) => events.requests.failures.defect(error))
  // Nobody is to be refused because keys are on their way, which takes authentication.jwt.timeout at most.
  await inForce.keys()
  parts.use(observeParts({ events, limits, memory, generationFactory, generations }))
  if (certificate !== null && config.tls !== null) {
    const pem = () => certificate.current.cert
    parts.use(observeCertificates([{ use: 'listener', file: config.tls.certFile, pem }]))
  }
  parts.use(observeSockets({ open: () => sockets.size, operations: () => sockets.operations }))
  parts.use(observeReady('router', () => readiness(limits.traffic, source, serving)))
  return { ...graphql, current, events, certificate, limits }
}

type OpeningOptions = {
  /** Whether the graph of the source is read, too. */
  readonly follows?: boolean
  /** Whether the log says which of the settings need attention. */
  readonly announces?: boolean
}

type GraphqlParts = {
  /** The settings in force. */
  readonly current: () => RouterConfig
  readonly events: RouterEvents
  readonly limits: ClientLimits
  readonly documents: DocumentParts
}

/** The GraphQL endpoint with all that answers for it. Nothing is followed and nothing listens yet. */
function openGraphql(
  options: RouterOptions,
  { current, events, limits, documents }: GraphqlParts,
  parts: AsyncDisposableStack,
) {
  const { config } = options
  const streams = new OpenStreams()
  const subscriptions = parts.use(
    new OpenSubscriptions(
      () => current().subscriptions,
      (error) => events.requests.failures.defect(error),
    ),
  )
  const deadlines = parts.use(new Deadlines())
  const turns = new TurnQueue()
  const shadowResults = openShadowResults(current)
  const memory = new OperationMemory(config.operationCacheSize)
  const documentChecks = parts.use(
    new DocumentChecks({
      documents: () => inForce.knownDocuments,
      rules: () => operationRules(current()),
      warmUp: () => current().documents.warmUp,
      events: events.documents,
    }),
  )
  const generationFactory = openGenerationFactory(
    options,
    { inForce: current, events, turns, memory, documentChecks },
    parts,
  )
  const told = openTold({ limits, events }, parts)
  // They end after the generations, which give back what they have of them.
  const ways = parts.use(new AsyncDisposableStack())
  const serving = openServing(
    options,
    { inForce: current, generationFactory, events, ...told, shadowResults, published: documents.published },
    parts,
  )
  const sockets = openSockets(() => inForce, { current, events, limits })
  const inForce: SettingsInForce = ways.use(
    new SettingsInForce({
      options,
      events,
      limits,
      documents,
      documentChecks,
      serving,
      generationFactory,
      memory,
      streams,
      subscriptions,
      sockets,
      deadlines,
      loads: new LoadWatch(),
      turns,
      shadowResults,
      ready: () => readiness(limits.traffic, options.source, serving),
    }),
  )
  return { inForce, serving, streams, subscriptions, memory, generationFactory, sockets, ...told }
}

/** Opens what heartbeats tell of the process. It is measured until `parts` are disposed. */
function openTold(
  { limits: { traffic }, events }: Pick<GraphqlParts, 'limits' | 'events'>,
  parts: AsyncDisposableStack,
) {
  const meter = parts.use(new LoadMeter())
  return {
    leaving: () => traffic.leaving,
    load: (): ProcessLoad => {
      return { ...meter.read(), active: traffic.inFlight, ...events.requests.metrics.totals }
    },
  }
}

/** Makes the part that opens WebSockets for as long as the settings allow it. */
function openSockets(
  inForce: () => SettingsInForce,
  { current, events, limits }: Pick<GraphqlParts, 'current' | 'events' | 'limits'>,
): Sockets {
  return new Sockets({
    ...limits,
    settings: current,
    serve: (request, response) => inForce().current?.graphql(request, response, ''),
    authentication: () => inForce().current?.authentication ?? null,
    isDraining: () => limits.traffic.draining,
    events: events.sockets,
    onDefect: (error) => events.requests.failures.defect(error),
  })
}

function watchSettings(
  { settings, config }: RouterOptions,
  { settings: events }: RouterEvents,
  apply: (settings: ReloadedSettings) => Promise<void>,
): SettingsFileWatch | null {
  if (settings === undefined) return null
  return new SettingsFileWatch({ ...settings, interval: config.settingsReloadInterval, apply, events })
}

function readiness(
  traffic: Traffic,
  source: RouterOptions['source'],
  { generations, follower, gate }: Serving,
): HealthState {
  if (traffic.draining) return { ok: false, reason: 'the router is draining' }
  if (traffic.leaving) return { ok: false, reason: 'the router is about to stop' }
  if (source.kind === 'primary') return source.ready()
  if (generations.serving === null) return { ok: false, reason: follower.state.waitingFor }
  if (!gate.isOpen) return { ok: false, reason: COMPILING_FLAGS }
  const warning = damageOf(generations.serving.config)
  return warning === null ? { ok: true } : { ok: true, warning }
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
  const hash = new ManifestHash()
  return observeRouter({
    activeRequests: () => traffic.inFlight,
    activeCalls: () => events.requests.metrics.activeCalls,
    operations: memory,
    planning: generationFactory.planning,
    serving: () => servedBy(generations, hash),
    unsentSize: () => unsent.bytes,
    unansweredSize: () => unanswered.bytes,
  })
}

function servedBy({ serving }: Generations, hash: ManifestHash): MeasuredRevision | null {
  if (serving === null) return null
  const { graph, version, createdAt, signed } = serving.config
  const { flags, documents } = leftOutOf(serving.config)
  return {
    graph: graph === null ? '' : `${graph.namespace}/${graph.graph}`,
    revision: version.revision,
    manifest: signed === null ? null : manifestNumber(hash.of(signed)),
    createdAt,
    leftOut: { flags: flags.length, documents: documents.length },
  }
}
