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
import { openDirectoryConfigStore } from '@switchyard/config-store'
import { type GraphName, reasonAgainstRecord } from '@switchyard/contracts'
import { createMemoryAnnouncer, openSqliteEventLog, Quarantine } from '@switchyard/event-log'
import { type Registry, startRegistry } from '@switchyard/registry'
import { startRouter } from '@switchyard/router'
import { LOCAL_NETWORKS, loadRouterConfig } from '@switchyard/router/config'
import type { RouterConfig } from '@switchyard/router/config'
import {
  FleetKey,
  type Listening,
  openPropagation,
  PortUnavailableError,
  systemCodeOf,
} from '@switchyard/service-kit'
import type { Environment, Logger } from '@switchyard/service-kit'
import { PortTakenError, RouterConfigUnreadableError } from './errors.ts'
import { leaveAddress } from './address-file.ts'
import { prepareApiKey, prepareSigningKey } from './key-files.ts'
import { OnlyGraph } from './only-graph.ts'

export { ApiKeyInvalidError, PortTakenError, RouterConfigUnreadableError, StandaloneError } from './errors.ts'

const TRACE_KEY_FILE = 'trace-keys.json'
/** A log that takes longer is left to itself: the registry answers 503 with the reason meanwhile. */
const READ_WITHIN_MS = 10_000

export type StandaloneOptions = {
  readonly dataDir: string
  readonly logger: Logger
  readonly host?: string
  /** 0: any free one. */
  readonly registryPort?: number
  readonly routerPort?: number
  /** Absent: the only federated graph, as soon as there is one. */
  readonly graph?: GraphName
  /** The router's YAML settings. */
  readonly routerConfigFile?: string
  /** Wins over the key that the data directory holds. */
  readonly bootstrapApiKey?: string
  /** Private keys that sign trace tokens; absent: `trace-keys.json` in the data directory. */
  readonly traceKeyFile?: string
  /** What one composition may take. */
  readonly composition?: Partial<CompositionLimits>
  /** Where the router's settings are read from; host and port are not taken from it. */
  readonly env?: Environment
  /** Aborting it ends a start that is under way. */
  readonly signal?: AbortSignal
}

export type Standalone = AsyncDisposable & {
  readonly registryUrl: string
  /** Where operations are posted, with base path and `/graphql`. */
  readonly routerUrl: string
  readonly apiKeyFile: string
  /** Looks again at what the router can reload: its certificate, and the config store. */
  reload(): void
}

/**
 * Resolves when everything listens and the registry has read its log. Throws what opening the data directory
 * throws (DataDirectoryInUseError when another process has it), PortTakenError, ApiKeyInvalidError,
 * RouterConfigUnreadableError and the errors of the router's settings; whatever had been started is stopped
 * again. Disposing finishes the router's requests first.
 */
export async function startStandalone(options: StandaloneOptions): Promise<Standalone> {
  const { logger, host = '127.0.0.1', registryPort = 4100, routerPort = 4000 } = options
  const dataDir = resolve(options.dataDir)
  const routerConfig = await readRouterConfig(options, host, routerPort)

  await using parts = new AsyncDisposableStack()
  // First of all, since it makes this process the only one that touches the directory.
  const { log, blobs } = parts.use(await openSqliteEventLog({ dataDir }))
  const apiKey = await prepareApiKey(dataDir, options.bootstrapApiKey)
  const signingKey = await prepareSigningKey(dataDir)
  const store = parts.use(
    await openDirectoryConfigStore({
      directory: join(dataDir, 'config-store'),
      onCorruption: (path, problem) =>
        logger.warn({ event: 'store.damaged', path, problem }, `${path} counts as missing: ${problem}`),
    }),
  )
  const announcer = parts.use(
    createMemoryAnnouncer({
      onError: (error, subject) =>
        logger.error({ event: 'notice.failed', subject, err: error }, 'a notice could not be handled'),
    }),
  )
  // Whoever gets into this process needs no key; what counts routers says that these are real.
  const fleetKey = new FleetKey(randomBytes(32))
  const part = (name: string) => logger.child({ part: name })
  const records = new Quarantine({ log, logger, reasonAgainst: reasonAgainstRecord })

  const registry = parts.use(
    await startRegistry({
      log,
      blobs,
      announcer,
      host,
      logger: part('registry'),
      port: registryPort,
      bootstrapApiKey: apiKey.key,
      fleetKey,
      traceKeys: { file: resolve(options.traceKeyFile ?? join(dataDir, TRACE_KEY_FILE)), createFirst: true },
      ...(options.graph === undefined ? { severalGraphs: warningOfSeveralGraphs(logger) } : {}),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    }).catch(cannotListen({ what: 'registry', host, port: registryPort, option: '--registry-port' })),
  )
  parts.use(await leaveAddress(dataDir, registry.url))
  parts.use(
    startComposer({
      ...options.composition,
      log: records.log,
      blobs,
      announcer,
      logger: part('composer'),
      instance: 'composer',
    }),
  )
  parts.use(
    startConfigDistribution({
      log: records.log,
      blobs,
      store,
      announcer,
      signingKey,
      logger: part('config-distribution'),
      // Log and store are in one directory: there is nobody who could write the one and not the other.
      signsHeads: false,
      fleetKey,
    }),
  )
  const graph =
    options.graph ??
    parts.use(
      new OnlyGraph(records.log, (error) =>
        logger.error({ event: 'graph.not-chosen', err: error }, 'the compositions log cannot be read'),
      ),
    )
  const router = parts.use(
    await startRouter({
      config: routerConfig,
      source: {
        kind: 'config-store',
        store,
        keys: publicJwks(signingKey),
        graph,
        trusted: true,
        lastKnownGoodDirectory: join(dataDir, 'last-known-good'),
      },
      announcer,
      fleetKey,
      logger: part('router'),
      propagation: await openPropagation(options.env ?? {}, logger),
      instance: 'router',
    }).catch(cannotListen({ what: 'router', host, port: routerPort, option: '--router-port' })),
  )
  await untilRead(registry)
  const running = parts.move()
  return {
    registryUrl: registry.url,
    routerUrl: `${router.url}${routerConfig.basePath}/graphql`,
    apiKeyFile: apiKey.file,
    reload: () => router.reload(),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/**
 * Whoever is told the addresses may ask at once. A log that cannot be read is told by the registry itself,
 * with 503.
 */
async function untilRead(registry: Registry): Promise<void> {
  const deadline = performance.now() + READ_WITHIN_MS
  while (!registry.ready().ok && performance.now() < deadline) await sleep(5)
}

/** Read before anything is opened: a typing mistake in the settings costs nothing then. */
async function readRouterConfig(
  { routerConfigFile: path, env }: StandaloneOptions,
  host: string,
  port: number,
): Promise<RouterConfig> {
  const listening = { ...env, SWITCHYARD_HOST: host, SWITCHYARD_PORT: String(port) }
  // Who may publish here works on this machine, and so do the subgraphs.
  const local = { env: listening, defaultNetworks: LOCAL_NETWORKS }
  if (path === undefined) return loadRouterConfig(local)
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new RouterConfigUnreadableError(path, error)
  })
  return loadRouterConfig({ ...local, file: { path, text } })
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
    logger.warn({ event: 'graph.several', graphs: names }, warning)
    return warning
  }
}

/** What was thrown because of a port, in terms of the options of `up`. */
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
