/** What goes on, and what ends, when other settings are put in force in a router. */
import { createServer, request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LOCAL_NETWORKS, loadRouterConfig } from '../../src/config/router-config.ts'
import { buildArtifact, packed } from '../support/artifacts.ts'
import { ConfigWorld } from '../support/config-world.ts'
import { issueTokens } from '../support/issued-tokens.ts'
import { type HeldSubgraph, startHeldSubgraph } from '../support/held-subgraph.ts'
import { startMeasuredRouter } from '../support/measured-router.ts'
import { post, routerOn, until } from '../support/router.ts'
import { closeServer, listenOnFreePort } from '../support/subgraph.ts'

const stack = new AsyncDisposableStack()
let world: ConfigWorld
beforeAll(async () => {
  world = stack.use(await ConfigWorld.create())
})
afterAll(() => stack.disposeAsync())

const config = (text: string) =>
  loadRouterConfig({ file: { path: 'router.yaml', text }, defaultNetworks: LOCAL_NETWORKS })

let revision = 0

async function started(
  use: AsyncDisposableStack,
  settings: string,
  urls: { products: string; reviews?: string },
) {
  const { products, reviews = products } = urls
  await world.publish({ revision: ++revision, base: buildArtifact('base', { products, reviews }) })
  const router = use.use(await routerOn(world, { settings }))
  await router.ready
  return router
}

/** Counts connections, and answers with a status. */
async function startCounted(use: AsyncDisposableStack) {
  const counted = { status: 200, calls: 0, connections: 0, url: '' }
  const server = createServer((request, response) => {
    counted.calls++
    const text = JSON.stringify({ data: { version: 'one', product: { name: 'Table' } } })
    request.resume().on('end', () => {
      response.writeHead(counted.status, { 'content-type': 'application/json' }).end(text)
    })
  }).on('connection', () => counted.connections++)
  counted.url = `http://127.0.0.1:${await listenOnFreePort(server)}/graphql`
  use.defer(() => closeServer(server))
  return counted
}

const PRODUCT = '{ product(upc: "1") { name } }'
const forwarding = (name: string) => `headers: { request: [{ propagate: ${name} }] }`

describe('other settings', () => {
  it('are for requests that come after them: one in flight ends as it began', async () => {
    await using use = new AsyncDisposableStack()
    const held: HeldSubgraph = use.use(await startHeldSubgraph())
    const off = 'traffic: { share_inflight: false }\n'
    const router = await started(use, `${off}cors: { origins: ['https://one.example'] }`, {
      products: held.url,
    })
    const headers = { 'x-user': 'me', origin: 'https://one.example' }
    const first = post(router, { query: PRODUCT }, headers)
    await until(() => held.calls.length === 1, 'the first call')
    const slow = slowBody(router.graphqlUrl, JSON.stringify({ query: PRODUCT }), headers)
    await until(() => router.activeRequests() === 2, 'the body is on its way')
    await router.apply(config(`${off}${forwarding('x-user')}\ncors: { origins: ['https://two.example'] }`))
    expect(router.versions()).toBe(2)
    // It was begun before, and is read, planned and run only now.
    slow.finish()
    await until(() => held.calls.length === 2, 'the second call')
    const third = post(router, { query: PRODUCT }, headers)
    await until(() => held.calls.length === 3, 'the third call')
    held.answerAll()
    const allowed = 'access-control-allow-origin'
    expect((await first).headers[allowed]).toBe('https://one.example')
    expect((await slow.answer)[allowed]).toBe('https://one.example')
    expect((await third).headers[allowed]).toBe(undefined)
    expect(held.calls.map((call) => call.headers['x-user'])).toEqual([undefined, undefined, 'me'])
    await until(() => router.versions() === 1, 'those before have ended')
  })

  it('leave connections and open circuits as they are', async () => {
    await using use = new AsyncDisposableStack()
    const [products, reviews] = [await startCounted(use), await startCounted(use)]
    const circuit =
      'subgraphs: { circuit_breaker: { enabled: true, min_calls: 4, window: 1h, open_for: 1h, probes: 1 } }'
    const router = await started(use, circuit, { products: products.url, reviews: reviews.url })
    reviews.status = 503
    const failing = '{ reviewHeader(name: "x") }'
    for (let count = 0; count < 4; count++) await post(router, { query: failing })
    await post(router, { query: PRODUCT })
    expect([products.connections, reviews.calls]).toEqual([1, 4])
    for (let count = 0; count < 5; count++)
      await router.apply(config(`${circuit}\ncors: { max_age: ${count + 1} }`))
    const codes = (await post(router, { query: failing })).json.errors?.map(
      ({ extensions }) => extensions['code'],
    )
    expect(codes).toEqual(['SUBGRAPH_CIRCUIT_OPEN'])
    await post(router, { query: PRODUCT })
    expect([products.calls, products.connections, reviews.calls]).toEqual([2, 1, 4])
    // Circuits by other settings are other circuits.
    await router.apply(config(circuit.replace('min_calls: 4', 'min_calls: 5')))
    await post(router, { query: failing })
    expect([reviews.calls, products.connections]).toEqual([5, 1])
  })

  it('leave plans as they are, unless operations are judged by other limits', async () => {
    await using measured = await startMeasuredRouter()
    const { router, metrics } = measured
    const asked = async (settings: string) => {
      await router.apply(config(settings))
      expect((await post(router, { query: '{ version }' })).status).toBe(200)
      const samples = (await metrics()).get('switchyard_router_plan_lookups_total')?.samples ?? []
      return samples.find(({ labels }) => labels['result'] === 'miss')?.value ?? 0
    }
    const once = await asked('')
    expect(await asked('cors: { max_age: 1 }')).toBe(once)
    expect(await asked('cors: { max_age: 1 }\nlimits: { max_depth: 9 }')).toBe(once + 1)
    expect(await asked('limits: { max_depth: 9 }')).toBe(once + 1)
  })

  it('go on asking whether addresses are well, over connections by the settings of now', async () => {
    await using use = new AsyncDisposableStack()
    const [one, two] = [await startCounted(use), await startCounted(use)]
    const settings = (more: string) => `
subgraphs:
  health_check: { enabled: true, interval: 100ms, timeout: 1s }
  overrides: { products: { urls: ['${one.url}', '${two.url}'] } }
  ${more}`
    const router = await started(use, settings(''), { products: one.url })
    await until(() => one.calls > 2 && two.calls > 2, 'both are asked')
    await router.apply(config(settings('max_connections: 3')))
    await until(() => router.versions() === 1, 'those before have ended')
    const [before, after] = [two.calls, two.connections]
    await until(() => two.calls > before + 2, 'it is asked again')
    expect(two.connections).toBeLessThanOrEqual(after + 1)
    expect(router.logs.filter(({ event }) => event?.startsWith('subgraph.address') === true)).toEqual([])
    await router.apply(config(settings('').replace('enabled: true', 'enabled: false')))
    await until(() => router.versions() === 1, 'those before have ended')
    const last = two.calls
    expect((await post(router, { query: PRODUCT })).status).toBe(200)
    expect(two.calls - last).toBeLessThanOrEqual(1)
  })

  it('that cannot be put in force leave everything as it is', async () => {
    await using use = new AsyncDisposableStack()
    const products = await startCounted(use)
    const router = await started(use, '', { products: products.url })
    await post(router, { query: PRODUCT })
    const broken = config(`${forwarding('x-user')}\nsubgraphs: { tls: { ca_file: /nowhere/ca.pem } }`)
    await expect(router.apply(broken)).rejects.toThrow('/nowhere/ca.pem')
    expect((await post(router, { query: PRODUCT })).status).toBe(200)
    expect([router.versions(), products.connections]).toEqual([1, 1])
  })

  it('leave nothing behind after 100 changes of all that can be kept or made anew', async () => {
    await using use = new AsyncDisposableStack()
    const products = await startCounted(use)
    const router = await started(use, '', { products: products.url })
    const change = async (count: number) => {
      await router.apply(
        config(`
limits: { max_depth: ${10 + count} }
rate_limits: { max_keys: ${100 + count}, rules: [{ name: many, limit: 1000000, per: 1s }] }
subgraphs:
  max_connections: ${10 + count}
  max_calls: ${10 + count}
  circuit_breaker: { enabled: true, min_calls: ${10 + count} }
  retry: { max_retries: 1, budget: 0.${1 + (count % 8)} }
  hedge: { enabled: true, after: ${1000 + count}ms }
`),
      )
      expect((await post(router, { query: PRODUCT })).status).toBe(200)
      await until(() => router.versions() === 1, 'those before have ended')
    }
    const handles = () => {
      const kinds: Record<string, number> = {}
      for (const kind of process.getActiveResourcesInfo()) kinds[kind] = (kinds[kind] ?? 0) + 1
      return { timers: kinds['Timeout'] ?? 0, sockets: kinds['TCPSocketWrap'] ?? 0 }
    }
    for (let count = 0; count < 10; count++) await change(count)
    const before = handles()
    for (let count = 0; count < 100; count++) await change(10 + count)
    await until(() => handles().sockets <= before.sockets + 2, 'connections of before are closed')
    expect(handles().timers).toBeLessThanOrEqual(before.timers + 2)
  })
})

/** A request whose last byte is held back. */
function slowBody(url: string, body: string, more: Readonly<Record<string, string>>) {
  const answer = Promise.withResolvers<Readonly<Record<string, unknown>>>()
  const length = Buffer.byteLength(body)
  const headers = { 'content-type': 'application/json', 'content-length': length, ...more }
  const outgoing = httpRequest(url, { method: 'POST', headers }, (response) => {
    response.resume().on('end', () => answer.resolve(response.headers))
  })
  outgoing.on('error', answer.reject)
  outgoing.write(body.slice(0, -1))
  return { answer: answer.promise, finish: () => outgoing.end(body.slice(-1)) }
}

it('what is said of access rules goes by the settings that are in force', async () => {
  await using use = new AsyncDisposableStack()
  const counted = await startCounted(use)
  const router = await started(use, '', { products: counted.url })
  const { artifact } = buildArtifact('base', { products: counted.url, reviews: counted.url })
  /** The same graph with a rule; `comment` makes it another composition. */
  const restricted = (comment: string) =>
    packed({
      ...artifact,
      supergraphSdl: `# ${comment}\n${artifact.supergraphSdl
        .replace(
          '@link',
          '@link(url: "https://specs.apollo.dev/authenticated/v0.1", as: "auth", for: SECURITY) @link',
        )
        .replace(/(version: String!? )/, '$1@auth ')}`,
    })
  const said = () => router.logs.filter(({ event }) => event === 'config.nobody-identified').length
  const served = () => router.logs.filter(({ event }) => event === 'config.swapped').length
  const serve = async (comment: string) => {
    const before = served()
    await world.publish({ revision: ++revision, base: restricted(comment) })
    await until(() => served() > before, 'it is served')
  }
  await serve('one')
  expect(said()).toBe(1)
  const tokens = use.use(await issueTokens({}))
  await router.apply(config(`authentication: ${tokens.settings}`))
  await serve('two')
  expect(said()).toBe(1)
  await router.apply(config(''))
  await serve('three')
  expect(said()).toBe(2)
})
