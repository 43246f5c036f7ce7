/**
 * Very many clients of subscriptions in a process of its own. They read raw sockets, so that they cost little
 * beside the router that is measured.
 *
 * Its argument is a `ClientsSetUp` as JSON. It sends `opened` when everything was asked for, and answers
 * `count` by what was received so far.
 */
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { ClientsSetUp, Received } from './clients.ts'

/** Connections of one client address: the system takes long to find a free port among many in use. */
const PER_ADDRESS = 1000

const setUp: ClientsSetUp = JSON.parse(process.argv[2] ?? '')
const { port, kind, connections, subscriptions, query, within } = setUp
/** Connections that are made at the same time. */
const atOnce = within === undefined ? 100 : connections
const body = JSON.stringify({ query })
let events = 0
/** Events whose number does not follow the one before on the same connection. */
let strays = 0
/** Events that the router has dropped, as it says. */
let missed = 0
let closed = 0
/** Errors, by their codes. */
const ends: Record<string, number> = {}

process.on('message', (message) => {
  if (message === 'count') process.send?.({ events, strays, missed, closed, ends } satisfies Received)
})
process.once('disconnect', () => process.exit(0))

for (let made = 0; made < connections; made += atOnce) {
  const group = Array.from({ length: Math.min(atOnce, connections - made) }, async (_, index) => {
    if (within !== undefined) await delay((within * index) / connections)
    await open(made + index)
  })
  await Promise.all(group)
}
process.send?.('opened')

/** Resolves when the router has taken the connection. */
async function open(index: number): Promise<void> {
  const localAddress = `127.0.0.${2 + Math.floor(index / PER_ADDRESS)}`
  const socket = connect({ host: '127.0.0.1', port, localAddress })
  socket.on('error', (error) => process.send?.({ fault: String(error) }))
  socket.on('close', () => closed++)
  await (kind === 'event-streams' ? openStream(socket) : openWebSocket(socket))
}

async function openStream(socket: Socket): Promise<void> {
  socket.write(
    `POST /graphql HTTP/1.1\r\nHost: router\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  await answerTo(socket, 'HTTP/1.1 200')
  socket.on('data', streamReader())
}

/** Reads the events of one stream, which say their numbers as `upc`. */
function streamReader(): (data: Buffer) => void {
  let rest = ''
  let last: number | null = null
  return (data) => {
    const parts = (rest + data.toString('latin1')).split('\n\n')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      const code = /"code":"(\w+)"/.exec(part)?.[1]
      if (code !== undefined) ends[code] = (ends[code] ?? 0) + 1
      const upc = /"upc":"(\d+)"/.exec(part)?.[1]
      if (upc === undefined) continue
      events++
      const dropped = Number(/"missed":(\d+)/.exec(part)?.[1] ?? 0)
      missed += dropped
      if (last !== null && Number(upc) !== last + 1 + dropped) strays++
      last = Number(upc)
    }
  }
}

async function openWebSocket(socket: Socket): Promise<void> {
  socket.write(
    'GET /graphql HTTP/1.1\r\nHost: router\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n',
  )
  await answerTo(socket, 'HTTP/1.1 101')
  socket.write(textFrame('{"type":"connection_init"}'))
  await answerTo(socket, 'connection_ack')
  socket.on('data', countOf('"type":"next"'))
  for (let id = 0; id < subscriptions; id++) {
    socket.write(textFrame(JSON.stringify({ id: String(id), type: 'subscribe', payload: { query } })))
    // The router takes 100 messages a second from a WebSocket, and `connection_init` was one.
    if (id % 90 === 89) await delay(1000)
  }
}

/** Waits until the socket has sent this. Throws an error with what it sent otherwise. */
function answerTo(socket: Socket, expected: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = ''
    const read = (data: Buffer): void => {
      text += data.toString('latin1')
      if (!text.includes(expected) && text.length < 1000) return
      socket.off('data', read)
      if (text.includes(expected)) resolve()
      else reject(new Error(`expected ${expected}, got ${text}`))
    }
    socket.on('data', read)
    socket.once('close', () => reject(new Error(`expected ${expected}, and the connection was closed`)))
  })
}

/** Counts how often a mark comes, also if it is cut in two. */
function countOf(mark: string): (data: Buffer) => void {
  let rest = ''
  return (data) => {
    const parts = (rest + data.toString('latin1')).split(mark)
    events += parts.length - 1
    rest = parts.at(-1)?.slice(1 - mark.length) ?? ''
  }
}

/** A frame of a client (RFC 6455, section 5.2), whose mask is zero. */
function textFrame(text: string): Buffer {
  const payload = Buffer.from(text)
  const length =
    payload.length < 126 ? [0x80 | payload.length] : [0xfe, payload.length >> 8, payload.length & 0xff]
  return Buffer.concat([Buffer.from([0x81, ...length, 0, 0, 0, 0]), payload])
}
