/** Servers that end connections of HTTP/2 without having taken a call. Judged by counting connections. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createHttp2Server, type ServerHttp2Session } from 'node:http2'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openHttp2Pool, sendMany } from '../../support/http2-pool.ts'
import { until } from '../../support/router.ts'
import { type RecordedAnswer, send, turns } from '../http1/support.ts'

/** A frame of HTTP/2 on the stream 0 (RFC 9113, section 4.1). */
function frame(type: number, payload: readonly number[], flags = 0): Buffer {
  return Buffer.from([0, 0, payload.length, type, flags, 0, 0, 0, 0, ...payload])
}

const NO_ERROR = [0, 0, 0, 0]
const SETTINGS = frame(4, [])
/** One call at a time (SETTINGS_MAX_CONCURRENT_STREAMS). */
const ONE_AT_A_TIME = frame(4, [0, 3, 0, 0, 0, 1])
const GOAWAY_BEFORE_ANY = frame(7, [0, 0, 0, 0, ...NO_ERROR])
const GOAWAY_BEHIND_ALL = frame(7, [0x7f, 0xff, 0xff, 0xff, ...NO_ERROR])

type Behaviour = (socket: Socket, connection: number) => void

/** A server that does with each connection what `behave` says. */
class DrainingServer implements AsyncDisposable {
  readonly sockets: Socket[] = []
  readonly #server: Server

  private constructor(behave: Behaviour) {
    this.#server = createServer((socket) => {
      socket.on('error', () => {})
      socket.resume()
      behave(socket, this.sockets.push(socket))
    })
  }

  static async start(behave: Behaviour): Promise<DrainingServer> {
    const server = new DrainingServer(behave)
    server.#server.listen(0, '127.0.0.1')
    await once(server.#server, 'listening')
    return server
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    await new Promise((closed) => this.#server.close(closed))
  }
}

const errorsOf = async (answers: readonly RecordedAnswer[]) =>
  (await Promise.all(answers.map(({ done }) => done))).map(({ error }) => error?.name)

/** Answers calls, and none before. */
function answerOn(socket: Socket): void {
  const server = createHttp2Server((request, response) => request.pipe(response))
  server.on('session', (session: ServerHttp2Session) => void session.on('error', () => {}))
  server.emit('connection', socket)
}

describe('a server that ends each connection before it takes a call', () => {
  it.each([
    ['says SETTINGS and GOAWAY', [SETTINGS, GOAWAY_BEFORE_ANY], false],
    ['says that it goes away behind all calls', [SETTINGS, GOAWAY_BEHIND_ALL], false],
    ['says SETTINGS and GOAWAY, and ends', [SETTINGS, GOAWAY_BEFORE_ANY], true],
    ['allows one call and goes away', [ONE_AT_A_TIME, GOAWAY_BEFORE_ANY], false],
  ] as const)('gets four connections for a call, then the call fails: it %s', async (_, frames, ends) => {
    await using server = await DrainingServer.start((socket) => {
      const bytes = Buffer.concat(frames)
      if (ends) socket.end(bytes)
      else socket.write(bytes)
    })
    await using pool = openHttp2Pool(server.origin)
    const { error } = await send(pool).done
    expect(error?.name).toBe('CallNotTakenError')
    expect(error?.message).toContain('none of 4 tries')
    await turns()
    expect(server.sockets).toHaveLength(4)
  })

  it('gets four connections for a thousand calls that wait together', async () => {
    await using server = await DrainingServer.start((socket) =>
      socket.write(Buffer.concat([SETTINGS, GOAWAY_BEFORE_ANY])),
    )
    await using pool = openHttp2Pool(server.origin)
    expect(await errorsOf(sendMany(pool, 1000))).toEqual(Array(1000).fill('CallNotTakenError'))
    expect(server.sockets).toHaveLength(4)
  })

  it('gets a connection for each call at most where it ends without a word', async () => {
    await using server = await DrainingServer.start((socket) => socket.destroy())
    await using pool = openHttp2Pool(server.origin)
    for (let round = 0; round < 5; round++) expect(await errorsOf([send(pool)])).not.toContain(undefined)
    expect(server.sockets).toHaveLength(5)
  })

  it('gets the calls once it takes them, before they had four tries', async () => {
    await using server = await DrainingServer.start((socket, connection) => {
      if (connection > 3) answerOn(socket)
      else socket.write(Buffer.concat([SETTINGS, GOAWAY_BEFORE_ANY]))
    })
    await using pool = openHttp2Pool(server.origin)
    const answers = sendMany(pool, 20)
    expect(await errorsOf(answers)).toEqual(Array(20).fill(undefined))
    expect(answers.map(({ body }) => body)).toEqual(answers.map((__, index) => `call ${index}`))
    expect(server.sockets).toHaveLength(4)
  })

  it('is left alone when the pool is destroyed in a pause', async () => {
    await using server = await DrainingServer.start((socket) =>
      socket.write(Buffer.concat([SETTINGS, GOAWAY_BEFORE_ANY])),
    )
    const pool = openHttp2Pool(server.origin)
    const call = send(pool)
    await until(() => server.sockets.some(({ destroyed }) => destroyed), 'one connection has ended')
    await pool.destroy()
    expect((await call.done).error?.name).toBe('PoolClosedError')
  })
})

describe('the pauses between connections', () => {
  afterEach(() => void vi.restoreAllMocks())

  it('grow up to a second while no call is looked at, and are short again after one was', async () => {
    const pauses: number[] = []
    const { setTimeout: wait } = globalThis
    // The connections have no time limit here, so every timer of these lengths is a pause.
    vi.spyOn(globalThis, 'setTimeout').mockImplementation((then: () => void, milliseconds = 0) => {
      if (milliseconds >= 10 && milliseconds <= 1000) pauses.push(milliseconds)
      return wait(then, Math.min(milliseconds, 1))
    })
    let drains = true
    await using server = await DrainingServer.start((socket) => {
      if (drains) socket.write(Buffer.concat([SETTINGS, GOAWAY_BEFORE_ANY]))
      else answerOn(socket)
    })
    await using pool = openHttp2Pool(server.origin, { connectTimeout: 0 })
    for (let round = 0; round < 4; round++)
      expect(await errorsOf([send(pool)])).toEqual(['CallNotTakenError'])
    expect(pauses).toHaveLength(16)
    pauses.forEach((pause, index) => {
      const most = Math.min(20 * 2 ** index, 1000)
      expect(pause).toBeGreaterThanOrEqual(most / 2)
      expect(pause).toBeLessThanOrEqual(most)
    })
    drains = false
    expect(await errorsOf([send(pool)])).toEqual([undefined])
    await until(() => pool.stats.free === 1, 'the connection is idle')
    drains = true
    server.sockets.at(-1)?.destroy()
    await until(() => pool.stats.free === 0, 'the connection is gone')
    pauses.length = 0
    expect(await errorsOf([send(pool)])).toEqual(['CallNotTakenError'])
    expect(pauses[0]).toBeLessThanOrEqual(20)
  })

  it('hold for further connections, too, while one that is full goes on', async () => {
    let refused = 0
    await using server = await DrainingServer.start((socket, connection) => {
      if (connection === 1) socket.write(ONE_AT_A_TIME)
      else {
        refused++
        socket.destroy()
      }
    })
    await using pool = openHttp2Pool(server.origin)
    const [first, ...others] = sendMany(pool, 5)
    await first?.started
    // Two further ones were refused, which took a pause; all calls wait for room on the first connection.
    await until(() => refused >= 3, 'further connections are refused')
    expect(others.map(({ status }) => status)).toEqual(Array(4).fill(0))
    const outcome = await Promise.race([...others.map(({ done }) => done), turns(50)])
    expect(outcome).toBeUndefined()
  })
})
