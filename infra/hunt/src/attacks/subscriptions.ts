/**
 * Attacks by what subscriptions bring: WebSockets and event streams of clients, and subgraphs that send
 * events without an end.
 */
import { hash } from 'node:crypto'
import { createServer } from 'node:http'
import { connect, type Server, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { type Attack, counted, type Field } from './attack.ts'
import { oneByteAPacket, PIECES, sendOnConnections } from './cut-input.ts'
import { holdConnections } from './held-places.ts'
import { askedOften } from './requests-in-turn.ts'

const ENABLED = 'subscriptions: { enabled: true }'
const UPGRADE =
  'GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n'

/** Kinds of frames (RFC 6455, section 5.2). */
const [CONTINUATION, TEXT, CLOSE, PING] = [0, 1, 8, 9]
const FINAL = 0x80

/** A frame. Those of clients are masked, here with a mask that changes nothing. */
function wsFrame(first: number, payload: Buffer, isOfClient = true): Buffer {
  const { length } = payload
  const mask = isOfClient ? 0x80 : 0
  const head = Buffer.alloc(14)
  head[0] = first
  let end = 2
  if (length < 126) head[1] = mask | length
  else if (length < 65_536) {
    head[1] = mask | 126
    end = head.writeUInt16BE(length, 2)
  } else {
    head[1] = mask | 127
    end = head.writeBigUInt64BE(BigInt(length), 2)
  }
  return Buffer.concat([head.subarray(0, isOfClient ? end + 4 : end), payload])
}

const text = (message: object): Buffer => wsFrame(FINAL | TEXT, Buffer.from(JSON.stringify(message)))
const repeated = (bytes: Buffer, times: number): Buffer =>
  Buffer.concat(Array.from({ length: times }, () => bytes))

const OPENED = Buffer.concat([Buffer.from(UPGRADE), text({ type: 'connection_init' })])
const SUBSCRIBE = { type: 'subscribe', payload: { query: 'subscription { changed { id } }' } }
const BIG_QUERY = '{ __schema { types { name fields { name type { name kind } args { name } } } } }'
const STREAM_BODY = JSON.stringify(SUBSCRIBE.payload)
const STREAM = Buffer.from(
  `POST /graphql HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\nContent-Length: ${STREAM_BODY.length}\r\n\r\n${STREAM_BODY}`,
)

/** Sends the same bytes on WebSockets again and again. */
const onWebSockets = (name: string, bytes: () => Buffer, connections = 50): Attack => ({
  name: `21: ${name}`,
  settings: ENABLED,
  run: (field) => sendOnConnections(field, connections, OPENED, bytes()),
})

const LETTER = Buffer.from(' ')

const FRAGMENTS = onWebSockets('WebSockets, one message in fragments of one byte', () =>
  repeated(wsFrame(CONTINUATION, LETTER), PIECES),
)

const NONSENSE: Attack = {
  name: '21: WebSockets, frames that break the protocol',
  settings: ENABLED,
  run: (field) => {
    const wrong = [
      wsFrame(FINAL | TEXT, Buffer.from('{}'), false),
      wsFrame(FINAL | 0x70 | TEXT, LETTER),
      wsFrame(FINAL | 3, LETTER),
      wsFrame(PING, LETTER),
      wsFrame(FINAL | PING, Buffer.alloc(200)),
      wsFrame(FINAL | TEXT, Buffer.from([0xff, 0xfe])),
      wsFrame(FINAL | CLOSE, LETTER),
      Buffer.from([0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
      text({ type: 'connection_init' }),
      text({ type: 'none' }),
    ]
    return Promise.all(
      wrong.map((frame) => sendOnConnections(field, 5, Buffer.concat([OPENED, frame]), Buffer.alloc(0), 500)),
    ).then(() => {})
  },
}

const BYTES_IN_PACKETS: Attack = {
  name: '21: WebSockets, a message of one byte a packet',
  settings: ENABLED,
  run: (field) => {
    const message = wsFrame(FINAL | TEXT, Buffer.alloc(200_000, ' '))
    const head = message.subarray(0, message.length - 200_000)
    return oneByteAPacket(field, Buffer.concat([OPENED, head]).toString('latin1'), () => ' ')
  },
}

const MANY_WEBSOCKETS: Attack = {
  name: '21: 2,000 WebSockets that begin at once, and subscribe',
  settings: ENABLED,
  serve: () => sourceOf(() => Buffer.alloc(0)),
  async run({ host, port, address, signal, tally }) {
    const bytes = Buffer.concat([OPENED, text({ id: '1', ...SUBSCRIBE })])
    while (!signal.aborted) {
      const sockets = Array.from({ length: 2000 }, () => {
        const socket = connect({ host, port, localAddress: address }, () => {
          tally.requests++
          tally.bytes += bytes.length
          socket.write(bytes)
        })
        return socket.on('error', () => undefined).resume()
      })
      await delay(1500, undefined, { signal }).catch(() => undefined)
      for (const socket of sockets) socket.resetAndDestroy()
    }
  },
}

const UNREAD_RESULTS: Attack = {
  name: '21: WebSockets, results that nobody reads',
  settings: ENABLED,
  run: (field) => {
    const asked = Array.from({ length: 50 }, (_, id) =>
      text({ id: String(id), type: 'subscribe', payload: { query: BIG_QUERY } }),
    )
    const bytes = Buffer.concat([OPENED, ...asked])
    return holdConnections(field, 100, () => bytes)
  },
}

/**
 * A subgraph that accepts each WebSocket, and sends the frames without an end once it was asked for events.
 * It reads nothing of what it is sent: the second thing that comes is the subscription, whose id is 1.
 */
function sourceOf(frames: () => Buffer): Server {
  return createServer().on('upgrade', ({ headers }, socket: Socket) => {
    const key = `${headers['sec-websocket-key'] ?? ''}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\nSec-WebSocket-Accept: ${hash('sha1', key, 'base64')}\r\n\r\n`,
    )
    let come = 0
    socket.on('data', () => {
      come++
      if (come === 1) socket.write(ofServer({ type: 'connection_ack' }))
      if (come !== 2) return
      const bytes = frames()
      const more = (): void => {
        while (bytes.length > 0 && !socket.destroyed && socket.write(bytes));
      }
      socket.on('drain', more)
      more()
    })
    socket.on('error', () => undefined)
  })
}

const ofServer = (message: object): Buffer =>
  wsFrame(FINAL | TEXT, Buffer.from(JSON.stringify(message)), false)
const eventOf = (id: string): Buffer =>
  ofServer({ id: '1', type: 'next', payload: { data: { changed: { id } } } })

/** Lets clients subscribe, who read the events or do not, while the subgraph attacks. */
const underEvents = (name: string, frames: () => Buffer, { clients = 20, reads = true } = {}): Attack => ({
  name: `21: ${name}`,
  settings: ENABLED,
  serve: () => sourceOf(frames),
  run: (field) => (reads ? readStreams(field, clients) : holdConnections(field, clients, () => STREAM)),
})

/** Keeps event streams, and reads them. */
async function readStreams({ host, port, address, signal, tally }: Field, count: number): Promise<void> {
  const open = new Set<Socket>()
  const add = (): void => {
    const socket = connect({ host, port, localAddress: address }, () => {
      tally.requests++
      socket.write(STREAM)
    })
    open.add(socket)
    socket.on('data', ({ length }: Buffer) => (tally.bytes += length))
    socket.on('error', () => undefined)
    socket.on('close', () => {
      open.delete(socket)
      if (!signal.aborted) counted(tally, 'closed')
    })
  }
  while (!signal.aborted) {
    while (open.size < count) add()
    await delay(50, undefined, { signal }).catch(() => undefined)
  }
  for (const socket of open) socket.destroy()
}

/** One event whose bytes come in fragments of one byte. */
const inFragments = (): Buffer => {
  const letter = wsFrame(CONTINUATION, LETTER, false)
  return Buffer.concat([wsFrame(TEXT, LETTER, false), repeated(letter, PIECES)])
}

/** Attacks with subscriptions. All of them lie in how input is cut, or in how much of it there is. */
export const SUBSCRIPTIONS: readonly Attack[] = [
  onWebSockets('WebSockets, a storm of pings', () => repeated(wsFrame(FINAL | PING, LETTER), PIECES)),
  onWebSockets('WebSockets, subscriptions that begin and end at once', () =>
    Buffer.concat(
      Array.from({ length: 500 }, (_, id) => [
        text({ id: String(id), ...SUBSCRIBE }),
        text({ id: String(id), type: 'complete' }),
      ]).flat(),
    ),
  ),
  onWebSockets('WebSockets, empty messages of text', () =>
    repeated(wsFrame(FINAL | TEXT, Buffer.alloc(0)), PIECES),
  ),
  FRAGMENTS,
  NONSENSE,
  BYTES_IN_PACKETS,
  MANY_WEBSOCKETS,
  UNREAD_RESULTS,
  underEvents('events of a subgraph without an end', () => repeated(eventOf('1'), 1000)),
  underEvents('events of a subgraph for 1,000 clients', () => repeated(eventOf('1'), 100), { clients: 1000 }),
  underEvents('events of 10 KB that nobody reads', () => repeated(eventOf('x'.repeat(10_000)), 50), {
    clients: 200,
    reads: false,
  }),
  underEvents('an event of a subgraph in fragments of one byte', inFragments),
  underEvents('an event of 100 MB', () => {
    const frame = wsFrame(FINAL | TEXT, Buffer.alloc(100_000_000), false)
    // Whatever is sent again is in the event, too.
    return frame.subarray(0, 1_000_000)
  }),
]

/** Packed once: an attacker does not pay for what it sends again. */
const packed = gzipSync(`${' '.repeat(10_000_000)}{"query":"{ me { id } }"}`)

export const PACKED_BODIES: Attack = askedOften({
  name: '22: packed bodies of 10 MB',
  settings: 'compression: { request_encodings: [gzip] }',
  headers: { 'content-encoding': 'gzip' },
  body: () => packed,
})
