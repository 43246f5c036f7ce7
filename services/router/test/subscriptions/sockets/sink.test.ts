/** Events and parts of answers as messages of a WebSocket, without a pipeline that makes any. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { WebSocketServer } from 'ws'
import { afterEach, expect, it } from 'vitest'
import { ByteShares } from '../../../src/fairness/byte-shares.ts'
import type { ClientResponse } from '../../../src/http/client-response.ts'
import type { OperationOfSocket } from '../../../src/request/event-sink.ts'
import { Operations } from '../../../src/subscriptions/sockets/operations.ts'
import { Outlet } from '../../../src/subscriptions/sockets/outlet.ts'
import { until } from '../../support/router.ts'
import { closeServer, listenOnFreePort } from '../../support/subgraph.ts'
import { Talk } from './talk.ts'

let stack = new AsyncDisposableStack()
afterEach(async () => {
  await stack.disposeAsync()
  stack = new AsyncDisposableStack()
})

/** A WebSocket with one operation, whose pipeline is the test. */
async function operation() {
  const shares = new ByteShares({ perClient: 1e9, total: 1e9 }, () => {})
  const begun: { request: OperationOfSocket; response: ClientResponse }[] = []
  const overs: (string | null)[] = []
  const closed: boolean[] = []
  const accepted = Promise.withResolvers<{ operations: Operations; handshake: IncomingMessage }>()
  const server = createServer()
  const wss = new WebSocketServer({ noServer: true })
  server.on('upgrade', (handshake: IncomingMessage, socket: Socket, head: Buffer) =>
    wss.handleUpgrade(handshake, socket, head, (ws) => {
      const outlet = new Outlet(ws, socket, {
        account: (holder) => shares.open('client', holder),
        writeTimeout: () => 60_000,
        onFull: () => {},
        onRoom: () => {},
        onStalled: () => {},
      })
      const operations = new Operations({
        outlet,
        serve: (request, response) => {
          begun.push({ request: request as unknown as OperationOfSocket, response })
          response.on('close', () => closed.push(response.writableFinished))
        },
        onOver: (code) => overs.push(code),
      })
      accepted.resolve({ operations, handshake })
    }),
  )
  const port = await listenOnFreePort(server)
  stack.defer(() => closeServer(server))
  const talk = stack.use(await Talk.open(`http://127.0.0.1:${port}`))
  const { operations, handshake } = await accepted.promise
  const client = { handshake, headers: {}, takesParts: false }
  operations.begin('a "quoted" id', '{"query":"subscription { x }"}', client)
  const [first] = begun
  if (first === undefined) throw new Error('no operation')
  return { talk, ...first, operations, overs, closed, shares }
}

/** The operation is a subscription. */
async function subscribed() {
  const begun = await operation()
  return { ...begun, sink: begun.request.sink }
}

/** The operation is answered in parts. */
async function inParts() {
  const begun = await operation()
  const flow = { paused: 0, resumed: 0 }
  const parts = begun.request.partsFor({ pause: () => flow.paused++, resume: () => flow.resumed++ })
  return { ...begun, parts, flow }
}

const ID = 'a "quoted" id'

it('sends events as next, in their order, as texts or in pieces, and complete at the end', async () => {
  const { talk, sink, operations, overs, closed } = await subscribed()
  const large = Buffer.from(`{"data":"${'é'.repeat(100_000)}"}`)
  expect(sink.next('{"data":1}')).toBe(true)
  sink.next([Buffer.from('{"data"'), Buffer.from(':2}')])
  // A piece may end within a character.
  sink.next([large.subarray(0, 50_002), large.subarray(50_002)])
  sink.complete()
  sink.next('{"data":3}')
  sink.complete()
  await talk.hear('complete')
  expect(talk.heard).toEqual([
    { id: ID, type: 'next', payload: { data: 1 } },
    { id: ID, type: 'next', payload: { data: 2 } },
    { id: ID, type: 'next', payload: { data: 'é'.repeat(100_000) } },
  ])
  await until(() => overs.length === 1, 'the end')
  expect([sink.isOver, operations.size, closed]).toEqual([true, 0, [true]])
})

it('sends error at the end, and no complete after it', async () => {
  const { talk, sink } = await subscribed()
  sink.fail('[{"message":"gone"}]')
  sink.complete()
  sink.fail('[]')
  expect(await talk.hear('error')).toEqual({ id: ID, type: 'error', payload: [{ message: 'gone' }] })
  expect(talk.heard).toEqual([])
})

it('sends nothing when the router leaves, or after the client has completed it', async () => {
  const left = await subscribed()
  left.operations.leave()
  expect(left.sink.isOver).toBe(true)
  const cancelled = await subscribed()
  cancelled.operations.cancel(ID)
  expect(cancelled.sink.isOver).toBe(true)
  for (const { sink, closed, overs } of [left, cancelled]) {
    sink.next('{}')
    sink.complete()
    await until(() => overs.length === 1, 'the end')
    expect(closed).toEqual([sink === left.sink])
  }
  expect([...left.talk.heard, ...cancelled.talk.heard]).toEqual([])
})

it('says when the client does not keep up, and when it does again', async () => {
  const { talk, sink, shares } = await subscribed()
  talk.ws.pause()
  const event = JSON.stringify({ data: 'x'.repeat(100_000) })
  await until(() => !sink.next(event) && shares.bytes > 0, 'events that wait')
  let isDrained = 0
  sink.onceDrained(() => isDrained++)
  expect(isDrained).toBe(0)
  talk.ws.resume()
  await until(() => isDrained === 1 && shares.bytes === 0, 'room')
  expect(sink.next('{}')).toBe(true)
})

it('is over when its client is gone', async () => {
  const { talk, sink } = await subscribed()
  talk.ws.terminate()
  await once(talk.ws, 'close')
  await until(() => sink.isOver, 'the end')
  expect(sink.next('{}')).toBe(true)
})

it('sends parts as next, and complete after the last', async () => {
  const { talk, parts, operations, overs, closed } = await inParts()
  parts.write('{"hasNext":true}', false)
  parts.write([Buffer.from('{"hasNext"'), Buffer.from(':false}')], true)
  parts.write('{}', true)
  await talk.hear('complete')
  expect(talk.heard.map(({ payload }) => payload)).toEqual([{ hasNext: true }, { hasNext: false }])
  await until(() => overs.length === 1, 'the end')
  expect([parts.parts, operations.size, closed]).toEqual([2, 0, [true]])
})

it('sends no refusal after a part', async () => {
  const { talk, parts, response, operations, overs } = await inParts()
  expect(response.headersSent).toBe(false)
  parts.write('{"hasNext":true}', false)
  expect(response.headersSent).toBe(true)
  operations.cancel(ID)
  parts.write('{}', false)
  await until(() => overs.length === 1, 'the end')
  talk.ws.ping()
  await once(talk.ws, 'pong')
  expect(talk.heard.map(({ payload }) => payload)).toEqual([{ hasNext: true }])
})

it('asks for no more parts while the client does not keep up, and never again once it is cancelled', async () => {
  const part = JSON.stringify({ data: 'x'.repeat(100_000) })
  const [read, cancelled] = [await inParts(), await inParts()]
  for (const { talk, parts, flow, shares } of [read, cancelled]) {
    talk.ws.pause()
    // More than the system takes.
    await until(() => {
      parts.write(part, false)
      return shares.bytes > 2e6
    }, 'parts that wait')
    // Those that were on their way came all the same, and it was said once.
    expect(flow.paused - flow.resumed).toBe(1)
  }
  cancelled.operations.cancel(ID)
  await until(() => cancelled.overs.length === 1, 'the end')
  const before = { ...cancelled.flow }
  for (const { talk } of [read, cancelled]) talk.ws.resume()
  const { flow, parts, talk } = read
  await until(() => flow.resumed === flow.paused && cancelled.shares.bytes === 0, 'room')
  expect(cancelled.flow).toEqual(before)
  parts.write('{"hasNext":false}', true)
  await talk.hear('complete')
})
