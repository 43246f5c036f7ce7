/** Calls over HTTP/2 of servers that go away, refuse, are silent, or break the rules. */
import { once } from 'node:events'
import {
  constants,
  createServer,
  type Http2Server,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  type ServerOptions,
} from 'node:http2'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { startTcpProxy } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { openHttp2Pool, sendMany } from '../../support/http2-pool.ts'
import { until } from '../../support/router.ts'
import { type RecordedAnswer, send } from '../http1/support.ts'

type Asked = { readonly stream: ServerHttp2Stream; readonly body: string; readonly number: number }

/** A server that does with each call what `behave` says, in the order in which calls came. */
class StreamServer implements AsyncDisposable {
  readonly sessions: ServerHttp2Session[] = []
  readonly sockets: Socket[] = []
  /** Those that a server looks at, by their bodies. */
  readonly bodies: string[] = []
  /** The most that were open at a time. */
  mostOpen = 0
  origin = ''
  readonly #server: Http2Server
  #open = 0

  private constructor(options: ServerOptions, behave: (asked: Asked) => void) {
    this.#server = createServer(options)
    this.#server.on('connection', (socket: Socket) => void this.sockets.push(socket))
    this.#server.on('sessionError', () => {})
    this.#server.on('session', (session) => {
      this.sessions.push(session)
      session.on('error', () => {})
    })
    this.#server.on('stream', (stream: ServerHttp2Stream) => {
      this.mostOpen = Math.max(this.mostOpen, ++this.#open)
      stream.on('close', () => void this.#open--)
      stream.on('error', () => {})
      void text(stream).then(
        (body) => behave({ stream, body, number: this.bodies.push(body) }),
        () => {},
      )
    })
  }

  static async start(behave: (asked: Asked) => void, options: ServerOptions = {}): Promise<StreamServer> {
    const server = new StreamServer(options, behave)
    server.#server.listen(0, '127.0.0.1')
    await once(server.#server, 'listening')
    server.origin = `http://127.0.0.1:${(server.#server.address() as AddressInfo).port}`
    return server
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    await new Promise((closed) => this.#server.close(closed))
  }
}

const answer = ({ stream, body }: Asked): void => {
  stream.respond({ ':status': 200, 'content-type': 'application/json' })
  stream.end(body)
}
const outcomes = (answers: readonly RecordedAnswer[]) => Promise.all(answers.map(({ done }) => done))
const isRight = (index: number) => ({ status: 200, body: `call ${index}`, error: null })

describe('calls over HTTP/2', () => {
  it('share one connection, and say what a request has to say', async () => {
    const told: unknown[] = []
    await using server = await StreamServer.start((asked) => {
      told.push(asked.stream.sentHeaders, asked.stream.session?.socket.remoteFamily)
      answer(asked)
    })
    await using pool = openHttp2Pool(server.origin)
    const answers = sendMany(pool, 200)
    expect(await outcomes(answers)).toEqual(answers.map((_, index) => isRight(index)))
    expect(server.sessions).toHaveLength(1)
    expect(answers[0]?.headers).toMatchObject({ 'content-type': 'application/json' })
    expect(Object.keys(answers[0]?.headers ?? {})).not.toContain(':status')
    await until(() => pool.stats.free === 1, 'the connection is idle')
  })

  it.each([1, 7, 100])('are as many at a time as the other side allows: %i', async (maxConcurrentStreams) => {
    await using server = await StreamServer.start((asked) => void setImmediate(answer, asked), {
      settings: { maxConcurrentStreams },
    })
    await using pool = openHttp2Pool(server.origin, { maxConnections: 2 })
    const answers = sendMany(pool, 150)
    expect(await outcomes(answers)).toEqual(answers.map((_, index) => isRight(index)))
    expect(server.mostOpen).toBeLessThanOrEqual(2 * maxConcurrentStreams)
    expect(server.sessions.length).toBeLessThanOrEqual(2)
  })

  it('are sent again that the other side has not looked at as it goes away', async () => {
    const last = new Map<unknown, number>()
    await using server = await StreamServer.start((asked) => {
      const { stream, number } = asked
      const { session, id = 0 } = stream
      if (session === undefined || id > (last.get(session) ?? id)) return
      // It carries out what came up to this call, and nothing behind it.
      if (number % 40 === 0) {
        last.set(session, id)
        session.goaway(constants.NGHTTP2_NO_ERROR, id)
      }
      answer(asked)
    })
    await using pool = openHttp2Pool(server.origin)
    for (let round = 0; round < 10; round++) {
      const answers = sendMany(pool, 100)
      expect(await outcomes(answers)).toEqual(answers.map((_, index) => isRight(index)))
    }
    expect(server.sessions.length).toBeGreaterThan(5)
  })

  it('end on the connection that goes away, and begin on another one', async () => {
    const held: Asked[] = []
    await using server = await StreamServer.start((asked) => void held.push(asked))
    await using pool = openHttp2Pool(server.origin)
    const first = send(pool, { body: 'first' })
    await until(() => held.length === 1, 'the first one came')
    server.sessions[0]?.close()
    const second = send(pool, { body: 'second' })
    await until(() => held.length === 2, 'the second one came')
    expect(server.sessions).toHaveLength(2)
    for (const asked of held) answer(asked)
    expect(await outcomes([first, second])).toMatchObject([{ body: 'first' }, { body: 'second' }])
  })

  it('are sent again where one is refused, three times at most', async () => {
    let refusals = 0
    await using server = await StreamServer.start((asked) => {
      const isRefused = asked.body === 'never' || asked.number % 5 === 0
      if (!isRefused) return answer(asked)
      refusals++
      asked.stream.close(constants.NGHTTP2_REFUSED_STREAM)
    })
    await using pool = openHttp2Pool(server.origin)
    const answers = sendMany(pool, 50)
    expect(await outcomes(answers)).toEqual(answers.map((_, index) => isRight(index)))
    const before = refusals
    const never = await send(pool, { body: 'never' }).done
    expect(never.error?.name).toBe('CallNotTakenError')
    expect(refusals - before).toBe(4)
  })

  it.each([
    ['ended', 'INTERNAL_ERROR', 'StreamEndedError'],
    ['told to calm down', 'ENHANCE_YOUR_CALM', 'StreamEndedError'],
    ['cancelled', 'CANCEL', 'StreamEndedError'],
  ] as const)('fail alone when one is %s', async (_, code, name) => {
    await using server = await StreamServer.start((asked) =>
      asked.body === 'call 3' ? asked.stream.close(constants[`NGHTTP2_${code}`]) : answer(asked),
    )
    await using pool = openHttp2Pool(server.origin)
    const all = await outcomes(sendMany(pool, 6))
    expect(all.map(({ error }) => error?.name ?? null)).toEqual([null, null, null, name, null, null])
    expect(server.sessions).toHaveLength(1)
  })

  it('fail when an answer breaks off, and others go on', async () => {
    await using server = await StreamServer.start((asked) => {
      if (asked.body !== 'call 1') return answer(asked)
      asked.stream.respond({ ':status': 200 })
      asked.stream.write('half', () => asked.stream.destroy(new Error('broken')))
    })
    await using pool = openHttp2Pool(server.origin)
    const [well, broken] = await outcomes(sendMany(pool, 2))
    expect(well).toEqual(isRight(0))
    expect(broken).toMatchObject({ status: 200, error: { name: 'StreamEndedError' } })
  })

  it('fail with the connection, and the next ones get another one', async () => {
    const held: Asked[] = []
    await using server = await StreamServer.start((asked) =>
      asked.body === 'after' ? answer(asked) : void held.push(asked),
    )
    await using pool = openHttp2Pool(server.origin)
    const answers = sendMany(pool, 3)
    await until(() => held.length === 3, 'all came')
    server.sockets[0]?.resetAndDestroy()
    const failed = await outcomes(answers)
    expect(failed.map(({ error }) => (error as NodeJS.ErrnoException).code)).toEqual(
      Array(3).fill('ECONNRESET'),
    )
    expect(await send(pool, { body: 'after' }).done).toMatchObject({ body: 'after', error: null })
  })

  it('leave the connection to others when one is given up', async () => {
    const reset: number[] = []
    await using server = await StreamServer.start((asked) => {
      if (asked.body !== 'given up') return answer(asked)
      asked.stream.on('close', () => reset.push(asked.stream.rstCode))
    })
    await using pool = openHttp2Pool(server.origin)
    const call = send(pool, { body: 'given up' })
    const controller = await call.started
    await until(() => server.bodies.length === 1, 'it came')
    controller.abort(new Error('nobody waits'))
    expect((await call.done).error?.message).toBe('nobody waits')
    await until(() => reset.length === 1, 'the other side knows')
    expect(reset).toEqual([constants.NGHTTP2_CANCEL])
    expect(await send(pool, { body: 'next' }).done).toMatchObject({ body: 'next', error: null })
    expect(server.sessions).toHaveLength(1)
  })

  it('go elsewhere when the other side has fallen silent', async () => {
    await using server = await StreamServer.start((asked) => {
      if (server.sessions.length > 1) answer(asked)
    })
    await using proxy = await startTcpProxy({ host: '127.0.0.1', port: Number(new URL(server.origin).port) })
    await using pool = openHttp2Pool(`http://127.0.0.1:${proxy.port}`)
    const call = send(pool)
    const controller = await call.started
    await until(() => server.bodies.length === 1, 'it came')
    // What is connected stays so, and hears nothing any more; what connects from now on does not.
    proxy.silence()
    proxy.pass()
    controller.abort(new Error('too late'))
    await call.done
    await until(() => pool.stats.free === 1, 'the connection seems to be idle')
    await until(() => pool.stats.free === 0, 'it is found to be silent')
    expect(await send(pool, { body: 'next' }).done).toMatchObject({ body: 'next', error: null })
    expect(server.sessions).toHaveLength(2)
  })

  it('hold back what the router does not read, and nothing else', async () => {
    const LARGE = 4 * 1024 * 1024
    await using server = await StreamServer.start((asked) => {
      if (asked.body !== 'large') return answer(asked)
      asked.stream.respond({ ':status': 200 })
      asked.stream.end(Buffer.alloc(LARGE, 'x'))
    })
    await using pool = openHttp2Pool(server.origin)
    const large = send(pool, { body: 'large' })
    const paused = Promise.withResolvers<void>()
    large.onPiece = (controller) => {
      large.onPiece = () => {}
      controller.pause()
      paused.resolve()
    }
    const controller = await large.started
    await paused.promise
    expect(await send(pool, { body: 'small' }).done).toMatchObject({ body: 'small', error: null })
    const { length } = large.body
    expect(length).toBeLessThan(LARGE)
    controller.resume()
    expect((await large.done).body).toHaveLength(LARGE)
  })

  it('take ten interim answers and no more', async () => {
    await using server = await StreamServer.start((asked) => {
      for (let count = Number(asked.body); count > 0; count--)
        asked.stream.additionalHeaders({ ':status': 103 })
      answer(asked)
    })
    await using pool = openHttp2Pool(server.origin)
    expect(await send(pool, { body: '10' }).done).toMatchObject({ status: 200, body: '10', error: null })
    const [more, next] = await outcomes([send(pool, { body: '11' }), send(pool, { body: '2' })])
    expect(more?.error?.name).toBe('MalformedAnswerError')
    expect(next).toMatchObject({ body: '2', error: null })
  })

  it.each([
    ['many', Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`x-${index}`, 'a']))],
    ['large', { 'x-large': 'a'.repeat(20_000) }],
  ])('fail where the header fields are too %s, and others go on', async (_, headers) => {
    await using server = await StreamServer.start((asked) => {
      if (asked.body !== 'call 0') return answer(asked)
      asked.stream.respond({ ':status': 200, ...headers })
      asked.stream.end('too much')
    })
    await using pool = openHttp2Pool(server.origin)
    const [wrong, right] = await outcomes(sendMany(pool, 2))
    expect(wrong?.error).not.toBeNull()
    expect(right).toEqual(isRight(1))
  })

  it.each([
    ['with a line break in a header', { headers: ['x-a', 'a\r\nb: c'] }],
    ['with a header of the connection', { headers: ['connection', 'close'] }],
    ['with a name that is none', { headers: [':path', '/other'] }],
    ['with a space in its path', { path: '/graph ql' }],
  ])('are not sent %s', async (_, request) => {
    await using server = await StreamServer.start(answer)
    await using pool = openHttp2Pool(server.origin)
    expect((await send(pool, request).done).error?.name).toBe('InvalidRequestError')
    expect(server.sessions).toHaveLength(0)
  })
})

describe('a connection of HTTP/2', () => {
  it('is not made to a server that speaks HTTP/1.1', async () => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {})
      socket.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    await using pool = openHttp2Pool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const failed = await outcomes(sendMany(pool, 3))
    for (const { error } of failed) expect(error).not.toBeNull()
    server.close()
  })

  it('is given up after its time limit where the other side says nothing', async () => {
    const sockets: Socket[] = []
    const server = createTcpServer((socket) => void sockets.push(socket.on('error', () => {}))).listen(
      0,
      '127.0.0.1',
    )
    await once(server, 'listening')
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    await using pool = openHttp2Pool(origin, { connectTimeout: 50 })
    const failed = await outcomes(sendMany(pool, 3))
    expect(failed.map(({ error }) => error?.name)).toEqual(Array(3).fill('ConnectTimeoutError'))
    for (const socket of sockets) socket.destroy()
    server.close()
  })

  it('is refused with the error of the system, for each call that waits', async () => {
    await using server = await StreamServer.start(answer)
    const { origin } = server
    await server[Symbol.asyncDispose]()
    await using pool = openHttp2Pool(origin)
    const failed = await outcomes(sendMany(pool, 3))
    expect(failed.map(({ error }) => (error as NodeJS.ErrnoException).code)).toEqual(
      Array(3).fill('ECONNREFUSED'),
    )
  })

  it('ends with the last call when the pool is closed, and at once when it is destroyed', async () => {
    const held: Asked[] = []
    await using server = await StreamServer.start((asked) => void held.push(asked))
    const pool = openHttp2Pool(server.origin)
    const call = send(pool)
    await until(() => held.length === 1, 'it came')
    const closed = pool.close()
    expect((await send(pool).done).error?.name).toBe('PoolClosedError')
    for (const asked of held) answer(asked)
    expect(await call.done).toMatchObject({ status: 200, error: null })
    await closed
    const other = openHttp2Pool(server.origin)
    const last = send(other)
    await until(() => held.length === 2, 'it came')
    await other.destroy()
    expect((await last.done).error?.name).toBe('PoolClosedError')
  })
})
