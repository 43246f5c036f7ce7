/** Streams of a router as they are on the wire: every byte, and which of them come together. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Gate } from '../support/gate.ts'
import { DEFERRING, gatedWorld } from '../support/gated-world.ts'
import { data, type RawSubgraph, startRawSubgraph } from '../support/ledger.ts'
import { PartReader, readParts } from '../support/parts.ts'
import { posted } from '../support/raw-http.ts'
import { routerOn, send, type TestRouter, until } from '../support/router.ts'
import { http2SessionOn } from '../support/streams.ts'

const DEFERRED = '{ product(upc: "1") { name ...@defer { reviews { body } } } }'
const REQUEST = { ':method': 'POST', ':path': '/graphql', 'content-type': 'application/json' }
const HEAD = '\r\nContent-Type: application/json\r\n\r\n'
const NASTY = '--graphql\r\n--graphql--\r\nContent-Length: 0\r\n\r\n😀 ü \\u002d-graphql "'

const stack = new AsyncDisposableStack()
let products: RawSubgraph
let reviews: RawSubgraph
/** In front of reviews. */
let gate: Gate
let router: TestRouter

beforeAll(async () => {
  products = stack.use(await startRawSubgraph())
  reviews = stack.use(await startRawSubgraph())
  const gated = await gatedWorld(stack, { products: products.url, next: products.url, reviews: reviews.url })
  gate = gated.gate
  router = stack.use(
    await routerOn(gated.world, {
      settings: `${DEFERRING}\ncors: { origins: ["https://shop.example"], credentials: true }`,
    }),
  )
  await router.ready
})
afterAll(() => stack.disposeAsync())
beforeEach(() => {
  gate.open()
  answers('Table', 'good')
})

/** What the two subgraphs say from now on. */
function answers(name: string, body: string): void {
  products.answers(
    data(`{"product":{"__typename":"Product","upc":"1","name":${JSON.stringify(name)}},"version":"v1"}`),
  )
  reviews.answers(data(`{"_entities":[{"reviews":[{"body":${JSON.stringify(body)}}]}]}`))
}

const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`

/** A client that keeps what it gets as it got it. */
class RawClient implements Disposable {
  readonly socket: Socket
  readonly segments: string[] = []
  constructor() {
    this.socket = connect(router.port, '127.0.0.1')
    this.socket.setEncoding('utf8')
    this.socket.on('data', (text) => this.segments.push(String(text)))
  }
  get text(): string {
    return this.segments.join('')
  }
  async ends(end: string): Promise<string> {
    await until(() => this.text.endsWith(end), `the text ends with ${JSON.stringify(end)}, not ${this.text}`)
    return this.text
  }
  [Symbol.dispose](): void {
    this.socket.destroy()
  }
}

const INITIAL =
  '{"data":{"product":{"name":"Table"}},"pending":[{"id":"1","path":["product"]}],"hasNext":true}'
const FINAL =
  '{"incremental":[{"data":{"reviews":[{"body":"good"}]},"id":"1"}],"completed":[{"id":"1"}],"hasNext":false}'
const STREAM = chunk(`--graphql${HEAD}${INITIAL}\r\n--graphql`)
const END = `${chunk(`${HEAD}${FINAL}\r\n--graphql--\r\n`)}0\r\n\r\n`

describe('a stream over HTTP/1.1', () => {
  it('is its headers with the first part in one piece, and each further part in one', async () => {
    gate.close()
    using client = new RawClient()
    client.socket.write(
      posted(DEFERRED, 'X-Feature-Flag: next\r\nX-Request-Id: r-1\r\nOrigin: https://shop.example\r\n'),
    )
    const first = await client.ends('--graphql\r\n')
    expect(client.segments).toHaveLength(1)
    const [head = ''] = first.split('\r\n\r\n', 1)
    expect(head.split('\r\n').filter((line) => !line.startsWith('Date: '))).toEqual([
      'HTTP/1.1 200 OK',
      'Cache-Control: no-cache',
      'Vary: Accept, X-Feature-Flag, Cookie, Origin',
      'X-Request-Id: r-1',
      'X-Feature-Flag: next',
      'Access-Control-Allow-Origin: https://shop.example',
      'Access-Control-Allow-Credentials: true',
      'Access-Control-Expose-Headers: X-Feature-Flag, X-Request-Id',
      'Content-Type: multipart/mixed; boundary="graphql"; incrementalSpec=v0.2',
      'X-Accel-Buffering: no',
      'Connection: keep-alive',
      'Keep-Alive: timeout=75',
      'Transfer-Encoding: chunked',
    ])
    expect(first.slice(head.length + 4)).toBe(STREAM)
    gate.open()
    await client.ends('0\r\n\r\n')
    expect(client.segments.slice(1)).toEqual([END])
  })

  it('is never compressed, whatever the client could read', async () => {
    const { headers, text } = await send(router.graphqlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-encoding': 'gzip, deflate, br, zstd' },
      body: JSON.stringify({ query: DEFERRED }),
    })
    expect(headers['content-encoding']).toBeUndefined()
    expect(readParts([Buffer.from(text)])).toHaveLength(2)
  })

  it('is followed by the answers to what was sent behind it, and to what is sent later', async () => {
    gate.close()
    using client = new RawClient()
    client.socket.write(posted(DEFERRED) + posted('{ version }') + posted(DEFERRED))
    await client.ends(STREAM)
    // They wait for it, so that no results are kept for a client that does not get them yet.
    expect(products.received).toHaveLength(1)
    gate.open()
    const bodies = () => client.text.split(/HTTP\/1\.1 200 OK\r\n[^]*?\r\n\r\n/).slice(1)
    await until(() => bodies().length === 3 && client.text.endsWith(END), 'all three are answered')
    expect(bodies()).toEqual([STREAM + END, '{"data":{"version":"v1"}}', STREAM + END])
    client.socket.write(posted('{ version }'))
    await until(() => bodies().length === 4, 'the connection is used again')
  })

  it('is not kept alive for a client that wants to close, and not chunked for one of HTTP/1.0', async () => {
    using closing = new RawClient()
    closing.socket.write(posted(DEFERRED, 'Connection: close\r\n'))
    await once(closing.socket, 'close')
    expect(closing.text).toMatch(/\r\nConnection: close\r\n/)
    expect(closing.text.endsWith(END)).toBe(true)
    using old = new RawClient()
    old.socket.write(posted(DEFERRED, '', '1.0'))
    await once(old.socket, 'close')
    const [head = '', ...body] = old.text.split('\r\n\r\n')
    expect(head).not.toMatch(/transfer-encoding/i)
    expect(body.join('\r\n\r\n')).toBe(
      `--graphql${HEAD}${INITIAL}\r\n--graphql${HEAD}${FINAL}\r\n--graphql--\r\n`,
    )
  })
})

describe('what fields hold', () => {
  it('never looks like the frame around it, and is what it was, wherever the stream is cut', async () => {
    answers(NASTY, NASTY)
    using client = new RawClient()
    client.socket.write(posted(DEFERRED, 'Connection: close\r\n', '1.0'))
    await once(client.socket, 'close')
    const body = Buffer.from(client.text.slice(client.text.indexOf('\r\n\r\n') + 4))
    expect(body.toString().split('--graphql')).toHaveLength(4)
    const whole = readParts([body])
    expect(whole.map(({ text }) => JSON.parse(text))).toEqual([
      { data: { product: { name: NASTY } }, pending: [{ id: '1', path: ['product'] }], hasNext: true },
      {
        incremental: [{ data: { reviews: [{ body: NASTY }] }, id: '1' }],
        completed: [{ id: '1' }],
        hasNext: false,
      },
    ])
    for (let cut = 0; cut <= body.length; cut++)
      expect(readParts([body.subarray(0, cut), body.subarray(cut)])).toEqual(whole)
  })

  it.each(['HTTP/1.1', 'HTTP/2'])('may be five megabytes, over %s', async (protocol) => {
    const large = '😀'.repeat(5_000_000 / 4)
    answers('Table', large)
    // Compared as text: a comparison of values takes seconds for it.
    const written = FINAL.replace('good', large)
    if (protocol === 'HTTP/2') {
      using session = await http2SessionOn(router)
      const stream = session.request(REQUEST)
      stream.end(JSON.stringify({ query: DEFERRED }))
      const chunks: Buffer[] = []
      for await (const bytes of stream) chunks.push(bytes)
      const texts = readParts([Buffer.concat(chunks)]).map(({ text }) => text)
      expect(texts.length === 2 && texts[0] === INITIAL && texts[1] === written).toBe(true)
      return
    }
    gate.close()
    using client = new RawClient()
    client.socket.write(posted(DEFERRED))
    await client.ends('--graphql\r\n')
    const before = client.text.length
    gate.open()
    await client.ends('0\r\n\r\n')
    // One chunk, however many segments it takes.
    expect(client.text.slice(before) === `${chunk(`${HEAD}${written}\r\n--graphql--\r\n`)}0\r\n\r\n`).toBe(
      true,
    )
  })
})

describe('other methods', () => {
  const search = new URLSearchParams({ query: DEFERRED }).toString()

  it('GET gets a stream, if no page of somebody else could have sent it', async () => {
    const url = `${router.graphqlUrl}?${search}`
    const refused = await send(url, { headers: { cookie: 'session=1' } })
    expect([refused.status, refused.json.errors?.[0]?.extensions['code']]).toEqual([403, 'CSRF_PREVENTED'])
    const reply = await send(url, { headers: { cookie: 'session=1', 'x-requested-with': 'test' } })
    const reader = new PartReader()
    expect(reader.read(Buffer.from(reply.text)).map(({ text }) => text)).toEqual([INITIAL, FINAL])
    expect(reader.isOver).toBe(true)
  })

  it('HEAD and a mutation by GET get none', async () => {
    using client = new RawClient()
    client.socket.write(`HEAD /graphql?${search} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    await once(client.socket, 'close')
    expect(client.text).toMatch(/^HTTP\/1\.1 405 [^]*\r\nAllow: GET, POST, OPTIONS\r\n[^]*\r\n\r\n$/)
    const query = 'mutation { rename(upc: "1", name: "x") { upc ...@defer { name } } }'
    const reply = await send(`${router.graphqlUrl}?${new URLSearchParams({ query }).toString()}`, {
      headers: { 'x-requested-with': 'test' },
    })
    expect([reply.status, reply.headers.allow]).toEqual([405, 'POST'])
  })
})

describe('the headers over HTTP/2', () => {
  it('are those of HTTP/1.1 without the ones of a connection', async () => {
    using session = await http2SessionOn(router)
    const headers = { 'x-feature-flag': 'next', 'x-request-id': 'r-1', origin: 'https://shop.example' }
    const stream = session.request({ ...REQUEST, ...headers })
    stream.end(JSON.stringify({ query: DEFERRED }))
    const raw = await new Promise<string[]>((resolve) => {
      stream.on('response', (_headers, _flags, list) => resolve(list))
    })
    const names = raw.filter((_, index) => index % 2 === 0)
    const values = raw.filter((_, index) => index % 2 === 1)
    expect(names.map((name, index) => [name, values[index]]).filter(([name]) => name !== 'date')).toEqual([
      [':status', '200'],
      ['cache-control', 'no-cache'],
      ['vary', 'Accept, X-Feature-Flag, Cookie, Origin'],
      ['x-request-id', 'r-1'],
      ['x-feature-flag', 'next'],
      ['access-control-allow-origin', 'https://shop.example'],
      ['access-control-allow-credentials', 'true'],
      ['access-control-expose-headers', 'X-Feature-Flag, X-Request-Id'],
      ['content-type', 'multipart/mixed; boundary="graphql"; incrementalSpec=v0.2'],
      ['x-accel-buffering', 'no'],
    ])
    stream.resume()
    await once(stream, 'close')
  })
})
