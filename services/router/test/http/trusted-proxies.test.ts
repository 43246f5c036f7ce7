/** Clients behind a proxy that the settings name: each counts for itself, and the proxy for nobody. */
import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadRouterConfig, RouterConfigError } from '../../src/config/router-config.ts'
import { ConfigWorld } from '../support/config-world.ts'
import { posted } from '../support/raw-http.ts'
import { routerOn, type TestRouter, until } from '../support/router.ts'
import { type Shop, startShop } from '../support/shop.ts'

const QUERY = '{ version }'
const TRUSTED = 'trusted_proxies: [127.0.0.0/8, "::1"]'
const STRANGER = 'trusted_proxies: [192.0.2.7]'

const stack = new AsyncDisposableStack()
let shop: Shop
let world: ConfigWorld

beforeAll(async () => {
  shop = stack.use(await startShop())
  world = stack.use(await ConfigWorld.create())
  await world.publish({ revision: 1, base: shop.base })
})
afterAll(() => stack.disposeAsync())

async function startWith(settings: string): Promise<TestRouter> {
  const router = await routerOn(world, { settings: `traffic: { ${settings} }` })
  await router.ready
  return router
}

type Sent = Disposable & { readonly socket: Socket; readonly text: () => string; isClosed(): boolean }

async function sent(router: TestRouter, bytes: string): Promise<Sent> {
  const socket = connect(router.port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  let text = ''
  let closed = false
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
  socket.on('close', () => (closed = true))
  socket.write(bytes)
  return { socket, text: () => text, isClosed: () => closed, [Symbol.dispose]: () => socket.destroy() }
}

const headersOf = (client: string) => posted(QUERY, `X-Forwarded-For: ${client}\r\n`).slice(0, -1)

/**
 * Requests of two clients that wait for the last byte of their bodies; whoever holds too many has lost the
 * first.
 */
async function refusedOf(settings: string): Promise<readonly boolean[]> {
  await using use = new AsyncDisposableStack()
  const router = use.use(await startWith(`max_unread_requests_per_client: 2, ${settings}`))
  const clients = ['198.51.100.1', '198.51.100.2', '198.51.100.2', '198.51.100.2', '198.51.100.2']
  const requests: Sent[] = []
  for (const client of clients) {
    requests.push(use.use(await sent(router, headersOf(client))))
    // An answer on a later connection: the router has read what came before on the others.
    const last = use.use(await sent(router, 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n'))
    await until(() => last.text() !== '', 'it has read the headers')
  }
  await until(
    () => requests.filter(({ text }) => text().includes('OVERLOADED')).length >= 2,
    'two are refused',
  )
  return requests.map(({ text }) => text().includes('OVERLOADED'))
}

describe('the client of a request', () => {
  it('is whom a trusted proxy names: what others behind it do costs it nothing', async () => {
    expect(await refusedOf(TRUSTED)).toEqual([false, true, true, false, false])
  })

  it('is the proxy itself where the settings do not name it', async () => {
    expect(await refusedOf(STRANGER)).toEqual([true, true, true, false, false])
  })

  it('is told apart within one connection of HTTP/2', async () => {
    await using use = new AsyncDisposableStack()
    const router = use.use(await startWith(`max_unread_requests_per_client: 1, ${TRUSTED}`))
    const session = connectHttp2(router.url)
    use.defer(() => session.destroy())
    const begin = (client: string) => {
      const stream = session.request({
        ':method': 'POST',
        ':path': '/graphql',
        'content-type': 'application/json',
        'x-forwarded-for': client,
      })
      stream.resume()
      return { stream, answered: once(stream, 'response').then(([headers]) => headers[':status']) }
    }
    const quiet = begin('198.51.100.1')
    const noisy = begin('198.51.100.2')
    begin('198.51.100.2')
    expect(await noisy.answered).toBe(503)
    quiet.stream.end(JSON.stringify({ query: QUERY }))
    expect(await quiet.answered).toBe(200)
  })
})

describe('connections', () => {
  it('of a trusted proxy are not counted as those of one client', async () => {
    const closed = async (settings: string) => {
      await using use = new AsyncDisposableStack()
      const router = use.use(await startWith(`max_connections_per_client: 3, ${settings}`))
      const silent: Sent[] = []
      for (let index = 0; index < 10; index++) silent.push(use.use(await sent(router, '')))
      const last = use.use(await sent(router, posted(QUERY)))
      await until(() => last.text() !== '', 'the last one is answered')
      if (settings === STRANGER)
        await until(() => silent.filter((one) => one.isClosed()).length >= 8, 'the first are closed')
      return silent.filter((one) => one.isClosed()).length
    }
    expect(await closed(STRANGER)).toBe(8)
    expect(await closed(TRUSTED)).toBe(0)
  })
})

it('traffic.trusted_proxies takes addresses and networks only', () => {
  const read = (proxies: string) =>
    loadRouterConfig({ file: { path: 'router.yaml', text: `traffic: { trusted_proxies: [${proxies}] }` } })
  expect(read('10.0.0.0/8, 192.0.2.7').traffic.trustedProxies).toEqual(['10.0.0.0/8', '192.0.2.7'])
  expect(() => read('loadbalancer')).toThrow(RouterConfigError)
  expect(() => read('loadbalancer')).toThrow(/trusted_proxies.*expected an address or a network/s)
})
