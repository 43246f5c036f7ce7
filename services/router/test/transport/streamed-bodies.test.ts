/** Requests to subgraphs whose bodies come in pieces, over HTTP/1.1 and HTTP/2. */
import { once } from 'node:events'
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createHttp2 } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { BodySink, BodySource } from '../../src/http/body-source.ts'
import type { CallPool } from '../../src/transport/dispatch/call-pool.ts'
import { openHttp2Pool } from '../support/http2-pool.ts'
import { until } from '../support/router.ts'
import { openLean, type RecordedAnswer, send } from './http1/support.ts'

const stack: AsyncDisposableStack[] = []
afterEach(async () => {
  for (const each of stack.splice(0)) await each.disposeAsync()
})

/** A body that a test writes. */
class WrittenBody implements BodySource {
  sink: BodySink | null = null
  /** How often the sink had room again. */
  wentOn = 0
  stops = 0

  begin(sink: BodySink): void {
    this.sink = sink
  }
  goOn(): void {
    this.wentOn++
  }
  stop(): void {
    this.stops++
  }
}

type Received = { text: string; readonly request: IncomingMessage; end: 'whole' | 'cut' | null }
type Behave = (request: IncomingMessage, response: ServerResponse) => void

const answer: Behave = (request, response) => {
  request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
}

/** `behave` decides when requests are answered; it has to read them as well. */
async function start(protocol: 'http/1.1' | 'h2', behave: Behave) {
  const use = new AsyncDisposableStack()
  stack.push(use)
  const received: Received[] = []
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const one: Received = { text: '', request, end: null }
    received.push(one)
    request.on('aborted', () => (one.end = 'cut')).on('error', () => {})
    request.on('end', () => (one.end ??= 'whole'))
    request.on('close', () => (one.end ??= 'cut'))
    behave(request, response)
    if (request.isPaused()) return
    request.on('data', (bytes: Buffer) => (one.text += bytes.toString()))
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the handler uses means the same here
  const server = protocol === 'h2' ? createHttp2(handle as never) : createHttp(handle)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  const pool: CallPool = protocol === 'h2' ? openHttp2Pool(origin) : openLean(origin)
  use.defer(() => new Promise<void>((resolve) => server.close(() => resolve())))
  use.defer(() => pool.destroy().then(() => {}))
  return { pool, received }
}

async function sent(pool: CallPool, body: WrittenBody): Promise<{ call: RecordedAnswer; sink: BodySink }> {
  const call = send(pool, { body })
  await until(() => body.sink !== null, 'the body has begun')
  const { sink } = body
  if (sink === null) throw new Error('There is no sink.')
  return { call, sink }
}

describe.each(['http/1.1', 'h2'] as const)('a body in pieces over %s', (protocol) => {
  it('arrives as it was written, and the next request is not mistaken for a part of it', async () => {
    const { pool, received } = await start(protocol, answer)
    const body = new WrittenBody()
    const { call, sink } = await sent(pool, body)
    sink.write(Buffer.from('one '))
    sink.write(Buffer.alloc(0))
    await until(() => received[0]?.text === 'one ', 'the first piece')
    sink.write(Buffer.from('zwei, drei é'))
    sink.end()
    expect(await call.done).toEqual({ status: 200, body: '{}', error: null })
    expect(received[0]).toMatchObject({ text: 'one zwei, drei é', end: 'whole' })
    expect(received[0]?.request.headers['content-length']).toBeUndefined()
    expect(body.stops).toBeGreaterThan(0)
    expect(await send(pool).done).toMatchObject({ status: 200, error: null })
    expect(received[1]?.text).toBe('{"query":"{ a }"}')
  })

  it('waits while the subgraph does not read', async () => {
    const { pool, received } = await start(protocol, (request) => void request.pause())
    const body = new WrittenBody()
    const { call, sink } = await sent(pool, body)
    const piece = Buffer.alloc(64 * 1024, 'x')
    let written = 0
    // What the system holds on both sides, which may be some megabytes.
    while (sink.write(piece)) expect((written += piece.length)).toBeLessThan(64 * 1024 * 1024)
    await until(() => received.length === 1, 'the request has come')
    const before = body.wentOn
    received[0]?.request.resume()
    await until(() => body.wentOn > before, 'there is room again')
    sink.fail(new Error('enough'))
    expect((await call.done).error?.message).toBe('enough')
    await until(() => received[0]?.end === 'cut', 'the subgraph sees that the rest does not come')
  })

  it('is stopped where the subgraph answers before its end', async () => {
    const { pool, received } = await start(protocol, (request, response) => {
      request.resume()
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"early":true}')
    })
    const body = new WrittenBody()
    const { call, sink } = await sent(pool, body)
    sink.write(Buffer.from('begun'))
    expect(await call.done).toEqual({ status: 200, body: '{"early":true}', error: null })
    expect(body.stops).toBeGreaterThan(0)
    // node:http tells nothing of a request that it has answered but by the end of the connection.
    const isOver = () => received[0]?.end !== null || received[0].request.socket.destroyed
    await until(isOver, 'the rest does not come')
    expect(await send(pool).done).toMatchObject({ status: 200, error: null })
  })

  it('is stopped where the connection breaks, and is not sent again', async () => {
    const { pool, received } = await start(protocol, (request) => void request.socket.destroy())
    const body = new WrittenBody()
    const { call, sink } = await sent(pool, body)
    sink.write(Buffer.from('begun'))
    expect((await call.done).error).not.toBeNull()
    expect(body.stops).toBeGreaterThan(0)
    expect(received.length).toBe(1)
  })

  it('is stopped where the call is given up, before it was begun as well', async () => {
    const { pool, received } = await start(protocol, () => {})
    const early = new WrittenBody()
    const refused = send(pool, { body: early, path: 'no path' })
    expect((await refused.done).error).not.toBeNull()
    expect(early).toMatchObject({ stops: 1, sink: null })
    const body = new WrittenBody()
    const { call } = await sent(pool, body)
    const controller = await call.started
    await until(() => received.length === 1, 'the request has come')
    controller.abort(new Error('given up'))
    await until(() => received[0]?.end === 'cut', 'the subgraph sees that the rest does not come')
    expect(body.stops).toBeGreaterThan(0)
  })
})
