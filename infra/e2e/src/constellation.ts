/**
 * A running Switchyard as a user would run it: real processes, talked to over HTTP and through the
 * command-line tool only. `startEmbedded` is `switchyard up`; `startDistributed` is one process per service
 * on real NATS and Redis.
 */
import { createSigningKey, publicJwks, saveSigningKey } from '@switchyard/config-distribution'
import {
  freePorts,
  type SpawnedServer,
  startNatsServer,
  startRedisServer,
  waitFor,
} from '@switchyard/testkit'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Finished, Program, type ServiceProgram } from '@switchyard/lab'
import { runCommand } from './command-line.ts'

export interface Constellation extends AsyncDisposable {
  readonly kind: 'embedded' | 'distributed'
  readonly graph: string
  readonly registryUrls: readonly string[]
  readonly routerUrls: readonly string[]
  readonly apiKey: string
  /** A folder of this constellation's own: data, schema files. */
  readonly folder: string
  readonly programs: ReadonlyMap<string, ServiceProgram>
  /** Runs a command of the command-line tool in this process. */
  cli(...args: string[]): Promise<Finished>
  /** A management call; `registry` picks the instance. */
  manage(method: string, path: string, body?: unknown, options?: ManageOptions): Promise<ManageReply>
  /** Returns the last `characters` of every program's output, for the message of a failed test. */
  report(characters?: number): string
}

export type ManageOptions = {
  readonly registry?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}
export type ManageReply = { readonly status: number; readonly body: Readonly<Record<string, unknown>> }

export const API_KEY = `swy_e2e_${'0'.repeat(64)}`
export const GRAPH = 'shop'

export type StartOptions = {
  /** YAML. */
  readonly routerSettings?: string
  /** The variables of every program besides those it needs. */
  readonly environment?: Readonly<Record<string, string>>
}

export async function startEmbedded({
  routerSettings = '',
  environment = {},
}: StartOptions = {}): Promise<Constellation> {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-e2e-'))
  const settings = join(folder, 'router.yaml')
  await writeFile(settings, routerSettings)
  const [registryPort = 0, routerPort = 0] = await freePorts(2)
  const dataDir = join(folder, 'data')
  const up = new Program(
    'up',
    'services/cli/src/main.ts',
    [
      'up',
      '--data-dir',
      dataDir,
      '--registry-port',
      String(registryPort),
      '--router-port',
      String(routerPort),
      '--graph',
      `default/${GRAPH}`,
      '--config',
      settings,
    ],
    { ...environment, SWITCHYARD_BOOTSTRAP_API_KEY: API_KEY },
  )
  return assemble({
    kind: 'embedded',
    folder,
    programs: [up],
    registryUrls: [`http://127.0.0.1:${registryPort}`],
    routerUrls: [`http://127.0.0.1:${routerPort}`],
    stopOthers: async () => {},
  })
}

/**
 * The options of one program that others do not get. Programs have names such as `registry-0`, `composer-1`,
 * `config-distribution` and `router-0`.
 */
export type ProgramOptions = {
  readonly natsUrl?: string
  readonly redisUrl?: string
  readonly environment?: Readonly<Record<string, string>>
  /** See Program. */
  readonly launcher?: readonly string[]
}

export type Run = (service: {
  readonly name: string
  /** `registry`, `composer`, `config-distribution` or `router`. */
  readonly service: string
  readonly environment: Readonly<Record<string, string>>
  /** The folder of the constellation, with the files that the environment names. */
  readonly folder: string
  readonly launcher?: readonly string[]
}) => Promise<ServiceProgram>

const spawnService: Run = async ({ name, service, environment, launcher }) =>
  new Program(name, `services/${service}/src/main.ts`, [], environment, launcher)

export async function startDistributed(
  servers: StartOptions & {
    readonly natsUrl: string
    readonly redisUrl: string
    readonly registries?: number
    readonly optionsOf?: (program: string) => ProgramOptions
    /** Starts a service. By default it becomes a process. */
    readonly run?: Run
    readonly stopOthers?: () => Promise<void>
  },
): Promise<Constellation> {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-e2e-'))
  const settings = join(folder, 'router.yaml')
  await writeFile(settings, servers.routerSettings ?? '')
  const registryCount = servers.registries ?? 1
  const ports = [...(await freePorts(registryCount + 5))]
  const port = (): string => String(ports.shift())
  const signingKey = join(folder, 'signing-key.json')
  const configKeys = join(folder, 'config-keys.json')
  const key = await createSigningKey()
  await saveSigningKey(signingKey, key)
  await writeFile(configKeys, JSON.stringify(publicJwks(key)))

  const run = servers.run ?? spawnService
  const starting: Promise<ServiceProgram>[] = []
  const add = (name: string, service: string, environment: Readonly<Record<string, string>>): void => {
    const own = servers.optionsOf?.(name) ?? {}
    const readsRedis = service === 'config-distribution' || service === 'router'
    const complete = {
      ...servers.environment,
      SWITCHYARD_NATS_URL: own.natsUrl ?? servers.natsUrl,
      SWITCHYARD_HOST: '127.0.0.1',
      ...(service === 'composer' ? {} : { SWITCHYARD_FLEET_KEY: 'f'.repeat(32) }),
      ...(readsRedis ? { SWITCHYARD_REDIS_URL: own.redisUrl ?? servers.redisUrl } : {}),
      ...environment,
      ...own.environment,
    }
    const { launcher } = own
    const how = launcher === undefined ? {} : { launcher }
    starting.push(run({ name, service, environment: complete, folder, ...how }))
  }
  const registryUrls: string[] = []
  const routerUrls: string[] = []
  for (let index = 0; index < registryCount; index++) {
    const own = port()
    registryUrls.push(`http://127.0.0.1:${own}`)
    add(`registry-${index}`, 'registry', {
      SWITCHYARD_PORT: own,
      SWITCHYARD_BOOTSTRAP_API_KEY: API_KEY,
    })
  }
  for (const index of [0, 1]) add(`composer-${index}`, 'composer', { SWITCHYARD_PORT: port() })
  add('config-distribution', 'config-distribution', {
    SWITCHYARD_PORT: port(),
    SWITCHYARD_SIGNING_KEY_FILE: signingKey,
    SWITCHYARD_REGISTRY_URL: registryUrls[0] ?? '',
    SWITCHYARD_ROLLOUT_API_KEY: API_KEY,
  })
  for (const index of [0, 1]) {
    const own = port()
    routerUrls.push(`http://127.0.0.1:${own}`)
    add(`router-${index}`, 'router', {
      SWITCHYARD_PORT: own,
      SWITCHYARD_GRAPH: `default/${GRAPH}`,
      SWITCHYARD_CONFIG: settings,
      SWITCHYARD_CONFIG_KEYS: configKeys,
      SWITCHYARD_LAST_KNOWN_GOOD_DIR: join(folder, `last-known-good-${index}`),
      // Where the subgraphs of tests are, which a router on a config store does not call unless it is told
      // so.
      SUBGRAPHS_ALLOWED_NETWORKS: 'loopback',
    })
  }
  return assemble({
    kind: 'distributed',
    folder,
    programs: await Promise.all(starting),
    registryUrls,
    routerUrls,
    stopOthers: servers.stopOthers ?? (async () => {}),
  })
}

async function assemble(parts: {
  readonly kind: Constellation['kind']
  readonly folder: string
  readonly programs: readonly ServiceProgram[]
  readonly registryUrls: readonly string[]
  readonly routerUrls: readonly string[]
  readonly stopOthers: () => Promise<void>
}): Promise<Constellation> {
  const programs = new Map(parts.programs.map((program) => [program.name, program]))
  const constellation: Constellation = {
    kind: parts.kind,
    graph: GRAPH,
    registryUrls: parts.registryUrls,
    routerUrls: parts.routerUrls,
    apiKey: API_KEY,
    folder: parts.folder,
    programs,
    cli: (...args) =>
      runCommand(
        args,
        { SWITCHYARD_REGISTRY_URL: parts.registryUrls[0] ?? '', SWITCHYARD_API_KEY: API_KEY },
        parts.folder,
      ),
    async manage(method, path, body, options = {}) {
      const response = await fetch(`${parts.registryUrls[options.registry ?? 0]}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${API_KEY}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...options.headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      })
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    },
    report: (characters = 4000) =>
      parts.programs.map((program) => `--- ${program.name}\n${program.output.slice(-characters)}`).join('\n'),
    async [Symbol.asyncDispose]() {
      await Promise.all(parts.programs.map((program) => program.stop()))
      await parts.stopOthers()
      await rm(parts.folder, { recursive: true, force: true })
    },
  }
  try {
    await Promise.all(parts.registryUrls.map((url) => waitForReady(constellation, url)))
  } catch (error) {
    const report = constellation.report()
    await constellation[Symbol.asyncDispose]()
    throw new Error(`The constellation did not come up.\n${report}`, { cause: error })
  }
  return constellation
}

export async function waitForReady(constellation: Constellation, url: string): Promise<void> {
  await waitFor(
    `${url} to be ready`,
    async () => {
      const dead = [...constellation.programs.values()].find((program) => !program.running)
      if (dead !== undefined) throw new Error(`${dead.name} ended:\n${dead.output}`)
      const response = await fetch(`${url}/health/ready`)
      if (response.status !== 200) throw new Error(`${await response.text()}\n${constellation.report()}`)
      return true
    },
    { withinMs: 120_000, everyMs: 50 },
  )
}

export type OnRealServers = Constellation & { readonly nats: SpawnedServer; readonly redis: SpawnedServer }

/** Calls `startDistributed` with a NATS and a Redis server of its own. */
export async function startOnRealServers(
  options: StartOptions & {
    readonly registries?: number
    readonly optionsOf?: (program: string) => ProgramOptions
  } = {},
): Promise<OnRealServers> {
  const nats = await startNatsServer()
  const redis = await startRedisServer()
  const stopServers = async (): Promise<void> => {
    await nats[Symbol.asyncDispose]()
    await redis[Symbol.asyncDispose]()
  }
  try {
    const constellation = await startDistributed({
      natsUrl: nats.url,
      redisUrl: redis.url,
      ...options,
    })
    return {
      ...constellation,
      nats,
      redis,
      async [Symbol.asyncDispose]() {
        await constellation[Symbol.asyncDispose]()
        await stopServers()
      },
    }
  } catch (error) {
    await stopServers()
    throw error
  }
}
