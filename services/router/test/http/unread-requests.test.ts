import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HttpError } from '../../src/errors/http-error.ts'
import { UnreadRequests } from '../../src/listen/unread-requests.ts'
import { ConfigWorld } from '../support/config-world.ts'
import { posted } from '../support/raw-http.ts'
import { post, routerOn, type TestRouter, until } from '../support/router.ts'
import { type Shop, startShop } from '../support/shop.ts'

const QUERY = '{ version }'
const WHOLE = posted(QUERY)
const [HEADERS = '', BODY = ''] = WHOLE.split(/(?<=\r\n\r\n)/)

const stack = new AsyncDisposableStack()
let shop: Shop
let world: ConfigWorld

beforeAll(async () => {
  shop = stack.use(await startShop())
  world = stack.use(await ConfigWorld.create())
  await world.publish({ revision: 1, base: shop.base })
})
afterAll(() => stack.disposeAsync())

type RawClient = Disposable & { readonly socket: Socket; readonly text: () => string }

async function sending(router: TestRouter, bytes: string): Promise<RawClient> {
  const socket = connect(router.port, '127.0.0.1')
  await once(socket, 'connect')
  let text = ''
  socket.on('data', (chunk) => (text += chunk.toString()))
  socket.on('error', () => {})
  socket.write(bytes)
  return { socket, text: () => text, [Symbol.dispose]: () => socket.destroy() }
}

/** Streams of one connection with headers only; `statuses` are those of the answered ones. */
async function streaming(router: TestRouter, count: number): Promise<Disposable & { statuses(): number[] }> {
  const session = connectHttp2(router.url)
  session.on('error', () => {})
  await once(session, 'remoteSettings')
  const statuses: number[] = []
  for (let index = 0; index < count; index++) {
    const stream = session.request({
      ':method': 'POST',
      ':path': '/graphql',
      'content-type': 'application/json',
    })
    stream.on('response', (headers) => statuses.push(headers[':status'] ?? 0))
    stream.on('error', () => {})
    stream.resume()
  }
  return { statuses: () => statuses, [Symbol.dispose]: () => session.destroy() }
}

describe('requests whose bodies do not arrive', () => {
  it('take no place of those in progress, over HTTP/1 and HTTP/2', async () => {
    await using use = new AsyncDisposableStack()
    const settings = 'traffic: { max_concurrent_requests: 2, max_unread_requests_per_client: 50 }'
    const router = use.use(await routerOn(world, { settings }))
    await router.ready
    for (let index = 0; index < 60; index++) use.use(await sending(router, HEADERS))
    const streams = use.use(await streaming(router, 120))
    // The router has seen all of them once it has refused so many.
    await until(() => streams.statuses().length >= 70, 'the streams beyond the limit are refused')
    expect(new Set(streams.statuses())).toEqual(new Set([503]))
    for (let index = 0; index < 5; index++) {
      const reply = await post(router, { query: QUERY })
      expect([reply.status, reply.json.data]).toEqual([200, { version: 'products' }])
    }
    expect(router.logs.filter(({ event }) => event === 'router.unread-limit')).not.toEqual([])
  })

  it('are refused where there are too many, the one that has waited longest first', async () => {
    await using use = new AsyncDisposableStack()
    const router = use.use(
      await routerOn(world, { settings: 'traffic: { max_unread_requests_per_client: 1 }' }),
    )
    await router.ready
    const first = use.use(await sending(router, HEADERS))
    await until(async () => {
      expect((await post(router, { query: QUERY })).status).toBe(200)
      return first.text().includes('"code":"OVERLOADED"')
    }, 'the first is refused in favour of another one')
    expect(first.text()).toMatch(/^HTTP\/1\.1 503 [^]*\r\nRetry-After: 1\r\n/)
    const slow = use.use(await sending(router, HEADERS))
    slow.socket.write(BODY)
    await until(() => slow.text().endsWith('{"data":{"version":"products"}}'), 'the next one is answered')
  })

  it('of one client cost another one no place', () => {
    const refused: string[] = []
    const unread = new UnreadRequests({ perClient: 3, total: 4 }, () => refused.push('told'))
    const add = (client: string, name: string) => {
      unread.add(client, (error) => {
        expect(error).toBeInstanceOf(HttpError)
        refused.push(name)
      })
    }
    add('quiet', 'q1')
    for (const name of ['a1', 'a2', 'a3', 'a4']) add('attacker', name)
    expect(refused).toEqual(['told', 'a1'])
    add('quiet', 'q2')
    expect(refused).toEqual(['told', 'a1', 'told', 'a2'])
    expect(unread.count).toBe(4)
  })

  it('beyond lower limits give way when the next one comes', () => {
    const refused: string[] = []
    const unread = new UnreadRequests({ perClient: 10, total: 20 }, () => {})
    const add = (client: string, name: string) => unread.add(client, () => refused.push(name))
    for (let count = 1; count <= 5; count++) {
      add('a', `a${count}`)
      add('b', `b${count}`)
    }
    unread.changeLimits({ perClient: 2, total: 5 })
    expect(unread.count).toBe(10)
    add('a', 'a6')
    expect(refused).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2'])
    expect(unread.count).toBe(5)
  })
})
