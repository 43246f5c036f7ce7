/**
 * The parts of a router that serve requests and depend on its settings. New settings are put in force all at
 * once: requests in flight keep the parts they began with, and old parts end with their last request.
 *
 * Parts whose own settings stay the same are kept: connections to subgraphs, circuit breakers, buckets of
 * rate limits, keys of tokens, and, if the limits of operations are the same, their plans.
 */
import type { RequestListener } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import type { ManifestDocument } from '@switchyard/documents'
import { NatsProviders } from '../brokers/nats/nats-provider.ts'
import type { BrokersConfig } from '../brokers/settings.ts'
import type { Authentication } from '../concerns/authentication/authentication.ts'
import type { TurnQueue } from '../fairness/turn-queue.ts'
import type { RouterConfig } from '../config/router-config.ts'
import type { AuthenticationConfig } from '../concerns/authentication/settings.ts'
import type { DocumentChecks } from '../generations/document-checks.ts'
import type { GenerationFactory } from '../generations/generation-factory.ts'
import { ServedParts } from '../generations/served-parts.ts'
import { createHandler, type GraphQLRoute } from '../http/handler.ts'
import type { HealthCheck } from '../http/health.ts'
import { LoadShedding } from '../listen/load-shedding.ts'
import { SharedCompletions } from '../subscriptions/events/shared-completions.ts'
import type { OpenSubscriptions } from '../subscriptions/open-subscriptions.ts'
import type { OpenStreams } from '../incremental/open-streams.ts'
import type { OperationMemory } from '../memory/operation-memory.ts'
import type { RouterEvents } from './router-events.ts'
import type { ShadowResults } from '../concerns/shadows/results/shadow-results.ts'
import { MutationCount } from '../concerns/sharing/mutation-count.ts'
import { sentClaims } from '../concerns/headers/claim-header.ts'
import { type CallPolicies, openPolicies } from '../call/call-policies.ts'
import { Addresses } from '../call/policies/addresses/addresses.ts'
import type { Deadlines } from '../call/in-flight/deadlines.ts'
import type { LoadWatch } from '../transport/load/load-watch.ts'
import { type ConnectionSettings, Origins } from '../call/origins.ts'
import { SubgraphTls, type TlsSettings } from '../transport/tls/subgraph-tls.ts'
import { Tracing } from '../tracing/recorder/tracing.ts'
import { type AddressSettings, addressSettings, connectionSettings } from './calling-settings.ts'
import type { ClientLimits } from './client-limits.ts'
import { KeptPart } from './kept-part.ts'
import type { DocumentParts, OpenDocuments } from './open-documents.ts'
import { operationRules } from './open-generation-factory.ts'
import { keptBuckets, openRateLimits } from './open-rate-limits.ts'
import { openOtherRoutes } from './open-other-routes.ts'
import { openRoute } from './open-route.ts'
import { openShadows } from '../shadows/open-shadows.ts'
import type { PreparedSettings, RouterOptions } from './router-options.ts'
import type { Serving } from './serving.ts'
import { FanOut } from '../subscriptions/turns/fan-out.ts'
import type { Sockets } from '../subscriptions/sockets/sockets.ts'
import { allOpened } from '../settings/config-error.ts'

/** The parts that stay the same, whatever the settings become. */
export type LastingParts = {
  readonly options: RouterOptions
  readonly events: RouterEvents
  readonly limits: ClientLimits
  readonly documents: DocumentParts
  readonly documentChecks: DocumentChecks
  readonly serving: Serving
  readonly generationFactory: GenerationFactory
  readonly memory: OperationMemory
  readonly streams: OpenStreams
  readonly subscriptions: OpenSubscriptions
  /** Judges requests that ask for WebSockets. */
  readonly sockets: Pick<Sockets, 'refusal' | 'prepare'>
  readonly deadlines: Deadlines
  readonly loads: LoadWatch
  readonly turns: TurnQueue
  readonly ready: HealthCheck
  /** The results of comparing answers with those of flags. */
  readonly shadowResults: ShadowResults
}

type Connections = { readonly origins: Origins; readonly tls: SubgraphTls }

type Version = AsyncDisposable & {
  readonly policies: CallPolicies
  readonly config: RouterConfig
  readonly graphql: GraphQLRoute
  readonly handler: RequestListener
  readonly served: ServedParts
  readonly authentication: Authentication | null
  readonly documents: OpenDocuments
  readonly tls: SubgraphTls
  /** Resolves when the keys of tokens are there, or took too long. */
  readonly keys: Promise<void>
}

/** Disposing ends what is in force, and what requests in flight still have. */
export class SettingsInForce implements AsyncDisposable {
  readonly #lasting: LastingParts
  readonly #connections: KeptPart<ConnectionSettings & TlsSettings, Connections>
  readonly #authentication: ReturnType<typeof keptAuthentication>
  readonly #buckets: ReturnType<typeof keptBuckets>
  readonly #shedding: KeptPart<{ readonly maxDelay: number }, LoadShedding>
  readonly #mutations = new MutationCount()
  readonly #addresses: KeptPart<AddressSettings, Addresses>
  readonly #brokers: ReturnType<typeof keptBrokers>
  /** The versions that have requests, and the one in force. */
  readonly #versions = new Set<Version>()
  #current: Version | null = null
  #isOver = false

  constructor(lasting: LastingParts) {
    const { options, events, loads } = lasting
    this.#lasting = lasting
    this.#connections = new KeptPart(async (settings, parts) => {
      const tls = parts.use(await SubgraphTls.open(settings, events.subgraphTls))
      return { tls, origins: parts.use(new Origins(settings, { loads, tls })) }
    })
    this.#authentication = keptAuthentication(events)
    this.#buckets = keptBuckets(events.rates, options.overrides?.redisTimeout)
    this.#brokers = keptBrokers(options)
    this.#addresses = new KeptPart(() => new Addresses(events.policies.addresses))
    this.#shedding = new KeptPart(({ maxDelay }, parts) =>
      parts.use(new LoadShedding({ maxDelay, watcher: events.shedding })),
    )
  }

  /** Number of versions of the settings that have requests, or are in force. */
  get versions(): number {
    return this.#versions.size
  }

  /** The documents of the manifests in use. */
  get knownDocuments(): readonly ManifestDocument[] {
    return this.#current?.documents.known?.lists.documents ?? []
  }

  /** Answers each request by the settings that are in force when it comes. */
  readonly handler: RequestListener = (request, response) => this.#current?.handler(request, response)

  /** Parts that go by the settings in force; null before `open`. */
  get current(): Pick<Version, 'config' | 'graphql' | 'authentication'> | null {
    return this.#current
  }

  /** To be called once, before `prepare`; the keys of tokens may still be on their way then. */
  async open(config: RouterConfig): Promise<void> {
    this.#serve(await this.#open(config, null))
  }

  /** Resolves when the keys of tokens are there, or took too long. */
  async keys(): Promise<void> {
    await this.#current?.keys
  }

  /**
   * Opens all that settings need, and changes nothing. Throws RouterConfigError, and what opening a part
   * throws. Not to be called again before what it resolved with is put in force or let go.
   */
  async prepare(config: RouterConfig): Promise<PreparedSettings> {
    const version = await this.#open(config, this.#current)
    // Nobody is refused because keys are on their way.
    await version.keys
    return {
      putInForce: () => {
        if (this.#isOver) void this.#end(version)
        else this.#serve(version)
      },
      letGo: () => this.#end(version),
    }
  }

  /** Nothing is awaited here: no two requests disagree about what is in force. */
  #serve(version: Version): void {
    const before = this.#current
    const { generationFactory, limits, memory, serving } = this.#lasting
    const { config } = version
    this.#versions.add(version)
    generationFactory.putInForce(version.served)
    this.#current = version
    limits.change(config)
    memory.changeLimit(config.operationCacheSize)
    serving.generations.settingsChanged()
    if (before !== null) this.#lasting.subscriptions.settingsChanged()
    if (before !== null && !areCheckedAlike(before, version)) this.#lasting.documentChecks.again()
    limits.traffic.changeLimit(config.traffic.maxConcurrentRequests, () => {
      if (before !== null) void this.#end(before)
    })
  }

  /** Looks at once at the files that the settings name, and fetches keys. */
  look(): void {
    void this.#current?.authentication?.refresh()
    this.#current?.tls.look()
    this.#current?.documents.files?.look()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true
    await Promise.all([...this.#versions].map((version) => this.#end(version)))
  }

  async #end(version: Version): Promise<void> {
    this.#versions.delete(version)
    try {
      await version[Symbol.asyncDispose]()
    } catch (error) {
      this.#lasting.events.requests.failures.defect(error)
    }
  }

  /** Compositions are checked again when manifests change by which requests are answered. */
  #followDocuments({ known }: OpenDocuments): void {
    const isFollowed = [...this.#versions].some(({ documents }) => documents.known === known)
    if (known === null || isFollowed) return
    known.onChanged(() => {
      if (this.#current?.documents.known === known) this.#lasting.documentChecks.again()
    })
  }

  async #open(config: RouterConfig, before: Version | null): Promise<Version> {
    const { options, events, serving, generationFactory, ready, limits } = this.#lasting
    await using parts = new AsyncDisposableStack()
    const connect = async () => parts.use(await this.#connections.hold(connectionSettings(config))).part
    const [{ origins, tls }, documents] = await allOpened([
      connect(),
      this.#lasting.documents.open(config, parts),
    ])
    const addresses = parts.use(await this.#addresses.hold(addressSettings(config))).part
    const policies = openPolicies(config.subgraphs, events.policies, before?.policies ?? null)
    const { subgraphs, headers } = config
    const requestIdHeader = config.requestId.header.toLowerCase()
    const ways = { policies, addresses, origins, subgraphs, headers, requestIdHeader }
    const served = new ServedParts(ways, operationRules(config), (generation, rules) =>
      generationFactory.operationsOf(generation, rules),
    )
    parts.use(await generationFactory.serve(served))
    const signedIn =
      config.authentication === null
        ? null
        : parts.use(await this.#authentication.hold(config.authentication))
    const authentication = signedIn?.part ?? null
    const { maxEventLoopDelay: maxDelay } = config.traffic
    const shedding = maxDelay === undefined ? null : parts.use(await this.#shedding.hold({ maxDelay })).part
    this.#followDocuments(documents)
    const { streams, deadlines, loads, turns, sockets } = this.#lasting
    const own = { config, served, shedding, tls, ways, mutations: this.#mutations }
    const shadows = await openShadows({ ...this.#lasting, ...own }, connectionSettings(config), parts)
    const brokers = parts.use(await this.#brokers.hold(config.brokers)).part
    const shared = {
      ...limits,
      subscriptions: await openSubscriptions(this.#lasting, { config, origins, brokers, policies }, parts),
      providers: brokers,
      authentication,
      shedding,
      rates: await openRateLimits(config, this.#buckets, events.rates, parts),
      generations: serving.generations,
      served,
      streams,
      tracing: new Tracing(config.tracing, config.devMode, loads),
      deadlines,
      guards: serving.guards,
      usage: serving.usage,
      events,
      turns,
      mutations: this.#mutations,
      documents: documents.documents,
      waitingFor: () => serving.follower.state.waitingFor,
      shadows,
    }
    const graphql = openRoute({ ...options, config }, shared)
    const handler = createHandler({
      basePath: config.basePath,
      graphql,
      routes: await openOtherRoutes({ ...options, config }, shared),
      ready,
      events: events.refusals,
      refusedUpgrade: (request) => sockets.refusal(request),
    })
    const keys = signedIn?.isNew === true ? signedIn.part.refresh() : Promise.resolve()
    const open = parts.move()
    return {
      policies,
      config,
      graphql,
      handler,
      served,
      authentication,
      documents,
      tls,
      keys,
      [Symbol.asyncDispose]: () => open.disposeAsync(),
    }
  }
}

/** Verifies tokens. What does so is loaded only where they are taken. */
function keptAuthentication({ authentication: events }: RouterEvents) {
  return new KeptPart<AuthenticationConfig, Authentication>(async (config, parts) => {
    const { Authentication } = await import('../concerns/authentication/authentication.ts')
    return parts.use(new Authentication({ config, events }))
  })
}

/** Connects to brokers. */
function keptBrokers({ logger }: RouterOptions) {
  return new KeptPart<BrokersConfig, NatsProviders>((settings, parts) =>
    parts.use(new NatsProviders(settings, logger)),
  )
}

/**
 * Opens what serves subscriptions; null if they are refused. What connects to subgraphs for them is loaded
 * only where they are not.
 */
async function openSubscriptions(
  { subscriptions: open, sockets, events, options: { logger } }: LastingParts,
  {
    config,
    origins,
    brokers: providers,
    policies: { circuits },
  }: {
    readonly config: RouterConfig
    readonly origins: Origins
    readonly policies: Pick<CallPolicies, 'circuits'>
    readonly brokers: NatsProviders
  },
  parts: AsyncDisposableStack,
) {
  const { enabled, upstream, shareBy } = config.subscriptions
  if (!enabled) return null
  await sockets.prepare()
  const fanOut = new FanOut()
  const { SharedUpstreams } = await import('../subscriptions/upstream/sharing/shared-upstreams.ts')
  const { BrokerUpstreams } = await import('../subscriptions/upstream/brokers/broker-upstreams.ts')
  const upstreams = parts.use(new SharedUpstreams({ config: upstream, origins, circuits, logger, fanOut }))
  const brokers = parts.use(new BrokerUpstreams({ config: upstream, providers, logger, fanOut }))
  const completions = new SharedCompletions(fanOut, (error) => events.requests.failures.defect(error))
  return {
    open,
    upstreams,
    brokers,
    completions,
    sentClaims: shareBy === 'decision' ? sentClaims(config.headers) : null,
    metrics: events.subscriptions,
  }
}

/** Whether compositions can answer the same documents by both. */
function areCheckedAlike(before: Version, now: Version): boolean {
  return (
    before.documents.known === now.documents.known &&
    isDeepStrictEqual(operationRules(before.config), operationRules(now.config))
  )
}
