/**
 * The whole demo in one object: subgraphs, `switchyard up`, and a graph set up by nothing but the command
 * line.
 *
 * Whatever was started is stopped when a later step fails.
 */
import { createServer } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DemoError, PORT_NAMES, portVariable } from './settings.ts'
import type { DemoSettings, PortName } from './settings.ts'
import { DEMO_SERVERS, FEATURE_SUBGRAPH, startSubgraph, SUBGRAPHS } from './subgraphs.ts'
import type { DemoServer, DemoServerName } from './subgraphs.ts'
import { runCommand, startUp } from './switchyard-command.ts'
import type { CommandEnvironment, Up } from './switchyard-command.ts'

export const GRAPH = 'shop'
export const FLAG = 'new-pricing'
/** Chosen by hand, so that it is known on which side of the rollout each user is. */
const ROLLOUT_SALT = 'new-pricing-demo'
/** A user who gets the flag of the rollout, and one who does not until its percentage is raised. */
export const USERS = { inside: 'eve', outside: 'ben' } as const
export const LABEL = 'team=shop'

const SETTINGS_FILE = fileURLToPath(new URL('../router.yaml', import.meta.url))

export type Shop = AsyncDisposable & {
  readonly routerUrl: string
  /** Makes a link that signs a browser in to Studio, once and within five minutes. */
  readonly studioLink: () => Promise<string>
  /** Resolves when `up` ends. */
  readonly ended: Promise<number>
}

export type ShopOptions = {
  readonly settings: DemoSettings
  readonly dataDir: string
  readonly env: CommandEnvironment
  readonly say: (line: string) => void
  readonly signal: AbortSignal
}

export async function openShop({ settings, dataDir, env, say, signal }: ShopOptions): Promise<Shop> {
  await using started = new AsyncDisposableStack()
  const { host, ports } = settings

  const servers = new Map<DemoServerName, DemoServer>()
  for (const name of DEMO_SERVERS) {
    const server = started.use(await startSubgraphAt(name, host, ports[name]))
    servers.set(name, server)
    say(`subgraph ${name.padEnd(14)} ${server.url}`)
  }
  const clean = withoutSettings(env)
  const up = started.use(
    await startUpAt(settings, {
      dataDir,
      env: { ...clean, ENGINE_ENABLE_DEFER: 'true', DEV_MODE: 'true' },
      signal,
    }),
  )
  say(`registry                ${up.registryUrl}`)
  say(`router                  ${up.routerUrl}`)
  const registryEnv = { ...clean, SWITCHYARD_REGISTRY_URL: up.registryUrl }
  await setUpGraph(servers, { dataDir, env: registryEnv, say, signal })
  const keep = started.move()
  return {
    routerUrl: up.routerUrl,
    studioLink: () => runCommand(['studio', '--data-dir', dataDir], registryEnv, signal),
    ended: up.ended,
    [Symbol.asyncDispose]: () => keep.disposeAsync(),
  }
}

/** Removes settings of the person who started the demo, since it has ports, graph and keys of its own. */
function withoutSettings(env: CommandEnvironment): CommandEnvironment {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(?:SWITCHYARD_|INIT_CWD$|npm_lifecycle_event$)/.test(name)),
  )
}

/** Everything here could be typed by hand; that is the point. */
async function setUpGraph(
  servers: ReadonlyMap<DemoServerName, DemoServer>,
  { dataDir, env, say, signal }: Omit<ShopOptions, 'settings'>,
): Promise<void> {
  const run = async (...args: readonly string[]) => {
    const output = await runCommand([...args, '--data-dir', dataDir], env, signal)
    say(`$ switchyard ${args.join(' ')}`)
    for (const line of output.split('\n')) say(`    ${line}`)
  }
  const server = (name: DemoServerName): DemoServer => {
    const found = servers.get(name)
    if (found === undefined) throw new DemoError(`The subgraph ${name} was not started.`)
    return found
  }
  await run('federated-graph', 'create', GRAPH, '--label-matcher', LABEL)
  await Promise.all(
    SUBGRAPHS.map((name) =>
      run('subgraph', 'create', name, '--routing-url', server(name).url, '--label', LABEL),
    ),
  )
  // Without waiting, so that no composition lacks a subgraph that is about to come; the last one waits for
  // all.
  const [last = 'accounts', ...others] = [...SUBGRAPHS].reverse()
  await Promise.all(
    others.map((name) => run('subgraph', 'publish', name, '--schema', server(name).schemaFile, '--no-wait')),
  )
  await run('subgraph', 'publish', last, '--schema', server(last).schemaFile)
  const next = server(FEATURE_SUBGRAPH)
  await run('feature-subgraph', 'create', next.name, '--subgraph', 'products', '--routing-url', next.url)
  await run('subgraph', 'publish', next.name, '--schema', next.schemaFile)
  await run('feature-flag', 'create', FLAG, '--label', LABEL, '--feature-subgraphs', next.name, '--enabled')
  const half = ['--percent', '50', '--key', 'header:X-User', '--salt', ROLLOUT_SALT]
  await run('rollout', 'create', FLAG, '--graph', GRAPH, ...half)
}

function startUpAt(
  { host, ports }: DemoSettings,
  { dataDir, env, signal }: Pick<ShopOptions, 'dataDir' | 'env' | 'signal'>,
): Promise<Up> {
  const where = ['--router-port', String(ports.router), '--registry-port', String(ports.registry)]
  const args = ['--data-dir', dataDir, '--host', host, '--config', SETTINGS_FILE, ...where]
  return startUp(args, { env, logFile: join(dataDir, 'up.log'), signal })
}

async function startSubgraphAt(name: DemoServerName, host: string, port: number): Promise<DemoServer> {
  try {
    return await startSubgraph(name, host, port)
  } catch (error) {
    if (isAddressInUse(error)) throw portTaken(name, port)
    throw error
  }
}

/** Asked before anything is touched: a demo that runs already keeps its ports and its data. */
export async function refuseTakenPorts({ host, ports }: DemoSettings): Promise<void> {
  for (const name of PORT_NAMES) await refuseTakenPort(name, host, ports[name])
}

async function refuseTakenPort(name: PortName, host: string, port: number): Promise<void> {
  const probe = createServer()
  try {
    probe.listen(port, host)
    await once(probe, 'listening')
  } catch (error) {
    if (isAddressInUse(error)) throw portTaken(name, port)
    throw error
  }
  probe.close()
  await once(probe, 'close')
}

function isAddressInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
}

function portTaken(name: PortName, port: number): DemoError {
  const what = name === 'router' || name === 'registry' ? `the ${name}` : `the subgraph ${name}`
  return new DemoError(
    `Port ${port}, where ${what} would listen, is taken. Stop what listens there, or move the demo: ${portVariable(name)}=<port> (0 = any free one).`,
  )
}
