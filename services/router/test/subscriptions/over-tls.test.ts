/** Subscriptions over TLS: several streams of one HTTP/2 connection, and WebSockets. */
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type ClientHttp2Session, connect, constants } from 'node:http2'
import { join } from 'node:path'
import { createCertificate, temporaryDirectory } from '@switchyard/testkit'
import { createClient } from 'graphql-ws'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type ClientOptions, WebSocket } from 'ws'
import { until } from '../support/router.ts'
import { type EventWorld, startEventWorld } from './support/event-world.ts'

const SSE = 'text/event-stream'
const MULTIPART = 'multipart/mixed;subscriptionSpec="1.0"'
const QUERY = 'subscription ($type: String) { changed(type: $type) { upc price } }'
const changed = (upc: string) => ({ changed: { upc } })
const priced = (upc: string) => `{"data":{"changed":{"upc":"${upc}","price":${Number(upc) * 10}}}}`

let stack = new AsyncDisposableStack()
let world: EventWorld
let ca: string

beforeEach(async () => {
  const { path } = stack.use(await temporaryDirectory())
  const certificate = createCertificate()
  ca = certificate.cert
  await writeFile(join(path, 'router.crt'), certificate.cert)
  await writeFile(join(path, 'router.key'), certificate.key)
  const tls = `tls: { cert_file: ${path}/router.crt, key_file: ${path}/router.key }`
  world = stack.use(await startEventWorld('', `engine: { enable_defer: true }\n${tls}`))
})
afterEach(async () => {
  await stack.disposeAsync()
  stack = new AsyncDisposableStack()
})

async function session(): Promise<ClientHttp2Session> {
  const opened = connect(`https://localhost:${world.router.port}`, { ca })
  opened.on('error', () => {})
  stack.defer(() => opened.destroy())
  await once(opened, 'connect')
  return opened
}

/** A subscription of its own at the subgraph, as its variable is another. */
function subscribe(on: ClientHttp2Session, type: string, accept: string) {
  const stream = on.request({
    ':method': 'POST',
    ':path': '/graphql',
    'content-type': 'application/json',
    accept,
  })
  const heard = { text: '', closed: false, cancel: () => stream.close(constants.NGHTTP2_CANCEL) }
  stream.setEncoding('utf8').on('data', (chunk: string) => (heard.text += chunk))
  stream.on('error', () => {})
  stream.on('close', () => (heard.closed = true))
  stream.end(JSON.stringify({ query: QUERY, variables: { type } }))
  return heard
}

it.each([SSE, MULTIPART])('streams of one HTTP/2 connection have their own events: %s', async (accept) => {
  const on = await session()
  const streams = ['a', 'b', 'c'].map((type) => subscribe(on, type, accept))
  const [first, second, third] = streams
  await world.subscribed(3)
  world.events.send(changed('1'))
  await until(() => streams.every(({ text }) => text.includes(priced('1'))), 'the first event')
  // One that is cancelled ends at its subgraph, and the others go on.
  second?.cancel()
  await world.subscribed(2)
  world.events.send(changed('2'))
  await until(
    () => first?.text.includes(priced('2')) && third?.text.includes(priced('2')),
    'the second event',
  )
  expect(second?.text).not.toContain(priced('2'))
  world.events.send(null)
  await until(() => first?.closed === true && third?.closed === true, 'the end')
  for (const stream of [first, third])
    expect(stream?.text).toMatch(accept === SSE ? /event: complete\ndata: \n\n$/ : /--graphql--\r\n$/)
  expect(on.closed).toBe(false)
})

it('streams of one HTTP/2 connection end each in its way when the router stops', async () => {
  const on = await session()
  const [sse, multipart] = [subscribe(on, 'a', SSE), subscribe(on, 'b', MULTIPART)]
  await world.subscribed(2)
  world.events.send(changed('1'))
  await until(() => [sse, multipart].every(({ text }) => text.includes(priced('1'))), 'an event')
  await world.router[Symbol.asyncDispose]()
  await until(() => sse.closed && multipart.closed && on.closed, 'the end')
  expect(sse.text).not.toContain('event: complete')
  expect(multipart.text).toContain('"payload":null')
  expect(multipart.text).toContain('"code":"DRAINING"')
  expect(multipart.text.endsWith('--graphql--\r\n')).toBe(true)
})

/** Trusts the certificate of the router. */
class TrustingSocket extends WebSocket {
  constructor(url: string, protocols: string | string[], options: ClientOptions = {}) {
    super(url, protocols, { ...options, ca })
  }
}

it('a WebSocket over TLS has events, answers and deferred parts, and closes when the router stops', async () => {
  const url = `wss://localhost:${world.router.port}/graphql`
  const closed: unknown[] = []
  const client = createClient({
    url,
    webSocketImpl: TrustingSocket,
    connectionParams: { incrementalSpec: 'v0.2' },
    retryAttempts: 0,
    on: { closed: (event) => closed.push(Object(event)['code']) },
  })
  const events: string[] = []
  client.subscribe(
    { query: QUERY, variables: { type: 'a' } },
    { next: (event) => events.push(JSON.stringify(event)), error: () => {}, complete: () => {} },
  )
  await world.subscribed(1)
  world.events.send(changed('1'))
  await until(() => events.length === 1, 'an event')
  const parts: unknown[] = []
  for await (const part of client.iterate({ query: '{ __typename ... @defer { stocked } }' }))
    parts.push(part)
  expect(parts).toMatchObject([
    { hasNext: true },
    { incremental: [{ data: { stocked: 3 } }], hasNext: false },
  ])
  world.events.send(changed('2'))
  await until(() => events.length === 2, 'another event')
  expect(events).toEqual([priced('1'), priced('2')])
  await world.router[Symbol.asyncDispose]()
  await until(() => closed.length > 0, 'the close')
  expect(closed).toEqual([1001])
  await client.dispose()
})

it.each([
  ['of the router itself', () => `https://localhost:${world.router.port}`, 'open'],
  ['of another host', () => 'https://evil.example', 'Unexpected server response: 403'],
])('a page %s is judged by its origin over TLS as well', async (_, origin, expected) => {
  const url = `wss://localhost:${world.router.port}/graphql`
  const socket = new TrustingSocket(url, 'graphql-transport-ws', { origin: origin() })
  const outcome = await new Promise<string>((resolve) => {
    socket.on('open', () => resolve('open'))
    socket.on('error', ({ message }) => resolve(message))
  })
  expect(outcome).toBe(expected)
  socket.terminate()
})
