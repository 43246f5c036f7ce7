import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import type { PoolRequest } from '../../../src/transport/dispatch/call-pool.ts'
import type { ConnectionPool, PoolOptions } from '../../../src/transport/http1/connection-pool.ts'
import { until } from '../../support/router.ts'
import { openLean, RawServer, RecordedAnswer, REQUEST, send, turns } from './support.ts'

const OK = 'HTTP/1.1 200 OK\r\n'
const ANSWER = `${OK}Content-Length: 2\r\n\r\n{}`

const stack: AsyncDisposableStack[] = []
afterEach(async () => {
  for (const each of stack.splice(0)) await each.disposeAsync()
})

type Behaviour = Parameters<typeof RawServer.start>[0]

async function start(behave: Behaviour, options: Partial<PoolOptions> = {}) {
  const resources = new AsyncDisposableStack()
  stack.push(resources)
  const server = resources.use(await RawServer.start(behave))
  const pool = openLean(server.origin, options)
  resources.defer(() => pool.destroy())
  return { server, pool }
}

const replying =
  (text = ANSWER): Behaviour =>
  (socket) =>
    void socket.write(text, 'latin1')

/** Sends requests until there is one connection that waits. */
async function warmUp(pool: ConnectionPool): Promise<void> {
  await send(pool).done
  await until(() => pool.stats.free === 1, 'the connection waits')
  await turns()
}

describe('the body of an answer', () => {
  it.each([
    ['with a length', ANSWER],
    ['in chunks', `${OK}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n`],
  ])('is handed on as a whole where it arrives in one piece: %s', async (_, text) => {
    const { pool } = await start(replying(text))
    const answer = send(pool)
    expect(await answer.done).toEqual({ status: 200, body: '{}', error: null })
    expect(answer.wholes).toBe(1)
  })

  it('is handed on in pieces where it arrives in some', async () => {
    const { server, pool } = await start(replying(`${OK}Content-Length: 4\r\n\r\n{ `))
    const answer = send(pool)
    answer.onPiece = () => {
      answer.onPiece = () => {}
      server.sockets[0]?.write(' }')
    }
    expect(await answer.done).toEqual({ status: 200, body: '{  }', error: null })
    expect(answer.wholes).toBe(0)
  })
})

describe('a request', () => {
  it('is sent as it is, with its length, on a connection that is kept', async () => {
    const { server, pool } = await start(replying())
    expect(await send(pool).done).toEqual({ status: 200, body: '{}', error: null })
    expect(server.received[0]).toBe(
      `POST /graphql HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\nconnection: keep-alive\r\n` +
        'content-type: application/json\r\ncontent-length: 17\r\n\r\n{"query":"{ a }"}',
    )
  })

  it('may hold letters of any language, counted in bytes', async () => {
    const { server, pool } = await start(replying())
    const body = '{"query":"{ a(b: \\"é€🦊\\") }"}'
    await send(pool, { body, headers: ['x-name', 'Ren\xe9'] }).done
    const [head, received] = (server.received[0] ?? '').split('\r\n\r\n')
    expect(head).toContain('x-name: Ren\xe9')
    expect(head).toContain(`content-length: ${Buffer.byteLength(body)}`)
    expect(Buffer.from(received ?? '', 'latin1').toString()).toBe(body)
  })

  it('may be large', async () => {
    const { server, pool } = await start(replying())
    for (const letter of ['x', 'é']) {
      const body = JSON.stringify(letter.repeat(3_000_000))
      expect((await send(pool, { body }).done).error).toBeNull()
    }
    expect(server.received.join('').length).toBeGreaterThan(9_000_000)
  })

  it.each<[string, Partial<PoolRequest>]>([
    ['a line break in a value', { headers: ['x-a', 'b\r\nx-c: d'] }],
    ['a line feed in a value', { headers: ['x-a', 'b\nx-c: d'] }],
    ['a NUL in a value', { headers: ['x-a', 'b\0'] }],
    ['a character in a value that is no byte', { headers: ['x-a', 'b\u010a'] }],
    ['a line break in a name', { headers: ['x-a: b\r\nx-c', 'd'] }],
    ['a space in a name', { headers: ['x a', 'd'] }],
    ['an empty name', { headers: ['', 'd'] }],
    ['a length of its own', { headers: ['Content-Length', '3'] }],
    ['a framing of its own', { headers: ['Transfer-Encoding', 'chunked'] }],
    ['a host of its own', { headers: ['host', 'elsewhere.example'] }],
    ['a line break in the path', { path: '/a\r\nx: y' }],
    ['a space in the path', { path: '/a HTTP/1.1' }],
    ['a path that is a URL', { path: 'http://elsewhere.example/' }],
  ])('with %s is not sent', async (_name, request) => {
    const { server, pool } = await start(replying())
    const { error } = await send(pool, request).done
    expect(error).toMatchObject({ name: 'InvalidRequestError' })
    await send(pool).done
    expect(server.received).toHaveLength(1)
    expect(server.received[0]).not.toMatch(/x-a|elsewhere|x: y/)
  })
})

describe('a connection', () => {
  it('carries one request after the other, and never two at once', async () => {
    const seen: number[] = []
    const { server, pool } = await start(
      (socket, request) => {
        seen.push(request)
        setTimeout(() => socket.write(ANSWER), 2)
      },
      { maxConnections: 2 },
    )
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(pool).done))
    expect(answers.every(({ error }) => error === null)).toBe(true)
    expect(server.sockets).toHaveLength(2)
    expect(seen).toHaveLength(20)
  })

  it('is waited for in the order in which requests come', async () => {
    const order: string[] = []
    const { server, pool } = await start(
      (socket, _request, { received }) => {
        order.push(/POST \/(\d+)/.exec(received[0]?.split('POST').at(-1) ?? '')?.[1] ?? '')
        socket.write(ANSWER)
      },
      { maxConnections: 1 },
    )
    const paths = Array.from({ length: 30 }, (_, index) => `/${index}`)
    await Promise.all(paths.map((path) => send(pool, { path }).done))
    expect(server.sockets).toHaveLength(1)
    const sent = [...(server.received[0] ?? '').matchAll(/POST (\/\d+) /g)].map(([, path]) => path)
    expect(sent).toEqual(paths)
    expect(order).toHaveLength(30)
  })

  it('that was used last is used next, so that others can end', async () => {
    const { server, pool } = await start(replying())
    await Promise.all([1, 2, 3].map(() => send(pool).done))
    await until(() => pool.stats.free === 3, 'three connections wait')
    for (let round = 0; round < 5; round++) {
      await turns()
      await send(pool).done
    }
    expect(server.received.map((text) => text.split('POST').length - 1).toSorted()).toEqual([1, 1, 6])
  })

  it.each<[string, string]>([
    ['Connection: close', `${OK}Connection: close\r\nContent-Length: 2\r\n\r\n{}`],
    ['a time that is too short', `${OK}Keep-Alive: timeout=2\r\nContent-Length: 2\r\n\r\n{}`],
    ['bytes behind the answer', `${ANSWER}{}`],
    ['another answer behind the answer', ANSWER + ANSWER],
    ['a body where there must be none', 'HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n{}'],
  ])('is not used again after %s', async (_name, text) => {
    const { server, pool } = await start(replying(text))
    expect((await send(pool).done).error).toBeNull()
    expect((await send(pool).done).error).toBeNull()
    expect(server.sockets).toHaveLength(2)
    await until(() => server.open === 0, 'both are closed')
  })

  it('on which something comes that nobody asked for is closed', async () => {
    const { server, pool } = await start(replying())
    await warmUp(pool)
    server.sockets[0]?.write(`${OK}Content-Length: 9\r\n\r\npoisoned!`)
    await until(() => server.open === 0, 'it is closed')
    expect(await send(pool).done).toMatchObject({ body: '{}', error: null })
    expect(server.sockets).toHaveLength(2)
  })

  it('whose answer comes before any request is closed', async () => {
    const resources = new AsyncDisposableStack()
    stack.push(resources)
    const server = resources.use(await RawServer.start(replying()))
    const pool = openLean(server.origin)
    resources.defer(() => pool.destroy())
    await warmUp(pool)
    server.sockets[0]?.write('HTTP')
    await until(() => pool.stats.free === 0, 'it is gone')
  })

  it('that the other side closes while it waits is not used, and the request is sent on another', async () => {
    const { server, pool } = await start(replying())
    await warmUp(pool)
    // The end is there before the request is made, but nobody has read it yet.
    server.sockets[0]?.end()
    await sleep(20)
    const waiting = pool.stats.free
    const answer = send(pool)
    expect((await answer.done).error).toBeNull()
    expect(waiting).toBe(0)
    expect(server.sockets).toHaveLength(2)
  })

  it('that is reset while it waits hurts nobody', async () => {
    const { server, pool } = await start(replying())
    await warmUp(pool)
    server.sockets[0]?.resetAndDestroy()
    await until(() => pool.stats.free === 0, 'it is gone')
    expect((await send(pool).done).error).toBeNull()
  })

  it('is closed some time before its server would close it', async () => {
    const { server, pool } = await start(
      replying(`${OK}Keep-Alive: timeout=3\r\nContent-Length: 2\r\n\r\n{}`),
    )
    await warmUp(pool)
    await until(() => server.open === 0, 'it is closed', 4000)
    expect((await send(pool).done).error).toBeNull()
    expect(server.sockets).toHaveLength(2)
  })

  it('is not used again when its server answers before it has read the request', async () => {
    const { server, pool } = await start(() => {})
    const answer = send(pool, { body: 'x'.repeat(20_000_000) })
    await until(() => server.sockets.length === 1, 'it is there')
    server.sockets[0]?.pause()
    await answer.started
    server.sockets[0]?.write(`HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\n{}`)
    expect(await answer.done).toMatchObject({ status: 413, body: '{}' })
    server.sockets[0]?.resume()
    await until(() => server.open === 0, 'it is closed')
  })
})

describe('a request whose connection fails', () => {
  it.each<[string, Behaviour, number]>([
    ['closed without an answer', (socket) => void socket.end(), 0],
    ['reset without an answer', (socket) => void socket.resetAndDestroy(), 0],
    ['closed within the head', (socket) => void socket.end('HTTP/1.1 200'), 0],
    ['closed within the body', (socket) => void socket.end(`${OK}Content-Length: 9\r\n\r\n{`), 200],
    [
      'closed before the last chunk',
      (socket) => void socket.end(`${OK}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`),
      200,
    ],
  ])('because it is %s fails, and is never sent again', async (_name, behave, status) => {
    const { server, pool } = await start((socket, request) =>
      server.sockets.length === 1 && request === 1
        ? void socket.write(ANSWER)
        : behave(socket, request, server),
    )
    // The first request has made a connection that is kept: the second one fails on it.
    await warmUp(pool)
    const outcome = await send(pool).done
    expect(outcome.error).toBeInstanceOf(Error)
    expect(outcome.status).toBe(status)
    await turns(20)
    expect(server.received.join('').split('POST')).toHaveLength(3)
  })

  it('after the other side was killed says so at once, and the next are sent when it is back', async () => {
    const { server, pool } = await start((socket, request) =>
      request === 1 ? void socket.write(ANSWER) : undefined,
    )
    await warmUp(pool)
    const hanging = send(pool)
    await hanging.started
    await until(() => server.received[0]?.split('POST').length === 3, 'the request has arrived')
    await server[Symbol.asyncDispose]()
    expect((await hanging.done).error).toBeInstanceOf(Error)
    expect((await send(pool).done).error).toMatchObject({ code: 'ECONNREFUSED' })
    await using again = await RawServer.start(replying(), server.port)
    expect((await send(pool).done).error).toBeNull()
    expect(again.sockets).toHaveLength(1)
  })

  it('because none can be made in time says so', async () => {
    const { pool } = await start(replying(), {
      connectTimeout: 50,
      // A name that nobody ever resolves.
      open: (onread) => connect({ host: 'slow.test', port: 1, lookup: () => {}, onread }),
    })
    expect((await send(pool).done).error).toMatchObject({ name: 'ConnectTimeoutError' })
  })

  it('because it is not allowed says so, and is not connected', async () => {
    const refusal = new Error('not allowed')
    const { server, pool } = await start(replying(), {
      open: () => {
        throw refusal
      },
    })
    const answers = await Promise.all([send(pool).done, send(pool).done])
    expect(answers.map(({ error }) => error)).toEqual([refusal, refusal])
    expect(server.sockets).toHaveLength(0)
  })

  it('leaves its place to those that wait', async () => {
    const { server, pool } = await start(
      (socket, _request, { sockets }) =>
        sockets.length < 3 ? void socket.destroy() : void socket.write(ANSWER),
      { maxConnections: 1 },
    )
    const answers = await Promise.all([1, 2, 3, 4].map(() => send(pool).done))
    expect(answers.map(({ error }) => error === null)).toEqual([false, false, true, true])
    expect(server.sockets).toHaveLength(3)
  })
})

describe('a call that is given up', () => {
  it('frees its connection by closing it', async () => {
    const { server, pool } = await start(
      (socket, _request, { sockets }) => sockets.length === 2 && socket.write(ANSWER),
      {
        maxConnections: 1,
      },
    )
    const first = send(pool)
    const second = send(pool)
    const stop = new Error('given up')
    ;(await first.started).abort(stop)
    expect((await first.done).error).toBe(stop)
    expect((await second.done).error).toBeNull()
    await until(() => server.sockets[0]?.destroyed === true, 'the first connection is closed')
  })

  it('within its answer hears nothing more of it', async () => {
    const { pool } = await start(replying(`${OK}Content-Length: 200000\r\n\r\n${'x'.repeat(200_000)}`))
    const answer = send(pool)
    answer.onPiece = (controller) => controller.abort(new Error('enough'))
    const { body, error } = await answer.done
    expect(error?.message).toBe('enough')
    await turns(20)
    expect(answer.body).toBe(body)
    expect(body.length).toBeLessThan(200_000)
  })

  it('before it is sent costs no connection', async () => {
    const { server, pool } = await start(replying(), { maxConnections: 1 })
    const first = send(pool)
    const givenUp = new RecordedAnswer()
    givenUp.onRequestStart = (controller) => controller.abort(new Error('too late'))
    pool.dispatch(REQUEST, givenUp)
    const last = send(pool)
    expect((await first.done).error).toBeNull()
    expect((await givenUp.done).error?.message).toBe('too late')
    expect((await last.done).error).toBeNull()
    expect(server.sockets).toHaveLength(1)
    expect(server.received[0]?.split('POST')).toHaveLength(3)
  })

  it('fails alone if its handler throws', async () => {
    const { pool } = await start(replying())
    const broken = new RecordedAnswer()
    broken.onResponseStart = () => {
      throw new Error('a defect')
    }
    pool.dispatch(REQUEST, broken)
    expect((await broken.done).error?.message).toBe('a defect')
    expect((await send(pool).done).error).toBeNull()
  })
})

describe('an answer', () => {
  it('that is slow arrives byte by byte', async () => {
    const text = `${OK}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`
    const { pool } = await start((socket) => {
      void (async () => {
        for (const byte of text) {
          socket.write(byte)
          await turns(1)
        }
      })()
    })
    expect(await send(pool).done).toMatchObject({ status: 200, body: '{}', error: null })
  })

  it('is not read while it is paused, and whole afterwards', async () => {
    const size = 8_000_000
    const { server, pool } = await start(replying(`${OK}Content-Length: ${size}\r\n\r\n${'x'.repeat(size)}`))
    const answer = send(pool)
    let paused = false
    answer.onPiece = (controller) => {
      if (paused) return
      paused = true
      controller.pause()
    }
    await until(() => paused, 'it is paused')
    await sleep(50)
    const read = answer.body.length
    await sleep(50)
    expect(answer.body.length).toBe(read)
    expect(read).toBeLessThan(size)
    ;(await answer.started).resume()
    expect((await answer.done).body.length).toBe(size)
    expect((await send(pool).done).error).toBeNull()
    expect(server.sockets).toHaveLength(1)
  })

  it('keeps its own bytes, whatever is read after it', async () => {
    const { pool } = await start((socket, _request, { sockets }) => {
      const letter = String.fromCharCode(96 + sockets.indexOf(socket) + 1)
      socket.write(`${OK}Content-Length: 60000\r\n\r\n${letter.repeat(30_000)}`)
      setTimeout(() => socket.write(letter.repeat(30_000)), 5)
    })
    const bodies = await Promise.all(Array.from({ length: 8 }, async () => (await send(pool).done).body))
    for (const body of bodies) expect(body).toBe((body[0] ?? '').repeat(60_000))
    expect(new Set(bodies).size).toBe(8)
  })
})

describe('a pool that is closed', () => {
  const later: Behaviour = (socket) => void setTimeout(() => socket.write(ANSWER), 20)

  it('finishes what is in progress and what waits, and takes nothing more', async () => {
    const { server, pool } = await start(later, { maxConnections: 1 })
    const answers = [send(pool), send(pool)]
    const closed = pool.close()
    expect((await send(pool).done).error).toMatchObject({ name: 'PoolClosedError' })
    await closed
    for (const { done } of answers) expect((await done).error).toBeNull()
    await until(() => server.open === 0, 'its connections are closed')
  })

  it('has nothing to wait for when it was never used', async () => {
    const { pool } = await start(later)
    await pool.close()
  })

  it('gives everything up when it has to end at once', async () => {
    const { server, pool } = await start(() => {}, { maxConnections: 1 })
    const answers = [send(pool), send(pool)]
    await until(() => server.sockets.length === 1, 'the first one is sent')
    await pool.destroy()
    for (const { done } of answers) expect((await done).error).toMatchObject({ name: 'PoolClosedError' })
    await until(() => server.open === 0, 'its connection is closed')
  })

  it('does not wait for a connection that is being made', async () => {
    const made: Socket[] = []
    const { pool } = await start(later, {
      open: (onread) => {
        const socket = connect({ host: 'slow.test', port: 1, lookup: () => {}, onread })
        made.push(socket)
        return socket
      },
    })
    const answer = send(pool)
    await until(() => made.length === 1, 'it connects')
    await pool.destroy()
    expect((await answer.done).error).toMatchObject({ name: 'PoolClosedError' })
    expect(made[0]?.destroyed).toBe(true)
  })
})

it('a connection that waits lets the process end after a moment, and one that carries a request does not', async () => {
  const answering = Promise.withResolvers<void>()
  const { pool } = await start((socket, request) => {
    if (request === 1) socket.write(ANSWER)
    else void answering.promise.then(() => socket.write(ANSWER))
  })
  const holding = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length
  await warmUp(pool)
  const before = holding()
  await until(() => holding() === before - 1, 'it does not count any more')
  const answer = send(pool)
  await answer.started
  expect(holding()).toBe(before)
  answering.resolve()
  expect((await answer.done).error).toBeNull()
})
