/** Bodies that are cut into pieces of one byte: they take no more memory, and keep nobody else waiting. */
import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PIECES } from '@switchyard/service-kit'
import { recordMetrics } from '@switchyard/testkit'
import { frame, postFrame, rawHttp2 } from '../support/http2-frames.ts'
import { Refusals } from '../support/refusals.ts'
import { post, type TestRouter, until } from '../support/router.ts'
import { startShopRouter } from '../support/shop-router.ts'

const HEAD = 'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`
const QUERY = JSON.stringify({ query: '{ __typename }' })
const ANSWER = '{"data":{"__typename":"Query"}}'
const chunksOf = (text: string) => text.replaceAll(/./gs, '1\r\n$&\r\n')
const spaces = (count: number) => '1\r\n \r\n'.repeat(count)

const stack = new AsyncDisposableStack()
const { measured } = stack.use(recordMetrics())
let router: TestRouter

beforeAll(async () => {
  router = stack.use(await startShopRouter()).router
})
afterAll(() => stack.disposeAsync())
beforeEach(() => {
  measured.length = 0
})

const refusals = new Refusals(measured)

async function opened(): Promise<{ readonly socket: Socket; readonly text: () => string } & Disposable> {
  const socket = connect({ port: router.port, host: '127.0.0.1', noDelay: true })
  let text = ''
  socket.on('error', () => {})
  socket.on('data', (bytes: Buffer) => (text += bytes.toString()))
  await once(socket, 'connect')
  return { socket, text: () => text, [Symbol.dispose]: () => socket.destroy() }
}

describe('over HTTP/1, a body', () => {
  it('in chunks of one byte is read like any other, and the connection goes on', async () => {
    using client = await opened()
    const request = `${CHUNKED}${spaces(5000)}${chunksOf(QUERY)}0\r\n\r\n`
    for (let round = 1; round <= 3; round++) {
      client.socket.write(request)
      await until(() => client.text().split(ANSWER).length === round + 1, 'the answer')
    }
  })

  it('of one byte a packet is read like any other', async () => {
    using client = await opened()
    client.socket.write(`${HEAD}Content-Length: ${QUERY.length}\r\n\r\n`)
    for (const byte of QUERY) {
      client.socket.write(byte)
      await new Promise(setImmediate)
    }
    await until(() => client.text().includes(ANSWER), 'the answer')
  })

  it('in more pieces than a program sends by accident is refused, and the connection closed', async () => {
    using client = await opened()
    client.socket.write(`${CHUNKED}${spaces(PIECES.any + 1000)}`)
    await until(() => client.socket.destroyed || client.socket.readableEnded, 'the end of the connection')
    expect(client.text()).toMatch(/^HTTP\/1\.1 400 /)
    expect(client.text()).toMatch(/connection: close/i)
    expect(client.text()).toContain(`The body came in more than ${PIECES.any} pieces`)
    expect(client.text()).toContain('"code":"BAD_REQUEST"')
  })

  it('is not read in the same turn as those of many other connections', async () => {
    const count = 20
    const clients = await Promise.all(Array.from({ length: count }, opened))
    try {
      const most = await refusals.mostInOneTurn(count, () => {
        for (const { socket } of clients) socket.write(`${CHUNKED}${spaces(PIECES.any + 1000)}`)
      })
      expect(most).toBeLessThanOrEqual(2)
    } finally {
      for (const client of clients) client[Symbol.dispose]()
    }
    expect((await post(router, { query: '{ __typename }' })).status).toBe(200)
  })

  it('may come in small pieces while an earlier request waits', async () => {
    using client = await opened()
    const whole = `${HEAD}Content-Length: ${QUERY.length}\r\n\r\n${QUERY}`
    client.socket.write(`${whole}${`${CHUNKED}${spaces(2000)}${chunksOf(QUERY)}0\r\n\r\n`.repeat(3)}${whole}`)
    await until(() => client.text().split(ANSWER).length === 6, 'all answers')
  })
})

describe('over HTTP/2, a body', () => {
  it('in frames of one byte is read like any other', async () => {
    const session = connectHttp2(router.url)
    await once(session, 'remoteSettings')
    const stream = session.request({
      ':method': 'POST',
      ':path': '/graphql',
      'content-type': 'application/json',
    })
    let text = ''
    stream.on('data', (bytes: Buffer) => (text += bytes.toString()))
    for (const byte of ' '.repeat(2000) + QUERY) stream.write(byte)
    stream.end()
    await once(stream, 'close')
    expect(text).toBe(ANSWER)
    session.destroy()
  })

  it('in more frames than a program sends by accident is refused, and those beside it are answered', async () => {
    const socket = rawHttp2(router.port)
    let text = ''
    socket.on('data', (bytes: Buffer) => (text += bytes.toString('latin1'))).resume()
    const piece = (stream: number, bytes: string, flags = 0) =>
      frame('data', { stream, flags, payload: Buffer.from(bytes) })
    const tooMany = Array.from({ length: PIECES.any + 1000 }, () => piece(1, ' '))
    const good = (stream: number) => [postFrame(stream), piece(stream, QUERY, 1)]
    socket.write(Buffer.concat([postFrame(1), ...good(3), ...tooMany]))
    await until(() => text.includes(`The body came in more than ${PIECES.any} pieces`), 'the refusal')
    await until(() => text.includes(ANSWER), 'the answer beside it')
    text = ''
    socket.write(Buffer.concat([piece(1, ' '), ...good(5)]))
    await until(() => text.includes(ANSWER), 'the next answer')
    socket.destroy()
  })

  it('is not read in the same turn as those of many other connections', async () => {
    const count = 20
    const sockets = Array.from({ length: count }, () => rawHttp2(router.port))
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    const one = frame('data', { stream: 1, payload: Buffer.from(' ') })
    const body = Buffer.concat([postFrame(1), ...Array.from({ length: PIECES.any + 1000 }, () => one)])
    try {
      const most = await refusals.mostInOneTurn(count, () => {
        for (const socket of sockets) socket.resume().write(body)
      })
      expect(most).toBeLessThanOrEqual(2)
    } finally {
      for (const socket of sockets) socket.destroy()
    }
  })
})

describe('many connections that begin at once', () => {
  it('are answered, and not all in one turn', async () => {
    const count = 400
    const clients = await Promise.all(Array.from({ length: count }, opened))
    const most = await refusals.mostInOneTurn(count, () => {
      // Nothing is there, which is known at once.
      for (const { socket } of clients) socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    })
    for (const client of clients) client[Symbol.dispose]()
    // A client may begin a fifth of this in one turn before its connections wait.
    expect(most).toBeLessThanOrEqual(count / 5)
  })
})
