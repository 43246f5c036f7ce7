/**
 * Everything on one machine: registry, composer, config distribution and a router in one process, on a data
 * directory.
 *
 * This only wires. The parts are the same as in a distributed set-up; what lies between them is a SQLite
 * file, a directory and an emitter instead of NATS and Redis.
 */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startComposer } from '@switchyard/composer'
import type { CompositionLimits } from '@switchyard/composer/config'
import { startConfigDistribution, publicJwks } from '@switchyard/config-distribution'
import { openDirectoryConfigStore, STORE_DAMAGED } from '@switchyard/config-store'
import { type GraphName, reasonAgainstRecord, USAGE_DAYS } from '@switchyard/contracts'
import { createMemoryAnnouncer, openSqliteEventLog, Quarantine } from '@switchyard/event-log'
import { type Registry, SessionKeys, startRegistry, type ToldUrls } from '@switchyard/registry'
import type { SignInSettings } from '@switchyard/registry/sign-in-settings'
import {
  loadSettings,
  type RunningRouter,
  startRouter,
  watchedSettings,
  type WatchedSettings,
} from '@switchyard/router'
import { LOCAL_NETWORKS, loadRouterConfig } from '@switchyard/router/config'
import type { RouterConfig, SettingsFile } from '@switchyard/router/config'
import {
  type Environment,
  FleetKey,
  type Listening,
  logEvent,
  NOTICE_FAILED,
  type Logger,
  openPropagation,
  PortUnavailableError,
  systemCodeOf,
} from '@switchyard/service-kit'
import { PortTakenError, RouterConfigUnreadableError } from './errors.ts'
import { leaveAddress } from './address-file.ts'
import { prepareApiKey, prepareSessionKey, prepareSigningKey } from './key-files.ts'
import { OnlyGraph } from './only-graph.ts'
import { RouterAddress } from './router-address.ts'

export { ApiKeyInvalidError, PortTakenError, RouterConfigUnreadableError, StandaloneError } from './errors.ts'

const HOST = '127.0.0.1'
const REGISTRY_PORT = 4100
const ROUTER_PORT = 4000
const TRACE_KEY_FILE = 'trace-keys.json'
/** A log that takes longer is left to itself: the registry answers 503 with the reason meanwhile. */
const READ_WITHIN_MS = 10_000

export type StandaloneOptions = {
  readonly dataDir: string
  readonly logger: Logger
  readonly host?: string
  /** The port of the registry. 0 means any free one. */
  readonly registryPort?: number
  readonly routerPort?: number
  /** The graph to serve. If it is absent, the only federated graph is served, as soon as there is one. */
  readonly graph?: GraphName
  /** The router's YAML settings. */
  readonly routerConfigFile?: string
  /** Wins over the key that the data directory holds. */
  readonly bootstrapApiKey?: string
  /**
   * The file of the private keys that sign trace tokens. Default: `trace-keys.json` in the data directory.
   */
  readonly traceKeyFile?: string
  /** The address of Studio, and the identity provider at which people may sign in. */
  readonly signIn?: SignInSettings
  /** Days that usage is kept; 0 if it is not kept. Default: 30. */
  readonly usageDays?: number
  /** The limits of one composition. */
  readonly composition?: Partial<CompositionLimits>
  /** The variables that hold settings of the router. Its host and port are not taken from them. */
  readonly env?: Environment
  /** Aborting it ends a start that is under way. */
  readonly signal?: AbortSignal
}

export type Standalone = AsyncDisposable & {
  readonly registryUrl: string
  /** The URL for operations, with base path and `/graphql`. */
  readonly routerUrl: string
  readonly apiKeyFile: string
  /** Makes a link that signs a browser in, once and within five minutes. */
  studioLink(): string | null
  /** Looks again at what the router can reload: its settings and their files, and the config store. */
  reload(): void
}

/**
 * Resolves when everything listens and the registry has read its log. Throws what opening the data directory
 * throws (DataDirectoryInUseError when another process has it), PortTakenError, ApiKeyInvalidError,
 * RouterConfigUnreadableError and the errors of the router's settings; whatever had been started is stopped
 * again. Disposing finishes the router's requests first.
 */
export async function startStandalone(options: StandaloneOptions): Promise<Standalone> {
  const file = await readSettingsFile(options)
  // Before anything is opened, so that a mistake ends the start at once.
  routerSettings(options, file, [])
  await using parts = new AsyncDisposableStack()
  const storage = await openStorage(options, parts)
  const address = new RouterAddress()
  const registry = await openRegistry(options, storage, address, parts)
  openComposerAndDistribution(options, storage, registry, parts)
  const settings = routerSettings(options, file, pagesOf(registry.port))
  const graph = options.graph ?? parts.use(followOnlyGraph(options, storage))
  const router = await openRouter(options, settings, storage, graph, parts)
  const routerUrl = `${router.url}${settings.config.basePath}/graphql`
  address.announce(routerUrl, graph)
  await untilRead(registry)
  const running = parts.move()
  return {
    registryUrl: registry.url,
    routerUrl,
    apiKeyFile: storage.apiKey.file,
    studioLink: () => registry.studioLink(),
    reload: () => router.reload(),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

type Storage = Awaited<ReturnType<typeof openStorage>>

/** The log events of this file. */
export const LOGGED = {
  notChosen: logEvent('graph.not-chosen', {
    level: 'error',
    fields: ['err'],
    says: 'the log of compositions cannot be read, so the router does not know which graph to serve',
    advice: 'Look at the data directory',
  }),
  several: logEvent('graph.several', {
    level: 'warn',
    fields: ['graphs'],
    says: 'There is more than one graph, and `up` was started without `--graph`.',
    advice: 'Start it with `--graph`',
  }),
}

/** Opens what all parts share: the data directory with its keys, and the notices between parts. */
async function openStorage(
  { logger, bootstrapApiKey, ...options }: StandaloneOptions,
  parts: AsyncDisposableStack,
) {
  const dataDir = resolve(options.dataDir)
  // First of all, since it makes this process the only one that touches the directory.
  const { log, blobs, pieces, values } = parts.use(await openSqliteEventLog({ dataDir }))
  const apiKey = await prepareApiKey(dataDir, bootstrapApiKey)
  const signingKey = await prepareSigningKey(dataDir)
  const sessionKeys = new SessionKeys([await prepareSessionKey(dataDir)])
  const onCorruption = (path: string, problem: string) =>
    STORE_DAMAGED.write(
      logger,
      { path, problem },
      `the file ${path} of the config store is damaged and counts as missing: ${problem}`,
    )
  const directory = join(dataDir, 'config-store')
  const store = parts.use(await openDirectoryConfigStore({ directory, onCorruption }))
  const onError = (error: unknown, subject: string) =>
    NOTICE_FAILED.writeGrave(
      logger,
      { subject, err: error },
      'a notice could not be handled: the change that it announced is found within seconds',
    )
  const announcer = parts.use(createMemoryAnnouncer({ onError }))
  // Whoever gets into this process needs no key; what counts routers says that these are real.
  const fleetKey = new FleetKey(randomBytes(32))
  const records = new Quarantine({ log, logger, reasonAgainst: reasonAgainstRecord })
  const keys = { apiKey, signingKey, sessionKeys, fleetKey }
  const stores = { log, records: records.log, blobs, pieces, values, store }
  return { dataDir, ...stores, ...keys, announcer }
}

/** Opens the registry and leaves its address in the data directory, where commands of the CLI find it. */
async function openRegistry(
  { logger, host = HOST, registryPort: port = REGISTRY_PORT, graph, signal, ...options }: StandaloneOptions,
  { dataDir, log, blobs, pieces, values, announcer, apiKey, sessionKeys, fleetKey }: Storage,
  publicUrls: ToldUrls,
  parts: AsyncDisposableStack,
): Promise<Registry> {
  const registry = parts.use(
    await startRegistry({
      log,
      blobs,
      pieces,
      announcer,
      host,
      port,
      fleetKey,
      publicUrls,
      logger: logger.child({ part: 'registry' }),
      bootstrapApiKey: apiKey.key,
      sessions: { ...options.signIn, keys: sessionKeys, links: true },
      usage: { values, days: options.usageDays ?? USAGE_DAYS.default },
      traceKeys: { file: resolve(options.traceKeyFile ?? join(dataDir, TRACE_KEY_FILE)), createFirst: true },
      ...(graph === undefined ? { severalGraphs: warningOfSeveralGraphs(logger) } : {}),
      ...(signal === undefined ? {} : { signal }),
    }).catch(cannotListen({ what: 'registry', host, port, option: '--registry-port' })),
  )
  parts.use(await leaveAddress(dataDir, registry.url))
  return registry
}

/** The composer and config distribution, which have no port. */
function openComposerAndDistribution(
  { logger, composition }: StandaloneOptions,
  { records: log, blobs, pieces, store, announcer, apiKey, signingKey, fleetKey }: Storage,
  registry: Registry,
  parts: AsyncDisposableStack,
): void {
  const common = { log, blobs, pieces, announcer }
  const ownLogger = (part: string) => logger.child({ part })
  parts.use(startComposer({ ...composition, ...common, logger: ownLogger('composer'), instance: 'composer' }))
  // Log and store are in one directory: there is nobody who could write the one and not the other.
  const signing = { store, signingKey, signsHeads: false, fleetKey }
  const managementApi = { url: registry.url, apiKey: apiKey.key }
  parts.use(
    startConfigDistribution({
      ...common,
      ...signing,
      managementApi,
      logger: ownLogger('config-distribution'),
    }),
  )
}

function followOnlyGraph({ logger }: StandaloneOptions, { records }: Storage): OnlyGraph {
  return new OnlyGraph(records, (error) => LOGGED.notChosen.write(logger, { err: error }))
}

/** Serves the graph that was named, or else the only one that there is. */
async function openRouter(
  { logger, host = HOST, routerPort: port = ROUTER_PORT, env = {} }: StandaloneOptions,
  { config, watched }: RouterSettings,
  { dataDir, store, announcer, signingKey, fleetKey }: Storage,
  graph: GraphName | OnlyGraph,
  parts: AsyncDisposableStack,
): Promise<RunningRouter> {
  const lastKnownGoodDirectory = join(dataDir, 'last-known-good')
  const keys = publicJwks(signingKey)
  return parts.use(
    await startRouter({
      config,
      ...(watched === null ? {} : { settings: watched }),
      source: { kind: 'config-store', store, keys, graph, trusted: true, lastKnownGoodDirectory },
      announcer,
      fleetKey,
      logger: logger.child({ part: 'router' }),
      propagation: await openPropagation(env, logger),
      instance: 'router',
    }).catch(cannotListen({ what: 'router', host, port, option: '--router-port' })),
  )
}

/**
 * Waits until the registry has read its log, so that it can answer as soon as its address is announced. It
 * gives up after a while, since a registry that cannot read its log says so itself, with 503.
 */
async function untilRead(registry: Registry): Promise<void> {
  const deadline = performance.now() + READ_WITHIN_MS
  while (!registry.ready().ok && performance.now() < deadline) await sleep(5)
}

/** The router's settings. `watched` is null if there is no settings file. */
type RouterSettings = { readonly config: RouterConfig; readonly watched: WatchedSettings | null }

/** Reads the router's settings file. Returns null if there is none. */
async function readSettingsFile({ routerConfigFile: path }: StandaloneOptions): Promise<SettingsFile | null> {
  if (path === undefined) return null
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new RouterConfigUnreadableError(path, error)
  })
  return { path, text }
}

/** Makes the router's settings. Pages of `ownOrigins` may call it, whatever the settings say. */
function routerSettings(
  { env, host = HOST, routerPort: port = ROUTER_PORT }: StandaloneOptions,
  file: SettingsFile | null,
  ownOrigins: readonly string[],
): RouterSettings {
  // The services here use no NATS that a provider of events could share with them.
  const own = { SWITCHYARD_HOST: host, SWITCHYARD_PORT: String(port), SWITCHYARD_NATS_URL: undefined }
  const listening = { ...env, ...own }
  // Who may publish here works on this machine, and so do the subgraphs.
  const local = { env: listening, defaultNetworks: LOCAL_NETWORKS, ownOrigins }
  if (file === null) return { config: loadRouterConfig(local), watched: null }
  const loaded = loadSettings({ ...local, file })
  return { config: loaded.config, watched: watchedSettings(local, file, loaded) }
}

/** Returns the origins of Studio, which takes sessions at these names alone. */
function pagesOf(port: number): readonly string[] {
  return ['localhost', '127.0.0.1', '[::1]'].map((host) => `http://${host}:${port}`)
}

/** The router chose its graph when there was one, and will not be able to choose again. */
function warningOfSeveralGraphs(logger: Logger): (graphs: readonly GraphName[]) => string {
  return (graphs) => {
    const names = graphs.map(({ namespace, graph }) => `${namespace}/${graph}`).join(', ')
    // From the third on the reader has been told what it means.
    const warning =
      graphs.length === 2
        ? `There are two federated graphs now (${names}), and "switchyard up" was started without --graph: ` +
          'its router keeps the graph that it serves until it stops, and after the next start it serves none. Start it with --graph <namespace>/<name> from then on.'
        : `There are ${graphs.length} federated graphs now: unless "switchyard up" is started with --graph <namespace>/<name> next time, its router serves none of them then.`
    LOGGED.several.write(logger, { graphs: names }, warning)
    return warning
  }
}

/** Returns a handler that turns errors about a port into errors that name the options of `up`. */
function cannotListen({
  what,
  host,
  port,
  option,
}: Omit<Listening, 'settings'> & { readonly option: string }): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof PortUnavailableError)) throw error
    if (systemCodeOf(error) === 'EADDRINUSE') throw new PortTakenError(what, port, option, error.cause)
    throw new PortUnavailableError(
      { what, host, port, settings: { port: option, address: '--host' } },
      error.cause,
    )
  }
}
