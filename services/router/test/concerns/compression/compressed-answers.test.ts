/** Answers that clients get compressed, over sockets. */
import { createServer, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { createGunzip, brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Compression, type CompressedCopies } from '../../../src/concerns/compression/compression.ts'
import { CompressionMetrics } from '../../../src/concerns/compression/metrics.ts'
import { buildArtifact } from '../../support/artifacts.ts'
import { ConfigWorld } from '../../support/config-world.ts'
import { PartReader } from '../../support/parts.ts'
import { post, routerOn, type TestRouter, until } from '../../support/router.ts'
import { startShopRouter } from '../../support/shop-router.ts'
import { http2SessionOn } from '../../support/streams.ts'
import { closeServer, listenOnFreePort } from '../../support/subgraph.ts'
import { Warehouse } from '../../support/warehouse.ts'

const COMPRESSED = 'compression: { enabled: true }\nbatching: { enabled: true }'
const DECODE = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync }
const CODINGS = ['gzip', 'br', 'zstd'] as const
type Coding = (typeof CODINGS)[number]

type Answer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: Buffer }

const stack = new AsyncDisposableStack()
/** What the subgraph answers to `{ version }`. */
let version = ''
/** Held while there is one. */
let gate: PromiseWithResolvers<void> | null = null
let calls = 0
let router: TestRouter

beforeAll(async () => {
  const server = createServer((request, response) => {
    calls++
    request.resume().on('end', () => {
      void Promise.resolve(gate?.promise).then(() => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ data: { version } }))
      })
    })
  })
  const products = `http://127.0.0.1:${await listenOnFreePort(server)}/`
  stack.defer(() => closeServer(server))
  const world = stack.use(await ConfigWorld.create())
  await world.publish({ revision: 1, base: buildArtifact('base', { products, reviews: products }) })
  router = stack.use(await routerOn(world, { settings: COMPRESSED }))
  await router.ready
})
afterAll(() => stack.disposeAsync())

async function ask(
  target: TestRouter,
  headers: Readonly<Record<string, string>>,
  body: unknown = { query: '{ version }' },
): Promise<Answer> {
  const outgoing = httpRequest(target.graphqlUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
  })
  outgoing.end(JSON.stringify(body))
  const [response] = await once(outgoing, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }
}

async function askHttp2(target: TestRouter, accepted: string): Promise<Answer> {
  using session = await http2SessionOn(target)
  const stream = session.request({
    ':method': 'POST',
    ':path': '/graphql',
    'content-type': 'application/json',
    'accept-encoding': accepted,
  })
  stream.end('{"query":"{ version }"}')
  const [headers] = await once(stream, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return { status: headers[':status'], headers, body: Buffer.concat(chunks) }
}

/** Compresses well, and is longer than what is printed and sent in one piece where it is large. */
const textOf = (length: number): string => {
  let text = ''
  for (let line = 0; text.length < length; line++) text += `line ${line} of some text; `
  return text.slice(0, length)
}

describe.each(CODINGS)('an answer in %s', (coding) => {
  it.each([1024, 100_000, 3_000_000])('of %d bytes is the same as without', async (length) => {
    version = textOf(length)
    const expected = JSON.stringify({ data: { version } })
    for (const answer of [await ask(router, { 'accept-encoding': coding }), await askHttp2(router, coding)]) {
      expect(answer.status).toBe(200)
      expect(answer.headers['content-encoding']).toBe(coding)
      expect(answer.headers.vary).toMatch(/\bAccept-Encoding\b/)
      expect(answer.headers['content-length']).toBe(String(answer.body.length))
      expect(answer.body.length).toBeLessThan(expected.length)
      expect(DECODE[coding](answer.body).toString() === expected).toBe(true)
    }
  })

  it('is given to all who wait for it, each as it accepts it, made once', async () => {
    version = textOf(50_000)
    gate = Promise.withResolvers()
    const before = calls
    const asked = [coding, 'gzip', 'identity', coding, 'br, gzip;q=0.5', coding]
    const answers = asked.map((accepted) => ask(router, { 'accept-encoding': accepted }))
    await until(() => router.activeRequests() === asked.length && calls > before, 'all are in progress')
    gate.resolve()
    gate = null
    const got = await Promise.all(answers)
    expect(calls).toBe(before + 1)
    expect(got.map(({ headers }) => headers['content-encoding'])).toEqual([
      coding,
      'gzip',
      undefined,
      coding,
      'br',
      coding,
    ])
    for (const { headers, body } of got) {
      const name = headers['content-encoding'] as Coding | undefined
      const text = (name === undefined ? body : DECODE[name](body)).toString()
      expect(text === JSON.stringify({ data: { version } })).toBe(true)
    }
  })
})

describe('an answer', () => {
  it('is not compressed that is small, or that the client does not want compressed', async () => {
    version = 'small'
    const small = await ask(router, { 'accept-encoding': 'gzip, br, zstd' })
    expect(small.headers['content-encoding']).toBeUndefined()
    expect(small.headers.vary).toMatch(/\bAccept-Encoding\b/)
    version = textOf(10_000)
    for (const accepted of ['identity', 'gzip;q=0', 'deflate', '']) {
      const plain = await ask(router, { 'accept-encoding': accepted })
      expect(plain.headers['content-encoding']).toBeUndefined()
      expect(plain.body.length).toBeGreaterThan(10_000)
    }
  })

  it('is sent as it is where compressing makes it no smaller', async () => {
    version = Array.from({ length: 700 }, (_, index) =>
      String.fromCharCode(0x4e00 + ((index * 7919) % 20_000)),
    ).join('')
    const answer = await ask(router, { 'accept-encoding': 'gzip' })
    expect(answer.body.length).toBeLessThan(Buffer.byteLength(version) + 100)
    const text = answer.headers['content-encoding'] === 'gzip' ? gunzipSync(answer.body) : answer.body
    expect(JSON.parse(text.toString())).toEqual({ data: { version } })
  })

  it('to a batch is compressed as a whole', async () => {
    version = textOf(5000)
    const batch = [{ query: '{ version }' }, { query: '{ version, again: __typename }' }]
    const { headers, body } = await ask(router, { 'accept-encoding': 'br' }, batch)
    expect(headers['content-encoding']).toBe('br')
    const answers = JSON.parse(brotliDecompressSync(body).toString()) as readonly unknown[]
    expect(answers).toEqual([{ data: { version } }, { data: { version, again: 'Query' } }])
  })

  it('that is an error is, too, where it is large', async () => {
    const query = `{ ${Array.from({ length: 60 }, (_, index) => `unknown${index}`).join(' ')} }`
    const { status, headers, body } = await ask(
      router,
      { 'accept-encoding': 'zstd', accept: 'application/graphql-response+json' },
      { query },
    )
    expect(status).toBe(400)
    expect(headers['content-encoding']).toBe('zstd')
    expect(JSON.parse(zstdDecompressSync(body).toString())).toHaveProperty('errors')
  })

  it('is not compressed, and says nothing of it, unless the settings ask for it', async () => {
    await using own = await startShopRouter()
    const query = `{ ${Array.from({ length: 200 }, (_, index) => `alias${index}: version`).join(' ')} }`
    const { headers, body } = await ask(own.router, { 'accept-encoding': 'gzip' }, { query })
    expect(body.length).toBeGreaterThan(2000)
    expect(headers['content-encoding']).toBeUndefined()
    expect(headers.vary).not.toMatch(/Accept-Encoding/)
  })

  it('leaves the connection to others while it is compressed, and when its client is gone', async () => {
    version = textOf(3_000_000)
    const leaving = httpRequest(router.graphqlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-encoding': 'br' },
    })
    leaving.on('error', () => {})
    leaving.end('{"query":"{ version }"}')
    await until(() => router.activeRequests() > 0, 'it is in progress')
    leaving.destroy()
    await until(() => router.activeRequests() === 0, 'nothing is left of it')
    expect((await post(router, { query: '{ __typename }' })).json).toEqual({ data: { __typename: 'Query' } })
  })
})

describe('what is compressed at the same time', () => {
  const config = { minSize: 0, encodings: ['gzip', 'br'] as const }
  const open = () =>
    new Compression({ ...config, encodings: [...config.encodings] }, new CompressionMetrics())

  it('is bounded: beyond that answers are sent as they are', async () => {
    const compression = open()
    const content = textOf(1024 * 1024)
    const begun = Array.from({ length: 20 }, () => compression.compress(content, 'gzip', null))
    const compressed = begun.filter((one) => one !== null)
    expect(compressed).toHaveLength(8)
    await Promise.all(compressed)
    expect(compression.compress(content, 'gzip', null)).not.toBeNull()
  })

  it('may be one that is larger than that', async () => {
    const compressed = await open().compress(textOf(20 * 1024 * 1024), 'gzip', null)
    expect(compressed?.pieces.length).toBeGreaterThan(0)
  })

  it('is done once for content that several get', async () => {
    const copies: CompressedCopies = new Map()
    const compression = open()
    const first = compression.compress(textOf(5000), 'gzip', copies)
    expect(compression.compress(textOf(5000), 'gzip', copies)).toBe(first)
    expect(compression.compress(textOf(5000), 'br', copies)).not.toBe(first)
    expect(await first).toMatchObject({ coding: 'gzip' })
  })
})

describe('an answer in parts', () => {
  let warehouse: Warehouse
  beforeAll(async () => {
    warehouse = stack.use(await Warehouse.start('compression: { enabled: true }'))
  })
  const query = '{ item { name ...@defer { count } ...@defer { stars } } }'

  it.each(['gzip', 'br, gzip, zstd', 'gzip;q=0.1'])(
    'reaches a client of %s part by part',
    async (accepted) => {
      warehouse.suffer(null)
      warehouse.hold('stock')
      warehouse.hold('stars')
      const target = await warehouse.router()
      const outgoing = httpRequest(target.graphqlUrl, {
        agent: false,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'accept-encoding': accepted },
      })
      outgoing.end(JSON.stringify({ query }))
      const [response] = await once(outgoing, 'response')
      expect(response.headers['content-encoding']).toBe('gzip')
      expect(response.headers.vary).toMatch(/\bAccept-Encoding\b/)
      const reader = new PartReader()
      const parts: unknown[] = []
      const decoded = response.pipe(createGunzip())
      decoded.on('data', (bytes: Buffer) => {
        parts.push(...reader.read(bytes).map(({ text }): unknown => JSON.parse(text)))
      })
      await until(() => parts.length === 1, 'the first part is there')
      expect(parts[0]).toMatchObject({ data: { item: { name: 'b' } }, hasNext: true })
      warehouse.release('stars')
      await until(() => parts.length === 2, 'the second part is there')
      expect(parts[1]).toMatchObject({ incremental: [{ data: { stars: 10 } }], hasNext: true })
      warehouse.release('stock')
      await once(decoded, 'end')
      expect(parts[2]).toMatchObject({ incremental: [{ data: { count: 2 } }], hasNext: false })
      expect(reader.isOver).toBe(true)
    },
  )

  it('reaches fetch part by part, which decompresses by itself', async () => {
    warehouse.suffer(null)
    warehouse.hold('stock')
    const target = await warehouse.router()
    const response = await fetch(target.graphqlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'multipart/mixed' },
      body: JSON.stringify({ query: '{ item { name ...@defer { count } } }' }),
    })
    expect(response.headers.get('content-encoding')).toBe('gzip')
    const reader = new PartReader()
    const parts: string[] = []
    const chunks = response.body?.getReader()
    const read = async (): Promise<boolean> => {
      const { value, done } = (await chunks?.read()) ?? { done: true, value: undefined }
      if (value !== undefined) parts.push(...reader.read(Buffer.from(value)).map(({ text }) => text))
      return done
    }
    while (parts.length < 1) await read()
    expect(JSON.parse(parts[0] ?? '')).toMatchObject({ data: { item: { name: 'b' } }, hasNext: true })
    warehouse.release('stock')
    while (!(await read()));
    expect(JSON.parse(parts[1] ?? '')).toMatchObject({ incremental: [{ data: { count: 2 } }] })
  })

  it('is sent as it is to clients that do not take gzip', async () => {
    warehouse.suffer(null)
    const { headers, body } = await ask(
      await warehouse.router(),
      { 'accept-encoding': 'br, zstd' },
      { query },
    )
    expect(headers['content-encoding']).toBeUndefined()
    expect(body.toString()).toMatch(/^--graphql\r\n/)
  })

  it('ends for a client that leaves', async () => {
    warehouse.suffer(null)
    warehouse.hold('stock')
    const target = await warehouse.router()
    const outgoing = httpRequest(target.graphqlUrl, {
      agent: false,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-encoding': 'gzip' },
    })
    outgoing.on('error', () => {})
    outgoing.end(JSON.stringify({ query }))
    await once(outgoing, 'response')
    await until(() => warehouse.calls['stock'] === 1, 'the held call has begun')
    outgoing.destroy()
    await until(() => target.activeRequests() === 0, 'nothing is in progress')
    await until(() => warehouse.givenUp['stock'] === 1, 'the call is given up')
    warehouse.release('stock')
  })
})
