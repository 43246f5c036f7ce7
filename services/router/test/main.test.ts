import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, isLongRun } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { messageOf } from '@switchyard/values'
import { chooseSource } from '../src/startup/open-source.ts'
import { readStart } from '../src/startup/read-start.ts'
import { ConfigWorld } from './support/config-world.ts'
import { type LogLine, post, routerOn, send, start, until } from './support/router.ts'
import { listeningAt, runRouterMain } from './support/router-main.ts'
import { type Shop, startShop } from './support/shop.ts'
import { listenOnFreePort } from './support/subgraph.ts'

const stack = new AsyncDisposableStack()
let shop: Shop
let directory: string

beforeAll(async () => {
  shop = stack.use(await startShop())
  directory = await mkdtemp(join(tmpdir(), 'switchyard-router-main-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
})
afterAll(() => stack.disposeAsync())

/** Names of operations that a client makes up. */
const MADE_UP = isLongRun() ? 100 : 20

/** What a router process reads before it starts anything. */
async function opened(env: Record<string, string>): Promise<void> {
  await readStart(env, env)
  await chooseSource(env)
}

const run = (env: Record<string, string>, words?: readonly string[]) => runRouterMain(env, directory, words)

/** On an execution config without flags. */
async function servingWith(settings: string, env: Record<string, string> = {}, words?: readonly string[]) {
  const [config, file] = ['served.json', 'served.yaml'].map((name) => join(directory, name))
  const text = JSON.stringify({ formatVersion: 1, base: shop.base.artifact, featureFlags: {} })
  await writeFile(config ?? '', text)
  await writeFile(file ?? '', `host: 127.0.0.1\n${settings}\n`)
  const running = run(
    {
      SWITCHYARD_EXECUTION_CONFIG: config ?? '',
      SWITCHYARD_CONFIG: file ?? '',
      SWITCHYARD_PORT: '0',
      ...env,
    },
    words,
  )
  const graphqlUrl = await listeningAt(running)
  return { ...running, graphqlUrl, url: graphqlUrl.replace(/\/graphql$/, '') }
}

/** Those that are JSON. */
function lines(text: string): LogLine[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line): LogLine => JSON.parse(line))
}

/** As a service, while its config store is away: it serves the copy that another router kept. */
async function onConfigStore(world: ConfigWorld, env: Record<string, string>) {
  await world.publish({ revision: 1, base: shop.base })
  const first = await routerOn(world)
  await first.ready
  await first[Symbol.asyncDispose]()
  const keys = join(directory, 'keys.json')
  await writeFile(keys, JSON.stringify(world.keys))
  const running = run({
    SWITCHYARD_REDIS_URL: 'redis://127.0.0.1:1',
    SWITCHYARD_NATS_URL: 'nats://127.0.0.1:1',
    SWITCHYARD_GRAPH: 'default/shop',
    SWITCHYARD_CONFIG_KEYS: keys,
    SWITCHYARD_LAST_KNOWN_GOOD_DIR: world.copies,
    SWITCHYARD_HOST: '127.0.0.1',
    SWITCHYARD_PORT: '0',
    ...env,
  })
  const graphqlUrl = await listeningAt(running)
  await until(
    async () => (await post({ graphqlUrl }, { query: '{ __typename }' })).status === 200,
    'the copy is served',
  )
  return { ...running, graphqlUrl }
}

describe('the router process', () => {
  it('serves an execution config file with its settings file, and stops with 0 on SIGTERM', async () => {
    const config = join(directory, 'config.json')
    const settings = join(directory, 'router.yaml')
    await writeFile(
      config,
      JSON.stringify({
        formatVersion: 1,
        base: shop.base.artifact,
        featureFlags: { next: shop.flag.artifact },
      }),
    )
    await writeFile(settings, 'base_path: /api\nhost: 127.0.0.1\nport: 1\n')
    const running = run({
      SWITCHYARD_EXECUTION_CONFIG: config,
      SWITCHYARD_CONFIG: settings,
      SWITCHYARD_PORT: '0',
    })
    const { child, exit } = running
    const graphqlUrl = await listeningAt(running)
    expect(graphqlUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/graphql$/)
    expect((await post({ graphqlUrl }, { query: '{ version }' }, { 'x-feature-flag': 'next' })).json).toEqual(
      {
        data: { version: 'products-next' },
      },
    )
    child.kill('SIGTERM')
    expect((await exit)[0]).toBe(0)
  })

  it('serves a file alone whose settings use the address of Redis, and drains when the delay is over', async () => {
    const redis = 'redis://127.0.0.1:1'
    const settings =
      'rate_limits: { rules: [{ name: all, limit: 1000, per: 1s }], redis: { url: "${SWITCHYARD_REDIS_URL}" } }'
    const delayed = `${settings}\nshutdown: { pre_stop_delay: 100ms }`
    const running = await servingWith(delayed, { SWITCHYARD_REDIS_URL: redis }, ['--file-alone'])
    expect((await post(running, { query: '{ version }' })).json).toEqual({ data: { version: 'products' } })
    running.child.kill('SIGTERM')
    expect((await running.exit)[0]).toBe(0)
    expect(running.output.text).toMatch(
      /"router\.leaving","delay":100[^]*"router\.draining"[^]*"process\.stopped"/,
    )
  })

  it('tells Prometheus how it does, in series that clients cannot add to', async () => {
    const port = await freePort()
    const running = await servingWith('', { SWITCHYARD_METRICS_PORT: String(port) })
    /** Once so many requests are counted, which is after they were answered. */
    const scrape = (requests: number) =>
      until(async () => {
        const { text } = await send(`http://127.0.0.1:${port}/metrics`)
        return text.includes(`http_response_status_code="200",http_route="/graphql"} ${requests}\n`)
          ? text
          : undefined
      }, 'the metrics')
    const seriesOf = (text: string) =>
      text.split('\n').flatMap((line) => /^([a-z_0-9]+(?:\{[^}]*\})?) /.exec(line)?.[1] ?? [])
    const ask = async (name: string) => {
      const headers = { 'x-feature-flag': name, 'graphql-client-name': name, 'user-agent': name }
      await post(running, { query: `query ${name} { version }` }, headers)
      await post(running, { query: `query ${name} { nothing }` }, headers)
    }
    await ask('first')
    const before = await scrape(2)
    for (const expected of [
      /^http_server_request_duration_seconds_count\{http_request_method="POST",http_response_status_code="200",http_route="\/graphql"\} 2$/m,
      /^http_server_active_requests 0$/m,
      /^switchyard_router_requests_total\{status="200",reason="unknown",flag=""\} 2$/m,
      /^switchyard_router_refusals_total\{code="GRAPHQL_VALIDATION_FAILED"\} 1$/m,
      /^switchyard_router_subgraph_duration_seconds_count\{subgraph="products",outcome="answered"\} 1$/m,
      /^switchyard_router_plans_total\{place="main-thread",outcome="planned"\} 1$/m,
      /^switchyard_router_generations 1$/m,
      /^switchyard_router_operations_size_bytes [1-9]/m,
      /^switchyard_router_revision\{graph="[^"]*"\} \d/m,
      /^switchyard_router_swaps_total\{source="execution config file"\} 1$/m,
      /^process_memory_usage_bytes \d{8}/m,
    ])
      expect(before).toMatch(expected)
    expect(before).not.toContain('description missing')
    for (let index = 0; index < MADE_UP; index++) await ask(`made_up_${index}`)
    expect(seriesOf(await scrape(2 * MADE_UP + 2)).filter((series) => !series.startsWith('v8js'))).toEqual(
      seriesOf(before).filter((series) => !series.startsWith('v8js')),
    )
    running.child.kill('SIGTERM')
    expect((await running.exit)[0]).toBe(0)
  })

  it('goes on after SIGHUP, and answers for shutdown.pre_stop_delay while it is not ready any more', async () => {
    const base = await servingWith('shutdown: { pre_stop_delay: 1h }')
    expect((await post(base, { query: '{ version }' })).headers.connection).toBe('keep-alive')
    base.child.kill('SIGHUP')
    await until(() => base.output.text.includes('"process.reloading"'), 'the signal is noticed')
    base.child.kill('SIGTERM')
    const ready = await until(async () => {
      const reply = await send(`${base.url}/health/ready`)
      return reply.status === 503 ? reply : null
    }, 'it is not ready any more')
    expect(ready.json.reason).toBe('the router is about to stop')
    expect((await send(`${base.url}/health/live`)).status).toBe(200)
    // A client that keeps its connection would stay until that is closed, whatever load balancers do with new
    // ones.
    expect(await post(base, { query: '{ version }' })).toMatchObject({
      status: 200,
      headers: { connection: 'close' },
      json: { data: { version: 'products' } },
    })
    base.child.kill('SIGTERM')
    expect((await base.exit)[0]).toBe(130)
  })

  it('serves a supergraph file', async () => {
    const file = join(directory, 'supergraph.graphql')
    const fixture = new URL('./fixtures/supergraph-base.graphql', import.meta.url)
    const sdl = await readFile(fixture, 'utf8')
    await writeFile(file, sdl.replace('http://products.invalid/graphql', shop.products.url))
    const running = run({
      SWITCHYARD_SUPERGRAPH: file,
      SWITCHYARD_HOST: '127.0.0.1',
      SWITCHYARD_PORT: '0',
    })
    const { child, exit } = running
    const graphqlUrl = await listeningAt(running)
    expect((await post({ graphqlUrl }, { query: '{ version }' })).json).toEqual({
      data: { version: 'products' },
    })
    child.kill('SIGTERM')
    expect((await exit)[0]).toBe(0)
  })

  it('on a config store calls no subgraph on this machine unless it is told to, and says at once what to set', async () => {
    await using world = await ConfigWorld.create()
    const calls = shop.products.requests.length
    const { child, exit, graphqlUrl, output } = await onConfigStore(world, {})
    const set = /SUBGRAPHS_ALLOWED_NETWORKS=public,loopback/
    const warning = lines(output.text).find(({ event }) => event === 'config.subgraphs-not-allowed')
    expect(warning).toMatchObject({
      level: 'warn',
      subgraphs: ['products', 'reviews'],
      msg: expect.stringMatching(set),
    })
    const { json } = await post({ graphqlUrl }, { query: '{ version }' })
    expect(json.errors).toEqual([
      {
        message: 'Subgraph "products" is at an address that is not allowed.',
        path: ['version'],
        extensions: { code: 'SUBGRAPH_ADDRESS_NOT_ALLOWED', serviceName: 'products' },
      },
    ])
    const failed = await until(
      () => lines(output.text).find(({ event }) => event === 'subgraph.failed'),
      'the log tells of the call',
    )
    expect(failed).toMatchObject({ subgraph: 'products', detail: expect.stringMatching(set) })
    expect(shop.products.requests).toHaveLength(calls)
    child.kill('SIGTERM')
    expect((await exit)[0]).toBe(0)
  })

  it('serves its last-known-good copy while Redis and NATS are away, and calls subgraphs itself where a proxy is named', async () => {
    await using use = new AsyncDisposableStack()
    const proxy = createServer((socket) => socket.destroy())
    let proxied = 0
    proxy.on('connection', () => proxied++)
    const port = await listenOnFreePort(proxy)
    use.defer(() => void proxy.close())
    const world = use.use(await ConfigWorld.create())
    const url = `http://127.0.0.1:${port}`
    const { child, exit, graphqlUrl, output } = await onConfigStore(world, {
      SUBGRAPHS_ALLOWED_NETWORKS: 'loopback',
      NODE_USE_ENV_PROXY: '1',
      HTTP_PROXY: url,
      http_proxy: url,
      HTTPS_PROXY: url,
      ALL_PROXY: url,
    })
    const { json } = await post({ graphqlUrl }, { query: '{ version }' })
    expect([json, proxied]).toEqual([{ data: { version: 'products' } }, 0])
    expect(output.text).toContain('last-known-good copy')
    expect(output.text).not.toContain('config.subgraphs-not-allowed')
    child.kill('SIGTERM')
    expect((await exit)[0]).toBe(0)
  })

  type WrongStart = readonly [what: string, env: Record<string, string>, message: RegExp]

  const ONE_PROBLEM: readonly WrongStart[] = [
    [
      'a supergraph and a config store',
      { SWITCHYARD_REDIS_URL: 'redis://127.0.0.1:1', SWITCHYARD_SUPERGRAPH: 'x' },
      /SWITCHYARD_SUPERGRAPH and SWITCHYARD_REDIS_URL are both set/,
    ],
    [
      'a config store and no keys',
      { SWITCHYARD_REDIS_URL: 'redis://127.0.0.1:1', SWITCHYARD_GRAPH: 'default/shop' },
      /SWITCHYARD_CONFIG_KEYS is not set/,
    ],
    [
      'a port that is none',
      { SWITCHYARD_EXECUTION_CONFIG: 'x', SWITCHYARD_PORT: '70000' },
      /SWITCHYARD_PORT/,
    ],
  ]

  /** Only `make test-long` starts processes for all of them. Others ask for the sentences without one. */
  const STARTED: readonly WrongStart[] = [
    ['no source of a graph', {}, /SWITCHYARD_REDIS_URL.*SWITCHYARD_EXECUTION_CONFIG.*SWITCHYARD_SUPERGRAPH/],
    [
      'a supergraph that is not there',
      { SWITCHYARD_SUPERGRAPH: 'nowhere.graphql' },
      /nowhere\.graphql cannot be served/,
    ],
    [
      'a config store and no graph',
      { SWITCHYARD_REDIS_URL: 'redis://127.0.0.1:1' },
      /SWITCHYARD_GRAPH is not set/,
    ],
    ...(isLongRun()
      ? ([
          ...ONE_PROBLEM,
          [
            'an execution config that is not there',
            { SWITCHYARD_EXECUTION_CONFIG: 'nowhere.json' },
            /nowhere\.json cannot be used/,
          ],
        ] as const)
      : []),
  ]

  it.each(STARTED)('given %s says what is missing and exits with 1', async (_, env, message) => {
    const { child, output, errors, exit } = run(env)
    const closed = once(child, 'close')
    expect((await exit)[0]).toBe(1)
    await closed
    expect(output.text).toMatch(message)
    // One problem is a sentence; without a graph the keys are missing, too, and both are a numbered list.
    const isList = message.source.includes('SWITCHYARD_GRAPH is not set')
    expect(errors.text).toMatch(isList ? /^error: .+\n {2}1\. .+\n {2}2\. .+\n$/ : /^error: .+\n$/)
  })

  it.each(ONE_PROBLEM)('given %s has one sentence for what is wrong', async (_, env, message) => {
    const problem: unknown = await opened(env).catch((error: unknown) => error)
    expect(messageOf(problem)).toMatch(message)
    expect(messageOf(problem)).not.toContain('\n')
  })

  it('given an execution config that is not there says that it cannot be used', async () => {
    const source = { kind: 'execution-config', path: join(directory, 'nowhere.json') } as const
    await expect(start(source)).rejects.toThrow(/nowhere\.json cannot be used/)
  })

  it('says in a line for people that its port is taken, and exits with 1', async () => {
    const holder = createServer()
    stack.defer(() => void holder.close())
    holder.listen(0, '127.0.0.1')
    await once(holder, 'listening')
    const address = holder.address()
    const port = String(typeof address === 'object' && address !== null ? address.port : 0)
    await writeFile(
      join(directory, 'held.json'),
      JSON.stringify({ formatVersion: 1, base: shop.base.artifact, featureFlags: {} }),
    )
    const { child, errors, exit } = run({
      SWITCHYARD_EXECUTION_CONFIG: 'held.json',
      SWITCHYARD_HOST: '127.0.0.1',
      SWITCHYARD_PORT: port,
    })
    const closed = once(child, 'close')
    expect((await exit)[0]).toBe(1)
    await closed
    expect(errors.text).toMatch(
      new RegExp(`^error: The router cannot listen on 127\\.0\\.0\\.1, port ${port}: .+\n$`),
    )
  })
})
