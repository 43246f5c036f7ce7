/** Requests that clients compress, well or to do harm, over sockets. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isLongRun, recordMetrics } from '@switchyard/testkit'
import { ConfigWorld } from '../../support/config-world.ts'
import { heldBytes } from '../../support/heap.ts'
import { type Reply, routerOn, send, type TestRouter, until } from '../../support/router.ts'
import { type Shop, startShop } from '../../support/shop.ts'
import { http2SessionOn } from '../../support/streams.ts'

const MIB = 1024 * 1024
/** Bodies of 10 MiB that come at once. */
const BOMBS = isLongRun() ? 300 : 50
const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const ENCODE = {
  gzip: (text: string | Buffer) => gzipSync(text),
  br: (text: string | Buffer) => brotliCompressSync(text, FAST),
  zstd: (text: string | Buffer) => zstdCompressSync(text),
}
const CODINGS = ['gzip', 'br', 'zstd'] as const
const QUERY = JSON.stringify({ query: '{ version }' })
const ANSWER = { version: 'products' }

const stack = new AsyncDisposableStack()
const { measured } = stack.use(recordMetrics())
let shop: Shop
let world: ConfigWorld
let router: TestRouter

beforeAll(async () => {
  shop = stack.use(await startShop())
  world = stack.use(await ConfigWorld.create())
  await world.publish({ revision: 1, base: shop.base })
  router = stack.use(await routerOn(world))
  await router.ready
})
afterAll(() => stack.disposeAsync())
beforeEach(() => {
  measured.length = 0
})

/** A body for the same answer, which packs to little less. */
function bodyWithNoise(length: number): string {
  let noise = ''
  for (let index = 0; noise.length < length; index++) noise += ((index * 2_654_435_761) >>> 0).toString(36)
  return JSON.stringify({ query: '{ version }', variables: { noise } })
}

const counted = () => measured.filter(({ name }) => name === 'switchyard.router.compressed_requests')
const JSON_BODY = { 'content-type': 'application/json' }
const codeOf = ({ json }: Reply) => json.errors?.[0]?.extensions['code']
const messageOf = ({ json }: Reply) => json.errors?.[0]?.message

function ask(target: TestRouter, coding: string, body: Buffer): Promise<Reply> {
  const headers = { ...JSON_BODY, 'content-encoding': coding }
  return send(target.graphqlUrl, { method: 'POST', headers, body })
}

/** Sends the pieces one after the other, over HTTP/2 and without a length. */
async function askHttp2(target: TestRouter, coding: string, pieces: readonly Buffer[]): Promise<string> {
  using session = await http2SessionOn(target)
  const stream = session.request({
    ':method': 'POST',
    ':path': '/graphql',
    'content-encoding': coding,
    ...JSON_BODY,
  })
  stream.on('error', () => {})
  for (const piece of pieces) {
    stream.write(piece)
    await new Promise(setImmediate)
  }
  stream.end()
  let text = ''
  for await (const chunk of stream) text += String(chunk)
  return text
}

async function sending(target: TestRouter, coding: string, body: Buffer) {
  const socket = connect(target.port, '127.0.0.1')
  socket.on('error', () => {})
  let text = ''
  socket.on('data', (bytes: Buffer) => (text += bytes.toString()))
  await once(socket, 'connect')
  socket.write(
    `POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Encoding: ${coding}\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n`,
  )
  socket.write(body)
  socket.write('\r\n')
  return {
    text: () => text,
    finish: () => void socket.write('0\r\n\r\n'),
    [Symbol.dispose]: () => socket.destroy(),
  }
}

describe.each(CODINGS)('a request in %s', (coding) => {
  it('is answered over HTTP/1 and HTTP/2, in one piece and byte by byte', async () => {
    const body = ENCODE[coding](QUERY)
    expect((await ask(router, coding, body)).json.data).toEqual(ANSWER)
    expect((await ask(router, coding.toUpperCase(), body)).json.data).toEqual(ANSWER)
    expect(JSON.parse(await askHttp2(router, coding, [body])).data).toEqual(ANSWER)
    const bytes = [...body].map((byte) => Buffer.of(byte))
    expect(JSON.parse(await askHttp2(router, coding, bytes)).data).toEqual(ANSWER)
    expect(counted().map(({ labels }) => labels)).toEqual(
      Array.from({ length: 4 }, () => ({ encoding: coding })),
    )
  })

  it('is answered where it is large', async () => {
    const ids = Array.from({ length: 300_000 }, (_, index) => (index * 7919).toString(36))
    const body = ENCODE[coding](JSON.stringify({ query: '{ version }', variables: { ids: ids.join() } }))
    expect((await ask(router, coding, body)).json.data).toEqual(ANSWER)
    expect(JSON.parse(await askHttp2(router, coding, [body])).data).toEqual(ANSWER)
  })

  it('may be a batch, whose operations are not compressed once more', async () => {
    await using batching = await routerOn(world, { settings: 'batching: { enabled: true }' })
    await batching.ready
    const { text } = await ask(batching, coding, ENCODE[coding](`[${QUERY},${QUERY}]`))
    expect(JSON.parse(text)).toEqual([{ data: ANSWER }, { data: ANSWER }])
    expect(counted()).toHaveLength(1)
  })

  it('gets 400 where it is damaged, and the connection goes on', async () => {
    const body = ENCODE[coding](QUERY)
    for (const bad of [Buffer.alloc(0), body.subarray(0, -1), Buffer.from(QUERY)]) {
      const reply = await ask(router, coding, bad)
      expect([reply.status, codeOf(reply)]).toEqual([400, 'BAD_REQUEST'])
      expect(messageOf(reply)).toContain(`is no complete, valid ${coding}`)
      expect(await askHttp2(router, coding, [bad])).toContain(`is no complete, valid ${coding}`)
    }
    using client = await sending(router, coding, body.subarray(0, -1))
    client.finish()
    await until(() => client.text().includes('BAD_REQUEST'), 'the refusal')
    expect(client.text()).not.toMatch(/connection: close/i)
  })

  it('that is compressed twice is no text', async () => {
    const reply = await ask(router, coding, ENCODE[coding](gzipSync(QUERY)))
    expect([reply.status, messageOf(reply)]).toEqual([400, 'The request body is not UTF-8 text.'])
  })

  it('gets 413 beyond the limit for bodies, which counts what is unpacked', async () => {
    await using limited = await routerOn(world, { settings: 'limits: { max_body_size: 10KiB }' })
    await limited.ready
    const padded = (length: number) => ENCODE[coding](QUERY + ' '.repeat(length - QUERY.length))
    expect((await ask(limited, coding, padded(10 * 1024))).json.data).toEqual(ANSWER)
    const reply = await ask(limited, coding, padded(10 * 1024 + 1))
    expect([reply.status, codeOf(reply)]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    expect(messageOf(reply)).toBe('The request body unpacks to more than the 10240 bytes allowed.')
  })

  it('that unpacks to megabytes gets 413, and so do many at once, which leave no memory', async () => {
    const bomb = ENCODE[coding](Buffer.alloc(10 * MIB))
    const [first] = await Promise.all([ask(router, coding, bomb), askHttp2(router, coding, [bomb])])
    expect([first.status, codeOf(first)]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    expect(messageOf(first)).toContain('more than 20 times its size')
    const before = await heldBytes()
    let peak = 0
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().external)), 1)
    const replies = await Promise.all(Array.from({ length: BOMBS }, () => ask(router, coding, bomb)))
    clearInterval(watch)
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([413]))
    // Unpacked whole, they were 500 MB or 3 GB.
    expect(peak - before).toBeLessThan(200 * MIB)
    expect((await heldBytes()) - before).toBeLessThan(8 * MIB)
    expect((await ask(router, coding, ENCODE[coding](QUERY))).json.data).toEqual(ANSWER)
  })

  it('leaves no memory where its client leaves in the middle', async () => {
    // The last small pieces of a body are kept back until more comes.
    const body = ENCODE[coding](bodyWithNoise(16_000)).subarray(0, -2)
    const leave = async (count: number): Promise<void> => {
      const clients = await Promise.all(Array.from({ length: count }, () => sending(router, coding, body)))
      await until(() => counted().length >= count, 'all have begun')
      for (const client of clients) client[Symbol.dispose]()
      measured.length = 0
    }
    await leave(50)
    const before = await heldBytes()
    await leave(500)
    // Each holds more than 16 KiB.
    await until(async () => (await heldBytes()) - before < 4 * MIB, 'nothing is held any more')
    expect((await ask(router, coding, ENCODE[coding](QUERY))).json.data).toEqual(ANSWER)
  })
})

describe('bodies that unpack to nothing', () => {
  it('get 413 beyond the limit for bodies', async () => {
    const empty = gzipSync('')
    const many = Buffer.concat(Array.from({ length: Math.ceil((5 * MIB) / empty.length) + 1 }, () => empty))
    expect(await askHttp2(router, 'gzip', [many])).toContain('PAYLOAD_TOO_LARGE')
    expect(await askHttp2(router, 'gzip', [many.subarray(0, 200_000 - (200_000 % empty.length))])).toContain(
      'BAD_REQUEST',
    )
  })
})

describe('Content-Encoding', () => {
  const plain = Buffer.from(QUERY)

  it.each(['identity', ''])('%j means that the body is not coded', async (coding) => {
    expect((await ask(router, coding, plain)).json.data).toEqual(ANSWER)
  })

  it('x-gzip is gzip', async () => {
    expect((await ask(router, 'X-GZip', gzipSync(QUERY))).json.data).toEqual(ANSWER)
  })

  it.each(['deflate', 'compress', '*', 'gzip;q=1', 'constructor'])(
    '%j gets 415, which says what is spoken',
    async (coding) => {
      const reply = await ask(router, coding, gzipSync(QUERY))
      expect([reply.status, codeOf(reply)]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
      expect(reply.headers['accept-encoding']).toBe('gzip, br, zstd')
      expect(messageOf(reply)).toBe(
        'The content coding of the request body (Content-Encoding) is not supported. Expected gzip, br, zstd, alone, or an uncompressed body.',
      )
    },
  )

  it.each(['gzip, gzip', 'identity, gzip', 'br,zstd'])(
    '%j gets 415, since it names several',
    async (coding) => {
      const reply = await ask(router, coding, gzipSync(gzipSync(QUERY)))
      expect([reply.status, codeOf(reply)]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
      expect(messageOf(reply)).toMatch(/^The request body has several content codings\./)
      const headers = { ...JSON_BODY, 'content-encoding': coding.split(',').map((name) => name.trim()) }
      const body = gzipSync(gzipSync(QUERY))
      expect((await send(router.graphqlUrl, { method: 'POST', headers, body })).status).toBe(415)
    },
  )

  it('says nothing of a request by GET', async () => {
    const url = `${router.graphqlUrl}?query=${encodeURIComponent('{ version }')}`
    expect((await send(url, { headers: { 'content-encoding': 'nonsense' } })).json.data).toEqual(ANSWER)
  })

  it('is refused with 415 where the settings name no coding, or not this one', async () => {
    await using none = await routerOn(world, { settings: 'compression: { request_encodings: [] }' })
    await none.ready
    const reply = await ask(none, 'gzip', gzipSync(QUERY))
    expect([reply.status, codeOf(reply)]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
    expect(reply.headers['accept-encoding']).toBe('identity')
    expect(messageOf(reply)).toContain('takes no compressed request bodies (compression.request_encodings)')
    await using one = await routerOn(world, { settings: 'compression: { request_encodings: [zstd] }' })
    await one.ready
    expect((await ask(one, 'zstd', ENCODE.zstd(QUERY))).json.data).toEqual(ANSWER)
    const other = await ask(one, 'gzip', gzipSync(QUERY))
    expect([other.status, other.headers['accept-encoding']]).toEqual([415, 'zstd'])
  })
})

it('pages of other origins may compress their requests, where somebody may', async () => {
  for (const [encodings, isAllowed] of [
    ['[gzip]', true],
    ['[]', false],
  ] as const) {
    const settings = `cors: { origins: ["https://a.example"] }\ncompression: { request_encodings: ${encodings} }`
    await using open = await routerOn(world, { settings })
    await open.ready
    const headers = { origin: 'https://a.example', 'access-control-request-method': 'POST' }
    const reply = await send(open.graphqlUrl, { method: 'OPTIONS', headers })
    const allowed = String(reply.headers['access-control-allow-headers']).split(', ')
    expect(allowed.includes('Content-Encoding')).toBe(isAllowed)
  }
})

it('takes the body of a fetch that is compressed as it is sent', async () => {
  const body = new Blob([QUERY]).stream().pipeThrough(new CompressionStream('gzip'))
  const headers = { ...JSON_BODY, 'content-encoding': 'gzip' }
  const init = { method: 'POST', headers, body, duplex: 'half' }
  expect(await (await fetch(router.graphqlUrl, init)).json()).toEqual({ data: ANSWER })
})

describe('bodies that are not complete', () => {
  async function startLimited(use: AsyncDisposableStack): Promise<TestRouter> {
    const limits = 'max_unanswered_size: 1000KiB, max_unanswered_size_per_client: 1000KiB'
    const limited = use.use(await routerOn(world, { settings: `traffic: { ${limits} }` }))
    await limited.ready
    return limited
  }

  it('count as bytes that unanswered requests hold, unpacked and with their decompressors', async () => {
    await using use = new AsyncDisposableStack()
    const limited = await startLimited(use)
    // Each holds 64 KiB for its decompressor, and up to 8 KiB that are unpacked: 13 to 15 of them fit.
    const some = ENCODE.zstd(bodyWithNoise(8000))
    const clients = await Promise.all(Array.from({ length: 20 }, () => sending(limited, 'zstd', some)))
    for (const client of clients) use.use(client)
    const refused = () => clients.filter(({ text }) => text().includes('"code":"OVERLOADED"'))
    await until(() => refused().length >= 5, 'some give way')
    for (const client of clients) client.finish()
    await until(() => clients.every(({ text }) => text().includes('\r\n\r\n{')), 'all are answered')
    expect(refused().length).toBeLessThan(10)
  })

  it('count as they were sent where they are in br, since nothing is unpacked before they are', async () => {
    await using use = new AsyncDisposableStack()
    const limited = await startLimited(use)
    const large = ENCODE.br(bodyWithNoise(500_000))
    const fitting = Math.floor((1000 * 1024) / large.length)
    const clients = await Promise.all(
      Array.from({ length: fitting + 2 }, () => sending(limited, 'br', large)),
    )
    for (const client of clients) use.use(client)
    const refused = () => clients.filter(({ text }) => text().includes('"code":"OVERLOADED"'))
    await until(() => refused().length >= 2, 'some give way')
    expect(refused()).toHaveLength(2)
  })
})
