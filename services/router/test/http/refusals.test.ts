/** Each refusal is counted once, by its code, whatever part of the router refuses. */
import { connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recordMetrics } from '@switchyard/testkit'
import { ConfigWorld } from '../support/config-world.ts'
import { posted } from '../support/raw-http.ts'
import { post, routerOn, send, type TestRouter, until } from '../support/router.ts'
import { type Shop, startShop } from '../support/shop.ts'

const stack = new AsyncDisposableStack()
const { measured } = stack.use(recordMetrics())
let shop: Shop
let world: ConfigWorld
let router: TestRouter

beforeAll(async () => {
  shop = stack.use(await startShop())
  world = stack.use(await ConfigWorld.create())
  await world.publish({ revision: 1, base: shop.base })
  const settings = `
limits: { max_body_size: 2KiB, max_aliases: 2, max_header_size: 4KiB }
introspection: { enabled: false }
traffic: { headers_timeout: 100ms }
tracing: { vendor: Shop }`
  router = stack.use(await routerOn(world, { settings }))
  await router.ready
})
afterAll(() => stack.disposeAsync())
beforeEach(() => {
  measured.length = 0
})

const codes = () =>
  measured.filter(({ name }) => name === 'switchyard.router.refusals').map(({ labels }) => labels['code'])

/** The status line of what comes back, once the connection is closed. */
const raw = (text: string) =>
  new Promise<string>((resolve, reject) => {
    let answer = ''
    const socket = connect(router.port, '127.0.0.1', () => socket.write(text))
    socket.on('data', (chunk) => (answer += chunk.toString()))
    socket.on('close', () => resolve(answer.split('\r\n', 1)[0] ?? ''))
    socket.on('error', reject)
  })

describe('a refusal is counted by its code', () => {
  it.each([
    ['BAD_REQUEST', () => post(router, '{')],
    ['GRAPHQL_VALIDATION_FAILED', () => post(router, { query: '{ nothing }' })],
    ['OPERATION_LIMIT_EXCEEDED', () => post(router, { query: '{ a: version b: version c: version }' })],
    ['INTROSPECTION_DISABLED', () => post(router, { query: '{ __schema { types { name } } }' })],
    ['PAYLOAD_TOO_LARGE', () => post(router, { query: ' '.repeat(3000) })],
    [
      'TRACE_TOKEN_INVALID',
      () => post(router, { query: '{ version }' }, { 'x-shop-trace': 'true', 'x-shop-token': 'x' }),
    ],
    ['CSRF_PREVENTED', () => send(`${router.graphqlUrl}?query={version}`, { headers: { cookie: 'a=b' } })],
    ['NOT_FOUND', () => send(`${router.url}/made-up`)],
    ['METHOD_NOT_ALLOWED', () => send(router.graphqlUrl, { method: 'PUT' })],
    ['HEADERS_TOO_LARGE', () => raw(posted('{ version }', `X-Long: ${'x'.repeat(9000)}\r\n`))],
    ['REQUEST_TIMEOUT', () => raw('POST /graphql HTTP/1.1\r\n')],
    ['BAD_REQUEST', () => raw('GARBAGE\r\n\r\n')],
    ['BAD_REQUEST', () => raw(posted('{ version }', 'Host: y\r\nConnection: close\r\n'))],
  ])('%s', async (code, act) => {
    await act()
    await until(() => codes().length > 0 || undefined, 'the count')
    expect(codes()).toEqual([code])
  })

  it('and what is answered is not', async () => {
    await post(router, { query: '{ version }' })
    await until(() => measured.find(({ name }) => name === 'switchyard.router.requests'), 'the request')
    expect(codes()).toEqual([])
  })
})
