/**
 * Attacks by how input is cut: bodies of requests and answers in pieces of one byte, each of which costs
 * whoever reads it a hundred times as much as the byte. And connections, of which many begin at once.
 */
import { createServer as createHttp1 } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { TestCertificate } from '@switchyard/testkit'
import {
  ACKNOWLEDGED,
  END_HEADERS,
  FRAME,
  frame,
  frameReader,
  headerBlock,
  PREFACE,
  SETTINGS,
} from '../cutting/http2-frames.ts'
import { type Attack, counted, type Field, SUBGRAPH_CA } from './attack.ts'
import { askedOften } from './requests-in-turn.ts'

/** Bytes of a piece of an attack: more than a router reads at once. */
export const PIECES = 40_000

/** A chunk of one byte of HTTP/1.1, a space, which JSON may have anywhere. */
export const CHUNK = '1\r\n \r\n'
const HEAD = 'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
const CHUNKED_HEAD = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`
const QUERY = '{"query":"{ me { id } }"}'

/**
 * Sends the bytes again and again until the other side closes, or for `mostMs` milliseconds, then connects
 * anew. `repeated` may be empty.
 */
export async function sendOnConnections(
  field: Field,
  connections: number,
  start: Buffer,
  repeated: Buffer,
  mostMs?: number,
): Promise<void> {
  const one = async (): Promise<void> => {
    while (!field.signal.aborted) counted(field.tally, await sendOnOne(field, start, repeated, mostMs))
  }
  await Promise.all(Array.from({ length: connections }, one))
}

function sendOnOne(
  { host, port, address, signal, tally }: Field,
  start: Buffer,
  repeated: Buffer,
  mostMs?: number,
): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const socket = connect({ host, port, localAddress: address }, () => {
      tally.requests++
      tally.bytes += start.length
      socket.write(start)
      const more = (): void => {
        while (repeated.length > 0 && !socket.destroyed && socket.write(repeated))
          tally.bytes += repeated.length
      }
      socket.on('drain', more)
      more()
    })
    const stop = () => socket.destroy()
    const timer = mostMs === undefined ? undefined : setTimeout(stop, mostMs)
    signal.addEventListener('abort', stop, { once: true })
    socket.on('data', (data: Buffer) => (text = (text + data.toString('latin1')).slice(0, 1000)))
    socket.on('error', () => undefined)
    socket.on('end', stop)
    socket.on('close', () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      resolve(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? (signal.aborted ? 'stopped' : 'closed'))
    })
  })
}

const ENDLESS_CHUNKS: Attack = {
  name: '20: bodies that never end, in chunks of one byte',
  run: (field) => sendOnConnections(field, 100, Buffer.from(CHUNKED_HEAD), Buffer.from(CHUNK.repeat(PIECES))),
}

const WHOLE_CHUNKS: Attack = {
  name: '20: whole bodies in chunks of one byte',
  run: (field) => {
    const chunked = `${CHUNKED_HEAD}${QUERY.replaceAll(/./gs, '1\r\n$&\r\n')}${CHUNK.repeat(8000)}0\r\n\r\n`
    return sendOnConnections(field, 20, Buffer.alloc(0), Buffer.from(chunked))
  },
}

/** Keeps 300 connections, each of which begins alike and then sends one byte a packet. */
export async function oneByteAPacket(
  { host, port, address, signal, tally }: Field,
  start: string,
  byteOf: (number: number) => string,
): Promise<void> {
  const open = new Map<Socket, number>()
  const add = (): void => {
    const socket = connect({ host, port, localAddress: address, noDelay: true }, () => {
      tally.requests++
      socket.write(start)
    })
    open.set(socket, 0)
    socket.resume()
    socket.on('error', () => undefined)
    socket.on('close', () => {
      open.delete(socket)
      if (!signal.aborted) counted(tally, 'closed')
    })
  }
  while (!signal.aborted) {
    while (open.size < 300) add()
    for (const [socket, sent] of open) {
      if (socket.connecting) continue
      socket.write(byteOf(sent))
      open.set(socket, sent + 1)
    }
    tally.bytes += open.size
    await delay(1, undefined, { signal }).catch(() => undefined)
  }
  for (const socket of open.keys()) socket.destroy()
}

const ONE_BYTE_PACKETS: Attack = {
  name: '20: bodies of one byte a packet',
  run: (field) => oneByteAPacket(field, `${HEAD}Content-Length: 200000\r\n\r\n`, () => ' '),
}

/** Each byte of a header after the other, in lines of 100 bytes that never end the head. */
const HEADER_LINE = `x-a: ${'v'.repeat(93)}\r\n`

const HEADERS_IN_PACKETS: Attack = {
  name: '20: headers of one byte a packet',
  run: (field) =>
    oneByteAPacket(field, 'GET /graphql HTTP/1.1\r\nHost: x\r\n', (sent) =>
      HEADER_LINE.charAt(sent % HEADER_LINE.length),
    ),
}

const PIPELINED_CHUNKS: Attack = {
  name: '20: requests that wait on one connection, with bodies in chunks of one byte',
  run: (field) => {
    const request = `${CHUNKED_HEAD}${CHUNK.repeat(8000)}0\r\n\r\n`
    // The first one is answered when its body is there, which does not come, so that the others wait.
    const first = `${HEAD}Content-Length: ${QUERY.length}\r\n\r\n${QUERY}`
    return sendOnConnections(field, 20, Buffer.from(first.repeat(50)), Buffer.from(request))
  },
}

const CONNECTIONS_AT_ONCE: Attack = {
  name: '20: 2,000 connections that begin at once',
  async run({ host, port, address, signal, tally }) {
    while (!signal.aborted) {
      const sockets = Array.from({ length: 2000 }, () => {
        const socket = connect({ host, port, localAddress: address }, () => {
          tally.requests++
          tally.bytes += CHUNKED_HEAD.length
          socket.write(CHUNKED_HEAD)
        })
        return socket.on('error', () => undefined).resume()
      })
      await delay(1500, undefined, { signal }).catch(() => undefined)
      for (const socket of sockets) socket.resetAndDestroy()
    }
  },
}

const HTTP2_HEAD = headerBlock([
  [':method', 'POST'],
  [':scheme', 'http'],
  [':path', '/graphql'],
  [':authority', 'x'],
  ['content-type', 'application/json'],
])

/** A window of HTTP/2 that nothing was taken from is as large as this. */
const WINDOW = 65_535

const FRAMES_OF_ONE_BYTE: Attack = {
  name: '20: bodies in frames of one byte, HTTP/2',
  run(field) {
    const streams = 6
    const ofStream = (stream: number) =>
      Buffer.concat([
        frame(FRAME.headers, END_HEADERS, stream, HTTP2_HEAD),
        ...Array.from({ length: Math.floor(WINDOW / streams) }, () =>
          frame(FRAME.data, 0, stream, Buffer.from(' ')),
        ),
      ])
    const all = Array.from({ length: streams }, (_, index) => ofStream(2 * index + 1))
    const start = Buffer.concat([PREFACE, SETTINGS, ACKNOWLEDGED, ...all])
    return sendOnConnections(field, 40, start, Buffer.alloc(0), 2000)
  },
}

const ANSWER = '{"data":{"stocked":[]}}'
/** Bytes of an answer of a subgraph, each of which comes alone. */
const ANSWERED = 2_000_000

const askedForCutAnswers = (attack: Pick<Attack, 'name' | 'settings' | 'serve' | 'isSecure'>): Attack =>
  askedOften({
    ...attack,
    body: (number) => JSON.stringify({ query: `{ s${number}: stocked { id } }` }),
  })

/** Answers each call in chunks of one byte, with HTTP/1.1. */
const chunksOfOneByte = (certificate: TestCertificate | null): Server => {
  const bytes = Buffer.from(
    `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${CHUNK.repeat(ANSWERED)}${ANSWER.replaceAll(/./gs, '1\r\n$&\r\n')}0\r\n\r\n`,
  )
  const server = certificate === null ? createHttp1() : createHttps(certificate)
  return server.on('request', (request: { resume(): void; readonly socket: Socket }) => {
    request.resume()
    request.socket.write(bytes)
  })
}

/** Answers each call in frames of one byte, with HTTP/2. */
const framesOfOneByte = (): Server => {
  const data = (stream: number) => {
    const piece = frame(0, 0, stream, Buffer.from(' '))
    const whole = Buffer.alloc(piece.length * ANSWERED)
    for (let at = 0; at < whole.length; at += piece.length) piece.copy(whole, at)
    return whole
  }
  const head = headerBlock([
    [':status', '200'],
    ['content-type', 'application/json'],
  ])
  return createServer((socket) => {
    socket.on('error', () => undefined)
    socket.write(SETTINGS)
    const seen = new Set<number>()
    const read = frameReader((type, flags, stream) => {
      if (type === FRAME.settings && flags === 0) socket.write(ACKNOWLEDGED)
      if (type !== FRAME.headers || seen.has(stream)) return
      seen.add(stream)
      socket.write(frame(FRAME.headers, END_HEADERS, stream, head))
      socket.write(data(stream))
    }, PREFACE)
    socket.on('data', read)
  })
}

const CUT: readonly Attack[] = [
  ENDLESS_CHUNKS,
  WHOLE_CHUNKS,
  ONE_BYTE_PACKETS,
  HEADERS_IN_PACKETS,
  PIPELINED_CHUNKS,
  FRAMES_OF_ONE_BYTE,
  CONNECTIONS_AT_ONCE,
  askedForCutAnswers({
    name: '20: answers of a subgraph in chunks of one byte',
    serve: () => chunksOfOneByte(null),
  }),
  askedForCutAnswers({
    name: '20: answers of a subgraph in chunks of one byte, HTTPS',
    serve: chunksOfOneByte,
    isSecure: true,
    settings: `subgraphs: { overrides: { b: { tls: { ca_file: ${SUBGRAPH_CA} } } } }`,
  }),
  askedForCutAnswers({
    name: '20: answers of a subgraph in frames of one byte, HTTP/2',
    serve: framesOfOneByte,
    settings: 'subgraphs: { overrides: { b: { http2: true } } }',
  }),
]

/** Small pieces take memory for their bytes only. */
export const CUT_INPUT: readonly Attack[] = CUT.map((attack) => ({
  ...attack,
  memory: { growth: 350e6, kept: 150e6 },
}))
