/** Subgraphs whose answers are cut: over HTTP/1, over HTTPS and over HTTP/2. */
import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { TestCertificate } from '@switchyard/testkit'
import { chunkOf, LAST_CHUNK, packetsOf, piecesOf, type Run } from './cut.ts'
import {
  ACKNOWLEDGED,
  END_HEADERS,
  END_STREAM,
  FRAME,
  frame,
  frameReader,
  headerBlock,
  PREFACE,
  SETTINGS,
} from './http2-frames.ts'
import { dataFrames, sendAll } from './send-cut.ts'

export const SUBGRAPHS = ['plain', 'secure', 'framed'] as const
export type SubgraphName = (typeof SUBGRAPHS)[number]

/** The body of the next answer, and how it is cut. */
export type CutReply = { readonly body: Buffer; readonly runs: readonly Run[] }

export type CuttingSubgraphs = AsyncDisposable & {
  readonly ports: Readonly<Record<SubgraphName, number>>
  reply: CutReply
}

/** Starts the subgraphs. The one for HTTP/2 is a server with prior knowledge. */
export async function startCuttingSubgraphs(certificate: TestCertificate): Promise<CuttingSubgraphs> {
  const sockets = new Set<Socket>()
  let reply: CutReply = { body: Buffer.from('{}'), runs: [] }
  const http1 = (socket: Socket) => serveHttp1(socket, () => reply)
  const servers: Readonly<Record<SubgraphName, Server>> = {
    plain: createServer({ noDelay: true }, http1),
    secure: createTlsServer({ ...certificate, ALPNProtocols: ['http/1.1'] }, http1),
    framed: createServer({ noDelay: true }, (socket) => serveHttp2(socket, () => reply)),
  }
  const ports = { plain: 0, secure: 0, framed: 0 }
  for (const name of SUBGRAPHS) {
    const server = servers[name]
    server.on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => sockets.delete(socket))
    })
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
    ports[name] = (server.address() as AddressInfo).port
  }
  return {
    ports,
    get reply() {
      return reply
    },
    set reply(next) {
      reply = next
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await Promise.all(
        SUBGRAPHS.map((name) => new Promise<void>((resolve) => void servers[name].close(() => resolve()))),
      )
    },
  }
}

/** One answer for each request, which is whole when its body is there. */
function serveHttp1(socket: Socket, reply: () => CutReply): void {
  socket.on('error', () => undefined)
  let text = ''
  socket.on('data', (data: Buffer) => {
    text += data.toString('latin1')
    const end = text.indexOf('\r\n\r\n')
    if (end < 0) return
    const length = Number(/content-length: (\d+)/i.exec(text.slice(0, end))?.[1] ?? 0)
    if (text.length < end + 4 + length) return
    text = text.slice(end + 4 + length)
    const { body, runs } = reply()
    const head = Buffer.from(
      'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
    )
    void sendAll(socket, [head, ...packetsOf(piecesOf(body, runs), chunkOf), LAST_CHUNK])
  })
}

function serveHttp2(socket: Socket, reply: () => CutReply): void {
  socket.write(SETTINGS)
  const answer = (stream: number): void => {
    const { body, runs } = reply()
    const head = headerBlock([
      [':status', '200'],
      ['content-type', 'application/json'],
    ])
    void sendAll(socket, [
      frame(FRAME.headers, END_HEADERS, stream, head),
      ...packetsOf(piecesOf(body, runs), (bytes) => dataFrames(stream, bytes)),
      frame(FRAME.data, END_STREAM, stream, Buffer.alloc(0)),
    ])
  }
  const read = frameReader((type, flags, stream) => {
    if (type === FRAME.settings && (flags & 1) === 0) socket.write(ACKNOWLEDGED)
    const isRequest = type === FRAME.headers || type === FRAME.data
    if (isRequest && (flags & END_STREAM) !== 0) answer(stream)
  }, PREFACE)
  socket.on('data', read)
}
