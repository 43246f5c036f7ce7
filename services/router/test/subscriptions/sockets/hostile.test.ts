/** Clients that mean no good: bytes that are no frames, floods, half messages, answers that nobody reads. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { post, until } from '../../support/router.ts'
import { type ShopRouter, startShopRouter } from '../../support/shop-router.ts'
import { frame, RawTalk, Talk } from './talk.ts'

const stack = new AsyncDisposableStack()
let started: ShopRouter

beforeAll(async () => {
  const settings = `
subscriptions:
  enabled: true
  sockets: { max_messages_per_second: 20, idle_timeout: 2s, init_timeout: 30s }
limits: { max_body_size: 256KiB }
traffic: { request_timeout: 1s, headers_timeout: 1s, write_timeout: 1s }
`
  started = stack.use(await startShopRouter({ settings }))
})
afterAll(() => stack.disposeAsync())
beforeEach(() => void started.router.logs.splice(0))

const INIT = frame('{"type":"connection_init"}')
const reasons = () =>
  started.router.logs.filter(({ event }) => event === 'sockets.ended').map(({ reason }) => reason)
const ended = (reason: string) => until(() => reasons().includes(reason), reason)

async function opened({ router }: Pick<ShopRouter, 'router'> = started): Promise<RawTalk> {
  const raw = await RawTalk.open(router.port)
  await raw.until('\r\n\r\n')
  return raw
}

describe('a WebSocket is closed', () => {
  it.each<[string, Buffer, number]>([
    ['for a frame without a mask', frame('{}', { mask: false }), 1002],
    ['for reserved bits', frame('{}', { rsv: 0x40 }), 1002],
    ['for an unknown opcode', frame('{}', { opcode: 3 }), 1002],
    ['for a large ping', frame('x'.repeat(126), { opcode: 9 }), 1002],
    ['for a ping in fragments', frame('x', { opcode: 9, fin: false }), 1002],
    ['for a continuation of nothing', frame('x', { opcode: 0 }), 1002],
    ['for a text that is no UTF-8', frame(Buffer.from([0xff])), 1007],
    [
      'for a length beyond all limits',
      Buffer.from([0x81, 0xff, 0x7f, 1, 2, 3, 4, 5, 6, 7, 0, 0, 0, 0]),
      1009,
    ],
    ['for a length beyond the limit', Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0]), 1009],
    ['for HTTP in place of frames', Buffer.from('GET / HTTP/1.1\r\n\r\n'), 1002],
  ])('%s', async (_, bytes, code) => {
    using raw = await opened()
    raw.socket.write(bytes)
    expect(await raw.closeCode()).toBe(code)
    await ended('frame')
  })
  it('for a message of too many fragments, however small they are', async () => {
    using raw = await opened()
    const one = frame('x', { opcode: 0, fin: false })
    raw.socket.write(frame('x', { fin: false }))
    for (let batch = 0; batch < 100; batch++) raw.socket.write(Buffer.concat(Array(10_000).fill(one)))
    expect(await raw.closeCode()).toBe(1008)
    await ended('frame')
  })
  it('for half a message that is not ended in time', async () => {
    using raw = await opened()
    raw.socket.write(frame('{"type":"ping","payload":{}}').subarray(0, 10))
    await raw.end()
    await ended('half-message')
  })
  it('for answering no ping', async () => {
    const settings = 'subscriptions: { enabled: true, sockets: { ping_interval: 300ms } }'
    await using own = await startShopRouter({ settings })
    await using lively = await Talk.open(own.router.graphqlUrl)
    using raw = await RawTalk.open(own.router.port)
    await raw.end()
    const { logs } = own.router
    const line = await until(() => logs.find(({ event }) => event === 'sockets.ended'), 'its end')
    expect([line['reason'], lively.ws.readyState]).toEqual(['no-pong', lively.ws.OPEN])
  })
  it('for having nothing to ask', async () => {
    await using talk = await Talk.ready(started.router.graphqlUrl)
    expect(await talk.closed).toEqual({ code: 1000, reason: 'No operation is in progress' })
  })
  it('for not reading', { timeout: 60_000 }, async () => {
    // A message may take long here: a busy machine must not end it for half a message.
    const settings = `
subscriptions: { enabled: true }
traffic: { write_timeout: 1s }`
    await using own = await startShopRouter({ settings })
    using raw = await opened(own)
    raw.socket.write(INIT)
    await raw.until('connection_ack')
    raw.socket.pause()
    // Each answer repeats 600,000 characters, so that a few fill what the system keeps of them.
    const fields = ['u', 'v', 'w', 'x', 'y', 'z'].map((letter) => `${letter.repeat(100_000)}: version`)
    const query = JSON.stringify(`{ ${fields.join(' ')} }`)
    const write = setInterval(() => {
      raw.socket.write(frame(`{"id":"${Math.random()}","type":"subscribe","payload":{"query":${query}}}`))
    }, 50)
    try {
      await until(() => own.router.logs.some(({ reason }) => reason === 'stalled'), 'its end')
    } finally {
      clearInterval(write)
    }
  })
})

describe('floods', () => {
  it.each<[string, Buffer]>([
    ['pings of frames', frame('', { opcode: 9 })],
    ['pings of the protocol', frame('{"type":"ping"}')],
    ['operations', frame('{"id":"1","type":"subscribe","payload":{"query":"{ version }"}}')],
  ])('of %s are read at the pace of the settings, and hold up nobody else', async (_, one) => {
    using raw = await opened()
    raw.socket.write(INIT)
    await raw.until('connection_ack')
    const before = raw.bytes.length
    raw.socket.write(Buffer.concat(Array(20_000).fill(one)))
    for (let n = 0; n < 5; n++)
      expect((await post(started.router, { query: '{ version }' })).status).toBe(200)
    // 20 answers a second of some 100 bytes: far from 20,000 of them.
    expect(raw.bytes.length - before).toBeLessThan(100_000)
  })
})

it('garbage after the handshake never stops a router', async () => {
  let seed = 7
  const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648
  for (let n = 0; n < 200; n++) {
    using raw = await opened()
    raw.socket.write(Buffer.from(Array.from({ length: 1 + Math.floor(random() * 60) }, () => random() * 256)))
    raw.socket.end()
    await raw.end()
  }
  expect((await post(started.router, { query: '{ version }' })).status).toBe(200)
})
