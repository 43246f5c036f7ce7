/** Who may open a WebSocket: the handshake, the origins of pages, and the limits of clients. */
import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { post, until } from '../../support/router.ts'
import { posted } from '../../support/raw-http.ts'
import { type ShopRouter, startShopRouter } from '../../support/shop-router.ts'
import { handshake, RawTalk, Talk } from './talk.ts'

const stack = new AsyncDisposableStack()
const ENABLED = 'enabled: true'
let open: ShopRouter
let any: ShopRouter
let off: ShopRouter

beforeAll(async () => {
  open = stack.use(
    await startShopRouter({
      settings: `
subscriptions: { ${ENABLED}, sockets: { max: 3, max_per_client: 2 } }
traffic: { trusted_proxies: [127.0.0.1] }
cors: { origins: ['https://shop.example', 'http://127.0.0.1:9'], credentials: true }
csrf: { guard: never, credential_headers: [x-certificate] }
`,
    }),
  )
  any = stack.use(
    await startShopRouter({ settings: `subscriptions: { ${ENABLED} }\ncors: { origins: ['*'] }` }),
  )
  off = stack.use(await startShopRouter())
})
afterAll(() => stack.disposeAsync())

type Headers = Readonly<Record<string, string | readonly string[] | null>>

/** The status of the answer to a handshake, with the code of its error. */
async function answerTo({ router }: ShopRouter, headers: Headers, line?: string): Promise<string> {
  using raw = await RawTalk.open(router.port, handshake(headers, line))
  const answer = await raw.until('\r\n\r\n')
  const status = answer.slice(9, 12)
  if (status === '101') return status
  const code = /"code":"(\w+)"/.exec(await raw.until('"code":"').then(() => raw.until('}}]}')))?.[1]
  return `${status} ${String(code)}`
}

describe('a handshake', () => {
  it.each<[string, Headers, string]>([
    ['that is as it should be', {}, '101'],
    ['with several subprotocols', { 'Sec-WebSocket-Protocol': 'graphql-ws, graphql-transport-ws' }, '101'],
    ['with the older subprotocol', { 'Sec-WebSocket-Protocol': 'graphql-ws' }, '400 BAD_REQUEST'],
    ['without a subprotocol', { 'Sec-WebSocket-Protocol': null }, '400 BAD_REQUEST'],
    ['with an empty subprotocol', { 'Sec-WebSocket-Protocol': 'graphql-transport-ws,' }, '400 BAD_REQUEST'],
    ['of another version', { 'Sec-WebSocket-Version': '8' }, '400 BAD_REQUEST'],
    ['without a key', { 'Sec-WebSocket-Key': null }, '400 BAD_REQUEST'],
    ['with a bad key', { 'Sec-WebSocket-Key': 'x' }, '400 BAD_REQUEST'],
    ['with a body', { 'Content-Length': '1' }, '400 BAD_REQUEST'],
    ['with two hosts', { Host: ['a', 'b'] }, '400 BAD_REQUEST'],
  ])('%s', async (_, headers, expected) => {
    expect(await answerTo(open, headers)).toBe(expected)
  })
  it.each([
    ['POST /graphql HTTP/1.1', '400 BAD_REQUEST'],
    ['GET /graphql HTTP/1.0', '400 BAD_REQUEST'],
    ['GET /graphql?a=1 HTTP/1.1', '101'],
    ['GET /other HTTP/1.1', '404 NOT_FOUND'],
  ])('as %s', async (line, expected) => {
    expect(await answerTo(open, {}, line)).toBe(expected)
  })
  it('with another subprotocol is told which one is spoken, and logged with those asked for', async () => {
    using raw = await RawTalk.open(open.router.port, handshake({ 'Sec-WebSocket-Protocol': 'graphql-ws' }))
    expect(await raw.until('}}]}')).toContain('This router speaks graphql-transport-ws')
    const { logs } = open.router
    const line = await until(() => logs.find(({ event }) => event === 'sockets.subprotocol-refused'), 'it')
    expect(line['subprotocols']).toEqual(expect.any(String))
  })
  it('on a connection with an unanswered request is refused', async () => {
    const slow = posted('{ slow(milliseconds: 300) }')
    using raw = await RawTalk.open(open.router.port, slow + handshake())
    const answers = await raw.until('an earlier request is not answered yet')
    expect(answers.indexOf('{"data":')).toBeLessThan(answers.indexOf('HTTP/1.1 400'))
  })
  it('after an answer on the same connection is taken', async () => {
    using raw = await RawTalk.open(open.router.port, posted('{ version }'))
    await raw.until('}}')
    raw.socket.write(handshake())
    await raw.until('HTTP/1.1 101')
  })
})

describe('where subscriptions are off, a handshake', () => {
  it.each(['GET /graphql HTTP/1.1', 'GET /graphql?query={version} HTTP/1.1'])(
    'is refused with the setting that opens WebSockets, counted and logged: %s',
    async (line) => {
      using raw = await RawTalk.open(off.router.port, handshake({}, line))
      const answer = await raw.until('}}]}')
      expect(answer).toContain('HTTP/1.1 400')
      expect(answer).toContain('\\"subscriptions.enabled\\" is false')
      expect(answer).toContain('"code":"WEBSOCKETS_NOT_SUPPORTED"')
      const { logs } = off.router
      expect(
        await until(() => logs.find(({ event }) => event === 'sockets.switched-off'), 'it'),
      ).toMatchObject({ level: 'warn', refused: 1 })
      // The connection goes on.
      raw.socket.write(posted('{ version }'))
      await raw.until('{"data":{"version":"products"}}')
    },
  )
  it('of graphql-ws fails, and the client is told that it was refused', async () => {
    const url = off.router.graphqlUrl.replace('http', 'ws')
    const client = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0 })
    const failed = Promise.withResolvers<unknown>()
    client.subscribe({ query: '{ version }' }, { next: () => {}, error: failed.resolve, complete: () => {} })
    expect(await failed.promise).toMatchObject({ message: 'Unexpected server response: 400' })
    await client.dispose()
  })
  it('at another path is not found', async () => {
    expect(await answerTo(off, {}, 'GET /other HTTP/1.1')).toBe('404 NOT_FOUND')
  })
  it('for another protocol is a request like others', async () => {
    const line = 'GET /graphql?query={version} HTTP/1.1'
    using raw = await RawTalk.open(off.router.port, handshake({ Upgrade: 'h2c' }, line))
    expect(await raw.until('"}}')).toContain('{"data":{"version":"products"}}')
  })
})

describe('the page of an origin', () => {
  const COOKIE = { Cookie: 'a=b' }
  it.each<[string, Headers, string]>([
    ['of the router itself', { Origin: 'http://router.example', ...COOKIE }, '101'],
    ['of the router itself behind TLS', { Origin: 'https://router.example', ...COOKIE }, '101'],
    [
      'of the router with its default port',
      { Origin: 'https://ROUTER.example', Host: 'router.example:443' },
      '101',
    ],
    ['of another port', { Origin: 'http://router.example:81' }, '403 CSRF_PREVENTED'],
    ['of an allowed one', { Origin: 'https://shop.example' }, '101'],
    ['of an allowed one, with a cookie', { Origin: 'https://SHOP.example', ...COOKIE }, '101'],
    ['of a foreign one', { Origin: 'https://evil.example' }, '403 CSRF_PREVENTED'],
    ['of a foreign one, with a cookie', { Origin: 'https://evil.example', ...COOKIE }, '403 CSRF_PREVENTED'],
    ['of one that begins alike', { Origin: 'https://shop.example.evil' }, '403 CSRF_PREVENTED'],
    ['of a sandbox', { Origin: 'null' }, '403 CSRF_PREVENTED'],
    ['of none', { Origin: '' }, '403 CSRF_PREVENTED'],
    ['of a star', { Origin: '*' }, '403 CSRF_PREVENTED'],
    ['of two', { Origin: ['https://shop.example', 'https://shop.example'] }, '403 CSRF_PREVENTED'],
    ['of a list', { Origin: 'https://shop.example, https://evil.example' }, '403 CSRF_PREVENTED'],
    ['that no browser sends', { Origin: 'http://user@router.example' }, '403 CSRF_PREVENTED'],
  ])('%s', async (_, headers, expected) => {
    expect(await answerTo(open, headers)).toBe(expected)
  })
  it.each<[string, Headers, string]>([
    ['without credentials', { Origin: 'https://evil.example' }, '101'],
    ['of a sandbox', { Origin: 'null' }, '101'],
    ['with a cookie', { Origin: 'https://evil.example', ...COOKIE }, '403 CSRF_PREVENTED'],
    [
      'with a remembered password',
      { Origin: 'https://evil.example', Authorization: 'Basic YTpi' },
      '403 CSRF_PREVENTED',
    ],
    ['twice', { Origin: ['https://a.example', 'https://a.example'] }, '403 CSRF_PREVENTED'],
  ])('where any may call the router: %s', async (_, headers, expected) => {
    expect(await answerTo(any, headers)).toBe(expected)
  })
})

it('WebSockets are limited by client address, and in all', async () => {
  const url = open.router.graphqlUrl
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })
  await using first = await Talk.open(url, from('192.0.2.1'))
  await using second = await Talk.open(url, from('192.0.2.1'))
  expect(await answerTo(open, { 'X-Forwarded-For': '192.0.2.1' })).toBe('503 OVERLOADED')
  await using third = await Talk.open(url, from('192.0.2.2'))
  expect(await answerTo(open, { 'X-Forwarded-For': '192.0.2.3' })).toBe('503 OVERLOADED')
  third.ws.close()
  await until(async () => (await answerTo(open, { 'X-Forwarded-For': '192.0.2.3' })) === '101', 'room')
  expect([first.ws.readyState, second.ws.readyState]).toEqual([1, 1])
  expect((await post(open.router, { query: '{ version }' })).status).toBe(200)
})
