/** A subgraph with several URLs, over HTTP. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadRouterConfig } from '../../../../src/config/router-config.ts'
import { buildArtifact } from '../../../support/artifacts.ts'
import { ConfigWorld } from '../../../support/config-world.ts'
import { post, routerOn, type TestRouter, until } from '../../../support/router.ts'
import { closeServer } from '../../../support/subgraph.ts'
import { startTalkingSubgraph } from '../../../support/talking-subgraph.ts'

const QUERY = { query: '{ product(upc: "1") { name } }' }
const MUTATION = { query: 'mutation { rename(upc: "1", name: "x") { name } }' }
const GOOD = { product: { name: 'Table' } }

/** One of several instances of products. */
class Instance implements AsyncDisposable {
  calls = 0
  /** Answers wait for it. */
  held: Promise<unknown> = Promise.resolve()
  status = 200
  #port = 0
  #server: Server | null = null

  get url(): string {
    return `http://127.0.0.1:${this.#port}/graphql`
  }

  async start(): Promise<this> {
    const product = { __typename: 'Product', upc: '1', name: 'Table' }
    const body = JSON.stringify({ data: { product, rename: product } })
    const server = createServer((request, response) => {
      this.calls++
      request.resume().on('end', () => {
        void this.held.then(() => {
          response.writeHead(this.status, { 'content-type': 'application/json' }).end(body)
        })
      })
    })
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(this.#port, '127.0.0.1', resolve)
    })
    this.#port = (server.address() as AddressInfo).port
    this.#server = server
    return this
  }

  /** Its port refuses connections from now on, until it is started again. */
  async stop(): Promise<void> {
    if (this.#server !== null) await closeServer(this.#server)
    this.#server = null
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }
}

const stack = new AsyncDisposableStack()
let world: ConfigWorld
beforeAll(async () => {
  world = stack.use(await ConfigWorld.create())
  const reviews = stack.use(await startTalkingSubgraph())
  // Nobody listens where the composition says that products is.
  const base = buildArtifact('base', { products: 'http://127.0.0.1:1/graphql', reviews: reviews.url })
  await world.publish({ revision: 1, base })
})
afterAll(() => stack.disposeAsync())

type World = AsyncDisposable & { readonly instances: readonly Instance[]; readonly router: TestRouter }

async function started(count: number, more = ''): Promise<World> {
  const parts = new AsyncDisposableStack()
  const instances: Instance[] = []
  for (let index = 0; index < count; index++) instances.push(parts.use(await new Instance().start()))
  const urls = JSON.stringify(instances.map(({ url }) => url))
  const router = parts.use(
    await routerOn(world, {
      settings: `{ dev_mode: true, traffic: { share_inflight: false }, subgraphs: { overrides: { products: { urls: ${urls} } } ${more} } }`,
    }),
  )
  await router.ready
  return { instances, router, [Symbol.asyncDispose]: () => parts.disposeAsync() }
}
const callsOf = (instances: readonly Instance[]) => instances.map(({ calls }) => calls)
const isGood = async (router: TestRouter) => (await post(router, QUERY)).json.errors === undefined

describe('a subgraph with several addresses', () => {
  it('calls go where the fewest are in progress', async () => {
    await using started3 = await started(3)
    const { instances, router } = started3
    for (let index = 0; index < 9; index++) expect((await post(router, QUERY)).json.data).toEqual(GOOD)
    expect(callsOf(instances)).toEqual([3, 3, 3])
    const gate = Promise.withResolvers<void>()
    const [slow] = instances
    if (slow !== undefined) slow.held = gate.promise
    // As soon as one call hangs there, all others go elsewhere.
    const hanging: Promise<unknown>[] = []
    for (const _ of instances) {
      // All others are answered at once, so it is its turn with the third at the latest.
      if (slow?.calls !== 3) break
      hanging.push(post(router, QUERY))
      await until(
        () => callsOf(instances).reduce((a, b) => a + b) === 9 + hanging.length,
        'the call is there',
      )
    }
    for (let index = 0; index < 10; index++) await post(router, QUERY)
    expect(slow?.calls).toBe(4)
    gate.resolve()
    await Promise.all(hanging)
  })

  it('one that is gone costs a call at most, and is called again when it is back', async () => {
    await using started2 = await started(2)
    const { instances, router } = started2
    const [a, b] = instances
    await a?.stop()
    const before = b?.calls ?? 0
    const failed = (await Promise.all(Array.from({ length: 12 }, () => isGood(router)))).filter(
      (good) => !good,
    )
    let rest = 0
    for (let index = 0; index < 20; index++) if (!(await isGood(router))) rest++
    // Those that began together found out together; then one call finds out after 0.5, 1, 2 s and so on.
    expect(failed.length).toBeLessThanOrEqual(6)
    expect(rest).toBeLessThanOrEqual(4)
    expect((b?.calls ?? 0) - before).toBeGreaterThanOrEqual(22)
    expect(router.logs.find(({ event }) => event === 'subgraph.address-set-aside')).toMatchObject({
      subgraph: 'products',
      url: a?.url,
    })
    await a?.start()
    const calls = a?.calls ?? 0
    await until(async () => {
      await post(router, QUERY)
      return (a?.calls ?? 0) > calls + 3
    }, 'it is called again')
    expect(router.logs.some(({ event }) => event === 'subgraph.address-back')).toBe(true)
  })

  it('a call that fails is made again elsewhere, where retries allow it: no client notices', async () => {
    await using started2 = await started(2, ', retry: { max_retries: 2, backoff: 1ms }')
    const { instances, router } = started2
    await instances[0]?.stop()
    for (let index = 0; index < 20; index++) expect((await post(router, QUERY)).json).toEqual({ data: GOOD })
    const [, b] = instances
    if (b !== undefined) b.status = 503
    await instances[0]?.start()
    for (let index = 0; index < 5; index++) expect((await post(router, QUERY)).json).toEqual({ data: GOOD })
  })

  it('a mutation is sent once, whatever becomes of it', async () => {
    await using started2 = await started(2, ', retry: { max_retries: 2, backoff: 1ms }')
    const { instances, router } = started2
    for (const instance of instances) instance.status = 503
    await post(router, MUTATION)
    expect(callsOf(instances).toSorted()).toEqual([0, 1])
  })
})

it('where all are gone, each call is tried all the same', async () => {
  await using started2 = await started(2)
  const { instances, router } = started2
  for (const instance of instances) await instance.stop()
  const { json } = await post(router, QUERY)
  expect(json.errors?.[0]?.extensions['code']).toBe('SUBGRAPH_UNREACHABLE')
  await instances[1]?.start()
  await until(() => isGood(router), 'it is served again')
  expect(instances[1]?.calls).toBeGreaterThan(0)
})

it('each has a circuit of its own', async () => {
  await using started2 = await started(
    2,
    ', circuit_breaker: { enabled: true, min_calls: 2, failure_rate: 0.5, open_for: 60s }',
  )
  const { instances, router } = started2
  const [a, b] = instances
  if (a !== undefined) a.status = 500
  await until(async () => {
    await post(router, QUERY)
    return router.logs.some(({ event }) => event === 'subgraph.circuit-opened')
  }, 'the circuit of the one that fails opens')
  const calls = a?.calls
  for (let index = 0; index < 10; index++) expect(await isGood(router)).toBe(true)
  expect(a?.calls).toBe(calls)
  if (b !== undefined) b.status = 500
  await until(async () => {
    const { json } = await post(router, QUERY)
    return json.errors?.[0]?.extensions['code'] === 'SUBGRAPH_CIRCUIT_OPEN'
  }, 'both are open')
})

it('equal fetches in flight are one call, whichever address it goes to', async () => {
  const parts = new AsyncDisposableStack()
  await using _ = parts
  const [a, b] = [parts.use(await new Instance().start()), parts.use(await new Instance().start())]
  const gate = Promise.withResolvers<void>()
  a.held = b.held = gate.promise
  const urls = JSON.stringify([a.url, b.url])
  const router = parts.use(
    await routerOn(world, { settings: `subgraphs: { overrides: { products: { urls: ${urls} } } }` }),
  )
  await router.ready
  const asked = ['A', 'B', 'C'].map((name) => post(router, { query: `query ${name} ${QUERY.query}` }))
  await until(() => router.activeRequests() === 3, 'all wait')
  gate.resolve()
  for (const { json } of await Promise.all(asked)) expect(json.data).toEqual(GOOD)
  expect(a.calls + b.calls).toBe(1)
})

it('a trace names the address of each attempt', async () => {
  await using started2 = await started(2)
  const { instances, router } = started2
  const { text } = await post(router, QUERY, { 'x-vendor-trace': 'true' })
  const called = instances.find(({ calls }) => calls === 1)
  expect(text).toContain(called?.url)
  expect(text).not.toContain('127.0.0.1:1/')
})

describe('health checks', () => {
  const checked = (more = '') => `, health_check: { enabled: true, interval: 100ms, timeout: 500ms } ${more}`
  const event = (router: TestRouter, name: string) =>
    router.logs.filter((line) => line.event === `subgraph.${name}`)

  it('find out that an address is gone, and that it is back, before a client does', async () => {
    await using started2 = await started(2, checked())
    const { instances, router } = started2
    const [a] = instances
    await until(
      () => callsOf(instances).every((calls) => calls >= 2),
      'both are asked, though no client calls',
    )
    expect(event(router, 'address-set-aside')).toEqual([])
    await a?.stop()
    await until(() => event(router, 'address-set-aside').length > 0, 'it is set aside')
    for (let index = 0; index < 10; index++) expect(await isGood(router)).toBe(true)
    await a?.start()
    await until(() => event(router, 'address-back').length > 0, 'it is back')
  })

  it('take one that does not answer in time, or with a status from 500, for ill', async () => {
    await using started2 = await started(2, checked())
    const { instances, router } = started2
    const [a, b] = instances
    const gate = Promise.withResolvers<void>()
    if (a !== undefined) a.held = gate.promise
    if (b !== undefined) b.status = 503
    await until(() => event(router, 'address-set-aside').length === 2, 'both are set aside')
    gate.resolve()
    if (b !== undefined) b.status = 404
    await until(() => event(router, 'address-back').length === 2, 'both are back')
  })

  it('end with the composition that needs them', async () => {
    const started2 = await started(2, checked())
    const { instances } = started2
    await until(() => callsOf(instances).every((calls) => calls >= 1), 'both are asked')
    await started2.router[Symbol.asyncDispose]()
    const before = callsOf(instances)
    await new Promise((resolve) => {
      setTimeout(resolve, 400)
    })
    expect(callsOf(instances)).toEqual(before)
    await started2[Symbol.asyncDispose]()
  })

  it('are no more than a few each second', () => {
    const text = 'subgraphs: { health_check: { interval: 10ms } }'
    expect(() => loadRouterConfig({ file: { path: 'router.yaml', text } })).toThrow('expected 100ms at least')
  })
})
