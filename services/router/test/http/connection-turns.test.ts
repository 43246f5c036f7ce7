/**
 * Much that clients begin at once over HTTP/2, on one connection or on many: others wait for little of it.
 */
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type ClientHttp2Session, connect as connectHttp2, constants } from 'node:http2'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recordMetrics, temporaryDirectory } from '@switchyard/testkit'
import { type PacedConnection, ReadingTurns } from '@switchyard/service-kit'
import { FairConnectionLine } from '../../src/fairness/connection-line.ts'
import { MissingBodies } from '../../src/listen/missing-bodies.ts'
import { createCertificate } from '@switchyard/testkit'
import { ConfigWorld } from '../support/config-world.ts'
import { begunHttp2, getFrame, rawHttp2, resetFrame } from '../support/http2-frames.ts'
import { Refusals } from '../support/refusals.ts'
import { post, routerOn, type TestRouter } from '../support/router.ts'
import { type Shop, startShop } from '../support/shop.ts'

/** As many as a connection may have open. */
const OPEN = 256

const stack = new AsyncDisposableStack()
const { measured } = stack.use(recordMetrics())
const certificate = createCertificate()
let shop: Shop
let world: ConfigWorld
let clear: TestRouter
let secure: TestRouter

beforeAll(async () => {
  shop = stack.use(await startShop())
  world = stack.use(await ConfigWorld.create())
  await world.publish({ revision: 1, base: shop.base })
  const { path: folder } = stack.use(await temporaryDirectory())
  const files = { cert: join(folder, 'own.crt'), key: join(folder, 'own.key') }
  await Promise.all([writeFile(files.cert, certificate.cert), writeFile(files.key, certificate.key)])
  clear = stack.use(await routerOn(world))
  const settings = `tls: { cert_file: ${files.cert}, key_file: ${files.key} }`
  secure = stack.use(await routerOn(world, { settings }))
  await Promise.all([clear.ready, secure.ready])
})
afterAll(() => stack.disposeAsync())
beforeEach(() => {
  measured.length = 0
})

const limited = () =>
  measured.filter(({ name }) => name === 'switchyard.router.limited').map(({ labels }) => labels['limit'])
const refusals = new Refusals(measured)

const gets = (count: number, more: (stream: number) => Buffer = () => Buffer.alloc(0)) =>
  Buffer.concat(
    Array.from({ length: count }, (_, index) =>
      Buffer.concat([getFrame(index * 2 + 1), more(index * 2 + 1)]),
    ),
  )

async function rawTls(): Promise<Socket> {
  const socket = connectTls({
    port: secure.port,
    host: '127.0.0.1',
    ca: certificate.cert,
    ALPNProtocols: ['h2'],
  })
  socket.on('error', () => {})
  await once(socket, 'secureConnect')
  return begunHttp2(socket)
}

async function rawClear(): Promise<Socket> {
  const socket = rawHttp2(clear.port)
  await once(socket, 'connect')
  return socket
}

describe('of requests that arrive on many connections of one client at the same time', () => {
  it.each([
    ['without TLS', rawClear],
    ['with TLS', rawTls],
  ])(
    'one turn of the event loop sees no more than one connection may have open, %s',
    async (_, connected) => {
      const count = 10
      const sockets = await Promise.all(Array.from({ length: count }, connected))
      // The router has seen that they are there.
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
      try {
        const most = await refusals.mostInOneTurn(count * OPEN, () => {
          // Nothing is at "/", which is known at once.
          for (const socket of sockets) socket.write(gets(OPEN))
          for (const socket of sockets) socket.resume()
        })
        expect(most).toBeLessThanOrEqual(OPEN)
      } finally {
        for (const socket of sockets) socket.destroy()
      }
      expect(limited()).toEqual([])
    },
  )
})

/** Status, or what came in its place. */
function asked(session: ClientHttp2Session, body: string): Promise<number | string> {
  return new Promise((resolve) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': '/graphql',
      'content-type': 'application/json',
    })
    stream.on('response', (headers) => resolve(headers[':status'] ?? 0))
    stream.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'failed'))
    stream.resume()
    stream.end(body)
  })
}

async function session(): Promise<ClientHttp2Session> {
  const opened = connectHttp2(clear.url)
  opened.on('error', () => {})
  await once(opened, 'remoteSettings')
  return opened
}

describe('a client that asks much', () => {
  it('is answered: 200 queries at once on each of four connections, and as many again', async () => {
    const sessions = await Promise.all(Array.from({ length: 4 }, session))
    const body = JSON.stringify({ query: '{ __typename }' })
    for (let round = 0; round < 2; round++) {
      const statuses = await Promise.all(
        sessions.flatMap((one) => Array.from({ length: 200 }, () => asked(one, body))),
      )
      expect(new Set(statuses)).toEqual(new Set([200]))
    }
    expect(sessions.map(({ closed }) => closed)).toEqual([false, false, false, false])
    for (const one of sessions) one.destroy()
    expect(limited()).toEqual([])
  })

  it('may cancel what it asked for, and goes on with the same connection', async () => {
    const one = await session()
    const body = JSON.stringify({ query: '{ version }' })
    for (let round = 0; round < 3; round++) {
      const streams = Array.from({ length: 100 }, () => {
        const stream = one.request({
          ':method': 'POST',
          ':path': '/graphql',
          'content-type': 'application/json',
        })
        stream.on('error', () => {})
        stream.end(body)
        return stream
      })
      await new Promise(setImmediate)
      for (const stream of streams) stream.close(constants.NGHTTP2_CANCEL)
      expect(await asked(one, body)).toBe(200)
    }
    one.destroy()
    expect(limited()).toEqual([])
  })
})

/** The code of GOAWAY (RFC 9113, section 6.8), once the connection is closed; null: none came. */
async function goodbye(socket: Socket): Promise<number | null> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk)).resume()
  await once(socket, 'close')
  const bytes = Buffer.concat(chunks)
  for (let at = 0; at + 9 <= bytes.length; at += 9 + bytes.readUIntBE(at, 3))
    if (bytes[at + 3] === 7) return bytes.readUInt32BE(at + 13)
  return null
}

describe('a connection is closed, and its client told why, on which', () => {
  it('more requests are begun at once than it may have open, since they are reset again', async () => {
    const socket = await rawClear()
    const code = goodbye(socket)
    socket.write(gets(900, resetFrame))
    expect(await code).toBe(constants.NGHTTP2_ENHANCE_YOUR_CALM)
    expect(limited()).toEqual(['requests-at-once'])
    expect((await post(clear, { query: '{ version }' })).status).toBe(200)
  })

  it('requests wait for bodies that do not come', async () => {
    const settings = 'traffic: { max_unread_requests_per_client: 10 }'
    await using router = await routerOn(world, { settings })
    await router.ready
    const one = connectHttp2(router.url)
    const closed = new Promise<number>((resolve) => {
      one.on('goaway', resolve)
    })
    one.on('error', () => {})
    await once(one, 'remoteSettings')
    for (let index = 0; index < 200; index++) {
      const stream = one.request({
        ':method': 'POST',
        ':path': '/graphql',
        'content-type': 'application/json',
      })
      stream.on('error', () => {})
      stream.resume()
    }
    expect(await closed).toBe(constants.NGHTTP2_ENHANCE_YOUR_CALM)
    expect(limited().filter((limit) => limit === 'missing-bodies')).toHaveLength(1)
    expect(limited().filter((limit) => limit === 'unread-requests')).toHaveLength(100)
    expect(router.logs.some(({ event }) => event === 'router.http2-limit')).toBe(true)
    expect((await post(router, { query: '{ version }' })).status).toBe(200)
  })
})

describe('requests whose bodies do not come', () => {
  const closed = (missing: MissingBodies, client: string, requests: { begun: number; missed: number }) => {
    let count = 1
    while (!missing.missed(client, requests)) if (++count > 5000) return null
    return count
  }

  it('close a connection after a hundred, of a client with a thousand after ten', () => {
    let now = 0
    const missing = new MissingBodies(() => now)
    expect(closed(missing, 'a', { begun: 150, missed: 0 })).toBe(100)
    for (let other = 0; other < 9; other++) closed(missing, 'a', { begun: 150, missed: 0 })
    expect(closed(missing, 'a', { begun: 15, missed: 0 })).toBe(10)
    expect(closed(missing, 'b', { begun: 150, missed: 0 })).toBe(100)
    now = 20_000
    expect(closed(missing, 'a', { begun: 150, missed: 0 })).toBe(100)
  })

  it('close none on which more is asked than that', () => {
    expect(closed(new MissingBodies(), 'a', { begun: 20_000, missed: 0 })).toBeNull()
  })
})

describe('connections of clients that begin much in one turn', () => {
  const world = () => {
    const told: string[] = []
    const due: (() => void)[] = []
    const turns = new ReadingTurns(new FairConnectionLine(), (next) => void due.push(next))
    const connect = (client: string, name: string): PacedConnection => {
      const reading = { pause: () => told.push(`${name} waits`), resume: () => told.push(`${name} goes on`) }
      return turns.join(client, reading, () => told.push(`${name} begins`))
    }
    /** What happened in this turn, and is done in the next one. */
    const next = (): string[] => {
      for (const callback of due.splice(0)) callback()
      return told.splice(0)
    }
    const begin = (place: PacedConnection, count: number) => {
      for (let index = 0; index < count; index++) turns.begun(place)
    }
    return { turns, connect, next, begin }
  }

  it('wait all together, and go on one by one', () => {
    const { turns, connect, next, begin } = world()
    const [a1] = [connect('a', 'a1'), connect('a', 'a2'), connect('a', 'a3'), connect('b', 'b1')]
    expect(next()).toEqual(['a1 begins', 'a2 begins', 'a3 begins', 'b1 begins'])
    begin(a1, 200)
    expect(next()).toEqual([])
    begin(a1, 201)
    expect(next()).toEqual(['a1 waits', 'a2 waits', 'a3 waits', 'a1 goes on'])
    begin(a1, 256)
    // Those that did nothing yet go on together.
    expect(next()).toEqual(['a1 waits', 'a2 goes on', 'a3 goes on', 'a1 goes on'])
    expect(next()).toEqual([])
    expect(turns.waiting).toBe(0)
  })

  it('take turns with those of other clients', () => {
    const { connect, next, begin } = world()
    const places = ['a1', 'a2', 'a3', 'b1'].map((name) => connect(name.slice(0, 1), name))
    next()
    begin(places[0] as PacedConnection, 201)
    begin(places[3] as PacedConnection, 201)
    expect(next().slice(-1)).toEqual(['a1 goes on'])
    expect([next(), next()]).toEqual([['b1 goes on'], ['a2 goes on', 'a3 goes on']])
  })

  it('do not begin before their turn', () => {
    const { turns, connect, next } = world()
    for (let index = 0; index < 70; index++) connect('a', `a${index}`)
    connect('b', 'b1')
    const began = (told: readonly string[]) => told.filter((what) => what.endsWith('begins'))
    // The first fifty of one client at once, then sixteen in each turn.
    expect(began(next())).toHaveLength(50 + 1 + 16)
    expect(turns.waiting).toBe(4)
    expect(began(next())).toEqual(['a66 begins', 'a67 begins', 'a68 begins', 'a69 begins'])
  })

  it('are forgotten when they are closed', () => {
    const { turns, connect, next, begin } = world()
    const [a1, a2] = [connect('a', 'a1'), connect('a', 'a2')]
    begin(a1, 201)
    expect(turns.waiting).toBe(2)
    for (const place of [a1, a2]) place[Symbol.dispose]()
    expect(turns.waiting).toBe(0)
    expect(next()).toEqual(['a1 begins', 'a2 begins', 'a1 waits', 'a2 waits'])
    expect(next()).toEqual([])
  })

  it('may begin only so many requests in a turn', () => {
    const { turns, connect, next, begin } = world()
    const a1 = connect('a', 'a1')
    begin(a1, 511)
    expect(turns.begun(a1)).toBe(true)
    expect(turns.begun(a1)).toBe(false)
    next()
    expect(turns.begun(a1)).toBe(true)
  })
})
