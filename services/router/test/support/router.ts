/** Routers as tests use them: on a free port, with short times, and everything they log at hand. */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { createLogger, type FleetKey, type Propagation } from '@switchyard/service-kit'
import { LOCAL_NETWORKS, loadRouterConfig, type RouterConfig } from '../../src/config/router-config.ts'
import {
  Compiler,
  type RouterOptions,
  type RouterSource,
  type RunningRouter,
  startRouter,
} from '../../src/startup/start-router.ts'
import { type ConfigWorld, GRAPH } from './config-world.ts'

/** One for all routers of a test file: starting a thread for each would take most of the run. */
const sharedCompiler = new Compiler()

export type TestRouter = RunningRouter & { readonly logs: LogLine[]; readonly graphqlUrl: string }
export type LogLine = Readonly<Record<string, unknown>> & { readonly event?: string; readonly msg?: string }

export type TestRouterOptions = {
  readonly settings?: string
  readonly change?: (config: RouterConfig) => RouterConfig
  readonly source?: Partial<Extract<RouterSource, { kind: 'config-store' }>>
  readonly instance?: string
  readonly overrides?: NonNullable<RouterOptions['overrides']>
  readonly propagation?: Propagation
  readonly fleetKey?: FleetKey
  /** Its creator disposes it. By default, routers of a test file share one. */
  readonly compiler?: Compiler
}

/** A router on the config store of `world`, with a last-known-good copy. */
export function routerOn(world: ConfigWorld, options: TestRouterOptions = {}): Promise<TestRouter> {
  return start(
    {
      kind: 'config-store',
      store: world.store,
      keys: world.keys,
      graph: GRAPH,
      lastKnownGoodDirectory: world.copies,
      ...options.source,
    },
    options,
    world,
  )
}

export async function start(
  source: RouterSource,
  {
    settings = '',
    change = (config) => config,
    instance = 'r1',
    overrides = {},
    propagation,
    fleetKey,
    compiler = sharedCompiler,
  }: TestRouterOptions = {},
  world: ConfigWorld | null = null,
): Promise<TestRouter> {
  const logs: LogLine[] = []
  const logger = createLogger({
    name: 'router',
    to: { write: (line: string) => void logs.push(JSON.parse(line)) },
  })
  const config = loadRouterConfig({
    file: { path: 'router.yaml', text: settings },
    defaultNetworks: LOCAL_NETWORKS,
  })
  const router = await startRouter({
    config: change({
      ...config,
      host: '127.0.0.1',
      port: 0,
      pollInterval: Math.min(config.pollInterval, 300),
    }),
    source,
    logger,
    instance,
    compiler,
    overrides,
    ...(propagation === undefined ? {} : { propagation }),
    ...(fleetKey === undefined ? {} : { fleetKey }),
    ...(world === null ? {} : { announcer: world.announcer }),
  })
  return Object.assign(router, { logs, graphqlUrl: `${router.url}${config.basePath}/graphql` })
}

export type Reply = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // biome-ignore format: one line reads better
  readonly json: { data?: Record<string, unknown> | null; errors?: { message: string; path?: unknown; extensions: Record<string, unknown> }[]; status?: string; reason?: string; warning?: string }
}

/** `node:http` and not `fetch`: it sends the headers it is given and no others. */
export function send(
  url: string,
  options: { method?: string; headers?: Record<string, string | string[]>; body?: string | Buffer } = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      url,
      { method: options.method ?? 'GET', headers: options.headers ?? {} },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => (text += chunk))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            json: text.startsWith('{') ? JSON.parse(text) : {},
          }),
        )
        response.on('error', reject)
      },
    )
    outgoing.on('error', reject)
    outgoing.end(options.body)
  })
}

export function post(
  router: { readonly graphqlUrl: string },
  body: Readonly<Record<string, unknown>> | string,
  headers: Record<string, string | string[]> = {},
): Promise<Reply> {
  return send(router.graphqlUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

/** Waits until `condition` gives something other than false, null or undefined. */
export async function until<Result>(
  condition: () => Promise<Result> | Result,
  what: string,
  withinMs = 120_000,
): Promise<NonNullable<Result>> {
  const deadline = Date.now() + withinMs
  for (;;) {
    const result = await condition()
    if (result !== false && result !== null && result !== undefined) return result
    if (Date.now() > deadline) throw new Error(`This did not happen in time: ${what}`)
    await new Promise((resolve) => {
      setTimeout(resolve, 20)
    })
  }
}
