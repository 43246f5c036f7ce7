/** docs/upgrades.md, followed on a running platform: from the version before to this one, and back again. */
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { inspect } from 'node:util'
import { openRedisConfigStore } from '@switchyard/config-store'
import {
  natsServerAvailable,
  programFile,
  redisServerAvailable,
  startNatsServer,
  startRedisServer,
  waitFor,
} from '@switchyard/testkit'
import { expect, it } from 'vitest'
import {
  type Constellation,
  openShop,
  publishShop,
  query,
  REPOSITORY,
  SHOP_QUERY,
  type ServiceProgram,
  type Shop,
  SpawnedProgram,
  startDistributed,
} from '../src/index.ts'
import { checkOut, commitBefore } from './support/checkout-before.ts'

const before = commitBefore()
if (before === null)
  process.stderr.write('This clone does not have the version before: the upgrade is not tried out.\n')
const missing = before === null || !natsServerAvailable() || !redisServerAvailable()

/** Kinds of services, as the page lists them; the command line is no service. */
const ORDER = [
  ...readFileSync(`${REPOSITORY}/docs/upgrades.md`, 'utf8').matchAll(/^\d\. `([a-z-]+)`$/gm),
].map(([, service = '']) => service)

/** A service that can be started again from another checkout, with the same environment. */
class MovedProgram implements ServiceProgram {
  readonly name: string
  readonly service: string
  readonly #environment: Readonly<Record<string, string>>
  #program: SpawnedProgram

  constructor(name: string, service: string, environment: Readonly<Record<string, string>>, root: string) {
    this.name = name
    this.service = service
    this.#environment = environment
    this.#program = this.#from(root)
  }

  async moveTo(root: string): Promise<void> {
    await this.#program.stop()
    this.#program = this.#from(root)
  }

  get output() {
    return this.#program.output
  }
  get events() {
    return this.#program.events
  }
  get pid() {
    return this.#program.pid
  }
  get running() {
    return this.#program.running
  }
  exited = () => this.#program.exited()
  kill9 = () => this.#program.kill9()
  stop = () => this.#program.stop()
  start = () => this.#program.start()

  #from(root: string): SpawnedProgram {
    const command = [process.execPath, '--disable-warning=ExperimentalWarning']
    const main = `services/${this.service}/src/main.ts`
    return new SpawnedProgram(
      this.name,
      [...command, root === REPOSITORY ? programFile(main) : join(root, main)],
      this.#environment,
    )
  }
}

it.skipIf(missing)(
  'goes on publishing and answering after each step of an upgrade, and of the way back',
  async () => {
    expect([...ORDER].sort()).toEqual(['composer', 'config-distribution', 'registry', 'router'])
    await using parts = new AsyncDisposableStack()
    const old = parts.use(checkOut(before ?? ''))
    const [nats, redis] = [parts.use(await startNatsServer()), parts.use(await startRedisServer())]
    const shop = parts.use(await openShop())
    const programs: MovedProgram[] = []
    const system = parts.use(
      await startDistributed({
        natsUrl: nats.url,
        redisUrl: redis.url,
        registries: 2,
        run: async ({ name, service, environment }) => {
          const program = new MovedProgram(name, service, environment, old.folder)
          programs.push(program)
          return program
        },
      }),
    )
    await publishShop(system, shop)
    const load = parts.use(new SteadyLoad(system.routerUrls))
    let step = 0
    const steps: readonly (readonly [root: string, services: readonly string[]])[] = [
      [REPOSITORY, ORDER],
      [old.folder, ORDER.toReversed()],
      // What is new is written by these two, whoever reads it.
      [REPOSITORY, ['composer', 'config-distribution']],
      [old.folder, ['config-distribution', 'composer']],
    ]
    for (const [root, order] of steps) {
      for (const service of order) {
        for (const program of programs.filter((one) => one.service === service)) {
          await program.moveTo(root)
          await publishesAndAnswers(system, shop, `step${++step}`)
        }
      }
      if (order.includes('router')) {
        const versions = await routerVersions(system)
        expect(versions).toEqual(root === REPOSITORY ? [VERSION, VERSION] : [undefined, undefined])
      }
      expect(await formsInStore(redis.url, system.graph)).toEqual(
        root === REPOSITORY ? ['pieces', 'whole'] : ['whole'],
      )
    }
    await load[Symbol.asyncDispose]()
    expect([...load.wrong]).toEqual([])
    expect(load.total).toBeGreaterThan(100)
  },
)

/**
 * Asks all the time, as clients behind a load balancer do: where a router is not ready, another one gets the
 * request.
 */
class SteadyLoad implements AsyncDisposable {
  readonly #urls: readonly string[]
  readonly #stop = new AbortController()
  readonly #loops: Promise<unknown>
  readonly wrong = new Map<string, number>()
  total = 0

  constructor(urls: readonly string[]) {
    this.#urls = urls
    this.#loops = Promise.all([{}, { 'X-Feature-Flag': 'next' }].map((headers) => this.#loop(headers)))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#loops
  }

  async #loop(headers: Readonly<Record<string, string>>): Promise<void> {
    for (let turn = 0; !this.#stop.signal.aborted; turn++) {
      const got = await this.#ask(turn, headers)
      this.total += 1
      if (got !== '200') this.wrong.set(got, (this.wrong.get(got) ?? 0) + 1)
      await pause(100)
    }
  }

  async #ask(turn: number, headers: Readonly<Record<string, string>>): Promise<string> {
    const problems: string[] = []
    for (const [tried] of this.#urls.entries()) {
      const answer = await ask(this.#urls[(turn + tried) % this.#urls.length] ?? '', headers)
      if (!isNotReady(answer)) return answer.includes('"errors"') ? answer : '200'
      problems.push(answer)
    }
    return `nobody is ready: ${problems.join(', ')}`
  }
}

/** On a connection of its own, as one that is kept may be closed just when it is used again. */
async function ask(url: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const ending = request(`${url}/graphql`, {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json', ...headers },
  })
  ending.on('error', (error) => resolve(inspect(error)))
  ending.on('response', (response) => void text(response).then(resolve, (error) => resolve(inspect(error))))
  ending.end(JSON.stringify({ query: SHOP_QUERY }))
  return await promise
}

/** A load balancer asks `/health/ready`, and gives such a router no request. */
function isNotReady(answer: string): boolean {
  return /ECONNREFUSED|"NOT_READY"|"DRAINING"/.test(answer)
}

/** How the base of the newest manifest is stored. */
async function formsInStore(url: string, graph: string): Promise<readonly string[]> {
  await using store = await openRedisConfigStore({ url })
  return await waitFor('a manifest', async () => {
    const stored = await store.getManifest({ namespace: 'default', graph })
    if (stored === null) return null
    const { base } = JSON.parse(Buffer.from(stored.manifest).toString()) as {
      readonly base: { readonly artifact: string; readonly pieces?: string }
    }
    return base.pieces === undefined ? ['whole'] : ['pieces', 'whole']
  })
}

const VERSION: unknown = JSON.parse(readFileSync(`${REPOSITORY}/package.json`, 'utf8')).version

/**
 * Types that nobody asks for, so that the graph is large enough to be stored in pieces. Long descriptions
 * cost less to compose than many types.
 */
const MORE = Array.from(
  { length: 100 },
  (_, type) => `"${'long '.repeat(400)}" type More${type} { a: String b: String c: String }`,
).join('\n')

/** A new field of a published schema is known to every router, and the flag is answered as before. */
async function publishesAndAnswers(system: Constellation, shop: Shop, field: string): Promise<void> {
  const sdl = `${shop.users.sdl.replace('type User @key(fields: "id") {', `$& ${field}: String`)}\n${MORE}`
  await waitFor('a registry that takes it', async () => {
    const { status, body } = await system.manage('PUT', '/v1/subgraphs/default/users/schema', { sdl })
    if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
    return true
  })
  for (const url of system.routerUrls) {
    await waitFor(`${url} to know ${field}`, async () => {
      const { body } = await query(url, {}, `{ me @skip(if: true) { ${field} } __typename }`)
      if (JSON.stringify(body) !== '{"data":{"__typename":"Query"}}')
        throw new Error(`${JSON.stringify(body)}\n${system.report(1500)}`)
      return true
    })
    for (const headers of [{}, { 'X-Feature-Flag': 'next' }]) {
      const { status, body } = await query(url, headers)
      expect([status, JSON.stringify(body).includes('"errors"')]).toEqual([200, false])
    }
  }
}

async function routerVersions(system: Constellation): Promise<readonly unknown[]> {
  return await waitFor('heartbeats of both routers', async () => {
    const { body } = await system.manage('GET', '/v1/routers')
    const routers = body['routers'] as readonly { readonly alive: boolean; readonly version?: string }[]
    const alive = routers.filter((router) => router.alive)
    return alive.length === system.routerUrls.length ? alive.map(({ version }) => version) : null
  })
}
