import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildArtifact } from '../support/artifacts.ts'
import { ConfigWorld } from '../support/config-world.ts'
import { startGate } from '../support/gate.ts'
import { connectionsWithin, maxOpenFilesIn } from '../../src/listen/open-files.ts'
import { posted } from '../support/raw-http.ts'
import { startRouterProcess } from '../support/router-process.ts'
import { post, routerOn, send, until } from '../support/router.ts'
import { type Shop, startShop } from '../support/shop.ts'

const QUERY = '{ version }'

const stack = new AsyncDisposableStack()
let shop: Shop
let world: ConfigWorld

beforeAll(async () => {
  shop = stack.use(await startShop())
  world = stack.use(await ConfigWorld.create())
  await world.publish({ revision: 1, base: shop.base })
})
afterAll(() => stack.disposeAsync())

type Silent = Disposable & { readonly socket: Socket; isClosed(): boolean }

async function opened(router: { readonly port: number }, bytes = ''): Promise<Silent> {
  const socket = connect(router.port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.resume()
  let closed = false
  socket.on('close', () => (closed = true))
  socket.write(bytes)
  return { socket, isClosed: () => closed, [Symbol.dispose]: () => socket.destroy() }
}

describe('connections beyond the limit', () => {
  it.each([
    ['max_connections: 20', 'without a byte', ''],
    ['max_connections_per_client: 20', 'with half a request', 'POST /graphql HTTP/1.1\r\n'],
    ['max_connections: 20', 'with half a body', posted(QUERY).slice(0, -1)],
  ])('(%s) close those that wait %s, and let new clients in', async (limit, _what, bytes) => {
    await using use = new AsyncDisposableStack()
    const router = use.use(await routerOn(world, { settings: `traffic: { ${limit} }` }))
    await router.ready
    const silent: Silent[] = []
    for (let index = 0; index < 60; index++) silent.push(use.use(await opened(router, bytes)))
    await until(() => silent.filter((one) => one.isClosed()).length >= 40, 'the first ones are closed')
    for (let index = 0; index < 5; index++)
      expect((await post(router, { query: QUERY }, { connection: 'close' })).status).toBe(200)
    expect(router.logs.some(({ event }) => event === 'router.connections-limit')).toBe(true)
  })

  it('close none on which a request is in progress', async () => {
    await using use = new AsyncDisposableStack()
    const gate = use.use(await startGate(shop.products.url))
    const own = use.use(await ConfigWorld.create())
    const base = buildArtifact('base', { products: gate.url, reviews: shop.reviews.url })
    await own.publish({ revision: 1, base })
    const router = use.use(await routerOn(own, { settings: 'traffic: { max_connections: 3 }' }))
    await router.ready
    gate.close()
    const slow = post(router, { query: QUERY })
    await until(() => gate.held.count > 0, 'it is in progress')
    const silent: Silent[] = []
    for (let index = 0; index < 20; index++) silent.push(use.use(await opened(router)))
    await until(() => silent.filter((one) => one.isClosed()).length >= 18, 'others are closed')
    expect((await send(`${router.url}/health/ready`, { headers: { connection: 'close' } })).status).toBe(200)
    gate.open()
    expect((await slow).status).toBe(200)
  })

  it('may be closed again once their request is answered', async () => {
    await using use = new AsyncDisposableStack()
    const router = use.use(await routerOn(world, { settings: 'traffic: { max_connections: 1 }' }))
    await router.ready
    const agent = new Agent({ keepAlive: true })
    use.defer(() => agent.destroy())
    const kept = Promise.withResolvers<Socket>()
    const asked = request(`${router.graphqlUrl}?query=%7Bversion%7D`, { agent }, (response) =>
      response.resume(),
    )
    asked.on('socket', kept.resolve)
    asked.end()
    await once(asked, 'close')
    const socket = await kept.promise
    const closed = once(socket, 'close')
    expect((await post(router, { query: QUERY })).status).toBe(200)
    await closed
  })
})

describe('the files that may be open', () => {
  const LIMITS =
    'Limit                     Soft Limit           Hard Limit           Units     \nMax open files            4096                 524288               files     \n'

  it('are those that the system allows, where it allows fewer than the settings: everybody is answered', async () => {
    await using use = new AsyncDisposableStack()
    const router = use.use(await startRouterProcess(world, '', { openFiles: 200 }))
    expect(router.logs.find(({ event }) => event === 'router.open-files')).toMatchObject({
      openFiles: 200,
      connections: 160,
    })
    const silent: Silent[] = []
    for (let index = 0; index < 300; index++) silent.push(use.use(await opened(router)))
    for (let index = 0; index < 20; index++)
      expect((await post(router, { query: QUERY }, { connection: 'close' })).status).toBe(200)
    await until(() => silent.filter((one) => one.isClosed()).length >= 140, 'the first ones are closed')
    const line = await until(
      () => router.logs.find(({ event }) => event === 'router.connections-limit'),
      'the log line',
    )
    expect(line).toMatchObject({ total: 160 })
  })

  it('leave room for what is no connection of a client', () => {
    expect(maxOpenFilesIn(LIMITS)).toBe(4096)
    expect(maxOpenFilesIn(LIMITS.replace('4096', 'unlimited'))).toBeNull()
    expect(connectionsWithin(4096, 20_000)).toBe(3276)
    expect(connectionsWithin(1_048_576, 20_000)).toBe(20_000)
    expect(connectionsWithin(null, 20_000)).toBe(20_000)
  })
})
