/** What belongs to the whole process, and changes all the same when other settings are put in force. */
import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LOCAL_NETWORKS, loadRouterConfig } from '../../src/config/router-config.ts'
import { ConfigWorld } from '../support/config-world.ts'
import { createManifestFolder, manifestOf, sha256 } from '../support/manifests.ts'
import { startMeasuredRouter } from '../support/measured-router.ts'
import { post, type Reply, routerOn, type TestRouter, until } from '../support/router.ts'
import { type Shop, startShop } from '../support/shop.ts'

const stack = new AsyncDisposableStack()
let shop: Shop
let world: ConfigWorld
beforeAll(async () => {
  shop = stack.use(await startShop())
  world = stack.use(await ConfigWorld.create())
  await world.publish({ revision: 1, base: shop.base })
})
afterAll(() => stack.disposeAsync())

const config = (text: string) =>
  loadRouterConfig({ file: { path: 'router.yaml', text }, defaultNetworks: LOCAL_NETWORKS })

async function started(settings = ''): Promise<TestRouter> {
  const router = await routerOn(world, { settings })
  await router.ready
  return router
}

const codesOf = ({ json }: Reply) => (json.errors ?? []).map(({ extensions }) => extensions['code'])
const QUERY = { query: '{ version }' }

describe('a reload puts in force', () => {
  it('how many connections a client may have: idle ones beyond it give way to new ones', async () => {
    await using router = await started()
    const sockets: Socket[] = []
    const closed = new Set<Socket>()
    const open = async () => {
      const socket = connect(router.port, '127.0.0.1').on('error', () => {})
      socket.on('close', () => closed.add(socket)).resume()
      await once(socket, 'connect')
      sockets.push(socket)
    }
    for (let count = 0; count < 3; count++) await open()
    await router.apply(config('traffic: { max_connections_per_client: 3 }'))
    await open()
    const [first] = sockets
    await until(() => first !== undefined && closed.has(first), 'the first one is closed')
    expect(closed.size).toBe(1)
    for (const socket of sockets) socket.destroy()
  })

  it('which proxies are trusted, also for connections that are open', async () => {
    const rule = 'rate_limits: { rules: [{ name: few, limit: 1, per: 1h, key: [address] }] }'
    const limits = (more = '') => `${rule}\ntraffic: { share_inflight: false${more} }`
    await using router = await started(limits())
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const sockets = new Set<unknown>()
    const asked = (client: string) =>
      new Promise<number>((resolve, reject) => {
        const headers = { 'content-type': 'application/json', 'x-forwarded-for': client }
        const outgoing = httpRequest(router.graphqlUrl, { method: 'POST', agent, headers }, (response) =>
          response.resume().on('end', () => resolve(response.statusCode ?? 0)),
        )
        outgoing.on('error', reject).on('socket', (socket) => sockets.add(socket))
        outgoing.end(JSON.stringify(QUERY))
      })
    expect([await asked('192.0.2.1'), await asked('192.0.2.2')]).toEqual([200, 429])
    await router.apply(config(limits(', trusted_proxies: [127.0.0.1]')))
    expect([await asked('192.0.2.1'), await asked('192.0.2.2')]).toEqual([200, 200])
    expect(await asked('192.0.2.2')).toBe(429)
    await router.apply(config(limits()))
    expect(await asked('192.0.2.3')).toBe(429)
    expect(sockets.size).toBe(1)
    agent.destroy()
  })

  it('how long clients may take', async () => {
    await using router = await started('traffic: { keep_alive_timeout: 9s }')
    const keepAlive = async () =>
      (await post(router, QUERY, { connection: 'keep-alive' })).headers['keep-alive']
    expect(await keepAlive()).toBe('timeout=9')
    await router.apply(
      config('traffic: { keep_alive_timeout: 7s, request_timeout: 1s, headers_timeout: 1s }'),
    )
    expect(await keepAlive()).toBe('timeout=7')
  })

  it('whether requests are logged, and how long the router waits before it stops', async () => {
    const router = await started()
    const logged = () => router.logs.filter(({ event }) => event === 'request.answered').length
    await post(router, QUERY)
    await until(() => logged() === 1, 'it is logged')
    await router.apply(config('access_log: { enabled: false }\nshutdown: { pre_stop_delay: 20ms }'))
    await post(router, QUERY)
    await router[Symbol.asyncDispose]()
    expect(logged()).toBe(1)
    expect(router.logs.find(({ event }) => event === 'router.leaving')).toMatchObject({ delay: 20 })
  })

  it('how many bytes operations may take, and how large answers to introspection may be', async () => {
    await using router = await started()
    const schema = (alias: string) => ({ query: `{ ${alias}: __schema { types { name description } } }` })
    expect(codesOf(await post(router, schema('a')))).toEqual([])
    for (let count = 0; count < 50; count++) await post(router, { query: `{ a${count}: version }` })
    const before = router.remembered
    await router.apply(config('cache: { operations: 20KiB }\nlimits: { max_introspection_size: 1KiB }'))
    expect(router.remembered).toBeLessThanOrEqual(20 * 1024)
    expect(before).toBeGreaterThan(20 * 1024)
    expect((await post(router, schema('b'))).json.errors).toHaveLength(1)
  })

  it('which clients are counted by name', async () => {
    await using measured = await startMeasuredRouter()
    const { router, metrics } = measured
    const counted = async () => {
      await post(router, QUERY, { 'graphql-client-name': 'ios' })
      const { samples = [] } = (await metrics()).get('switchyard_router_client_requests_total') ?? {}
      return samples.map(({ labels, value }) => [labels['client'], value])
    }
    expect(await counted()).toEqual([])
    await router.apply(config('client_identification: { counted_names: [ios] }'))
    await until(async () => (await counted()).some(([client]) => client === 'ios'), 'it is counted')
    await router.apply(config('client_identification: { counted_names: [web] }'))
    await until(async () => (await counted()).some(([client]) => client === ''), 'it is one of the others')
  })
})

describe('documents after a reload', () => {
  const safelist = (file: string) => `documents: { mode: safelist, manifests: [{ file: ${file} }] }`
  const HEADER = { query: '{ header(name: "a") }' }

  it('are those of the manifests that the settings name now, as strictly as they say now', async () => {
    await using folder = await createManifestFolder({
      'one.json': manifestOf(QUERY.query),
      'two.json': manifestOf(HEADER.query),
    })
    const [one, two] = [folder.path('one.json'), folder.path('two.json')]
    await using router = await started(`documents: { mode: log_unknown, manifests: [{ file: ${one} }] }`)
    const answers = async () => [codesOf(await post(router, QUERY)), codesOf(await post(router, HEADER))]
    const refused = ['QUERY_NOT_IN_SAFELIST']
    expect(await answers()).toEqual([[], []])
    await router.apply(config(safelist(one)))
    expect(await answers()).toEqual([[], refused])
    await router.apply(config(safelist(two)))
    expect(await answers()).toEqual([refused, []])
    await router.apply(config(''))
    expect(await answers()).toEqual([[], []])
  })

  it('stay as they are where a manifest cannot be used', async () => {
    await using folder = await createManifestFolder({
      'one.json': manifestOf(QUERY.query),
      'broken.json': 'nonsense',
    })
    await using router = await started(safelist(folder.path('one.json')))
    await expect(router.apply(config(safelist(folder.path('broken.json'))))).rejects.toThrow('not JSON')
    await expect(router.apply(config(safelist(folder.path('none.json'))))).rejects.toThrow('none.json')
    expect(codesOf(await post(router, QUERY))).toEqual([])
    expect(codesOf(await post(router, HEADER))).toEqual(['QUERY_NOT_IN_SAFELIST'])
    expect(router.versions()).toBe(1)
  })

  it('may be added by clients, and those stay while other settings change', async () => {
    await using router = await started()
    const key = { persistedQuery: { version: 1, sha256Hash: sha256(QUERY.query) } }
    const byHash = async () => codesOf(await post(router, { extensions: key }))
    const apq = (more = '') => `documents: { apq: { enabled: true${more} } }`
    await router.apply(config(apq()))
    expect(await byHash()).toEqual(['PERSISTED_QUERY_NOT_FOUND'])
    await post(router, { ...QUERY, extensions: key })
    await router.apply(config(`${apq(', kept_for: 1h')}\nlimits: { max_depth: 9 }`))
    expect(await byHash()).toEqual([])
    await router.apply(config(''))
    expect(await byHash()).toEqual(['PERSISTED_QUERY_NOT_SUPPORTED'])
  })

  it('are counted once, and checked against compositions by the limits that hold now', async () => {
    await using folder = await createManifestFolder({
      'one.json': manifestOf(QUERY.query, '{ a: version b: version }'),
      'two.json': manifestOf(QUERY.query, HEADER.query, '{ nowhere }'),
    })
    await using measured = await startMeasuredRouter(safelist(folder.path('one.json')))
    const { router, metrics } = measured
    const gauges = async () => {
      const all = await metrics()
      const value = (name: string) => all.get(name)?.samples[0]?.value ?? 0
      return [value('switchyard_router_documents'), value('switchyard_router_unfit_documents')]
    }
    const become = (documents: number, unfit: number) =>
      until(async () => {
        const [known, wrong] = await gauges()
        return known === documents && wrong === unfit
      }, `${documents} documents, ${unfit} of them not valid`)
    await become(2, 0)
    await router.apply(config(`${safelist(folder.path('one.json'))}\nlimits: { max_aliases: 1 }`))
    // In each of the two compositions, that of base and that of the flag.
    await become(2, 2)
    await router.apply(config(safelist(folder.path('two.json'))))
    await become(3, 2)
    await router.apply(config(''))
    await become(0, 0)
  })
})
