/** Sends a request that is cut, on a connection of its own. */
import { connect, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
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

/** An answer: its status, or `closed` if there was none, and its body as far as it came. */
export type CutAnswer = { readonly status: string; readonly body: string; readonly bytes: number }

export type CutRequest = {
  readonly port: number
  readonly method: string
  readonly path: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer
  readonly runs: readonly Run[]
}

/** Milliseconds after which an answer is missing. */
const PATIENCE_MS = 30_000

/** The part of a request that is cut: a body in chunks, a body in packets, or the head before the body. */
export type Http1Part = 'chunks' | 'packets' | 'head'

export function sendHttp1(request: CutRequest, part: Http1Part): Promise<CutAnswer> {
  const { method, path, headers, body, runs } = request
  const length = part === 'chunks' ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const head = Buffer.from(
    `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines}${length}\r\n\r\n`,
  )
  const same = (bytes: Buffer) => bytes
  const packets =
    part === 'chunks'
      ? [head, ...packetsOf(piecesOf(body, runs), chunkOf), LAST_CHUNK]
      : part === 'packets'
        ? [head, ...packetsOf(piecesOf(body, runs), same)]
        : [...packetsOf(piecesOf(head, runs), same), body]
  return exchange(request.port, packets, (received) => {
    const text = received.toString('latin1')
    const end = text.indexOf('\r\n\r\n')
    return { status: /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 'closed', body: text.slice(end + 4) }
  })
}

/** The part of a request that is cut: the body in DATA frames, or the headers in CONTINUATION frames. */
export type Http2Part = 'data' | 'headers'

/** A body may not be larger than the window with which a stream begins, 65,535 bytes. */
export function sendHttp2(request: CutRequest, part: Http2Part): Promise<CutAnswer> {
  const { method, path, headers, body, runs } = request
  const block = headerBlock([
    [':method', method],
    [':path', path],
    [':scheme', 'http'],
    [':authority', 'x'],
    ...headers,
  ])
  const data = part === 'data' ? piecesOf(body, runs) : piecesOf(body, [])
  const blocks = part === 'headers' ? piecesOf(block, runs) : piecesOf(block, [])
  let sent = 0
  const headFrame = (bytes: Buffer) => {
    const type = sent === 0 ? FRAME.headers : FRAME.continuation
    sent += bytes.length
    return frame(type, sent === block.length ? END_HEADERS : 0, 1, bytes)
  }
  const packets = [
    Buffer.concat([PREFACE, SETTINGS, ACKNOWLEDGED]),
    ...packetsOf(blocks, headFrame),
    ...packetsOf(data, (bytes) => dataFrames(1, bytes)),
    frame(FRAME.data, END_STREAM, 1, Buffer.alloc(0)),
  ]
  return exchange(request.port, packets, (received, close) => {
    let status = 'closed'
    let text = ''
    frameReader((type, flags, stream, payload) => {
      if (stream !== 1) return
      if (type === FRAME.headers) status = 'answered'
      if (type === FRAME.data) text += payload.toString('latin1')
      // A stream that is refused may be reset in place of an end.
      if (type === FRAME.reset || (flags & END_STREAM) !== 0) close?.()
    })(received)
    return { status, body: text }
  })
}

const LARGEST_FRAME = 16_384

/** Returns as many DATA frames as the bytes need. */
export function dataFrames(stream: number, bytes: Buffer): Buffer {
  const frames: Buffer[] = []
  for (let at = 0; at < bytes.length; at += LARGEST_FRAME)
    frames.push(frame(FRAME.data, 0, stream, bytes.subarray(at, at + LARGEST_FRAME)))
  return Buffer.concat(frames)
}

/** `read` looks at all that has come so far; it calls `close` where the other side keeps the connection. */
function exchange(
  port: number,
  packets: readonly Buffer[],
  read: (received: Buffer, close?: () => void) => Omit<CutAnswer, 'bytes'>,
): Promise<CutAnswer> {
  return new Promise((resolve) => {
    const received: Buffer[] = []
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => void sendAll(socket, packets))
    const timer = setTimeout(() => {
      end('no answer')
      socket.destroy()
    }, PATIENCE_MS)
    const end = (status?: string): void => {
      clearTimeout(timer)
      const all = Buffer.concat(received)
      const answer = read(all)
      resolve({ ...answer, status: status ?? answer.status, bytes: all.length })
    }
    socket.on('data', (data: Buffer) => {
      received.push(data)
      read(Buffer.concat(received), () => socket.end())
    })
    socket.on('end', () => socket.end())
    // The other side may reset a connection of which it reads no more.
    socket.on('error', () => undefined)
    socket.on('close', () => end())
  })
}

/** Each packet leaves before the next one is written. */
export async function sendAll(socket: Socket, packets: readonly Buffer[]): Promise<void> {
  for (const packet of packets) {
    if (socket.destroyed || !socket.writable) return
    socket.write(packet)
    await turn()
  }
}
