/**
 * Frames of HTTP/2 as bytes, for clients that break its rules:
 * https://www.rfc-editor.org/rfc/rfc9113#section-4.1.
 */
import { connect, type Socket } from 'node:net'

const TYPES = { data: 0, headers: 1, resetStream: 3, settings: 4, ping: 6 } as const

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
/** `:method: GET`, `:scheme: http`, `:path: /`, `:authority: x` (RFC 7541, appendix A). */
const GET = Buffer.from([0x82, 0x86, 0x84, 0x41, 0x01, 0x78])

export function frame(
  type: keyof typeof TYPES,
  {
    flags = 0,
    stream = 0,
    payload = Buffer.alloc(0),
  }: { flags?: number; stream?: number; payload?: Buffer } = {},
): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head.writeUInt8(TYPES[type], 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

/** A request for `/` that is complete with its headers. */
export function getFrame(stream: number): Buffer {
  return frame('headers', { flags: 0x5, stream, payload: GET })
}

/** The headers of a request with a body of JSON for `/graphql`. */
export function postFrame(stream: number): Buffer {
  const literal = (name: string, value: string) =>
    Buffer.from(`\0${String.fromCharCode(name.length)}${name}${String.fromCharCode(value.length)}${value}`)
  const payload = Buffer.concat([
    // `:method: POST`, `:scheme: http` (RFC 7541, appendix A).
    Buffer.from([0x83, 0x86]),
    literal(':path', '/graphql'),
    literal(':authority', 'x'),
    literal('content-type', 'application/json'),
  ])
  return frame('headers', { flags: 0x4, stream, payload })
}

export function resetFrame(stream: number): Buffer {
  return frame('resetStream', { stream, payload: Buffer.from([0, 0, 0, 8]) })
}

/** A connection that has begun and reads nothing, unless it is resumed. */
export function rawHttp2(port: number): Socket {
  const socket = connect(port, '127.0.0.1').pause()
  socket.on('error', () => {})
  return begunHttp2(socket)
}

/** The same on a socket that is there already. */
export function begunHttp2(socket: Socket): Socket {
  socket.write(Buffer.concat([PREFACE, frame('settings')]))
  return socket
}
