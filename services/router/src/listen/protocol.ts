/** Finds out by its first bytes which protocol a client speaks on a new connection. */
import type { Socket } from 'node:net'

/** The protocols that are served on a connection. */
export type Protocol = 'http/1' | 'http/2'

/**
 * The preface of HTTP/2, which no request of HTTP/1 begins with:
 * https://www.rfc-editor.org/rfc/rfc9113#name-http-2-connection-preface
 */
const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')

/** Returns the protocol, or null if more bytes have to come to decide it. */
export function protocolOf(bytes: Buffer): Protocol | null {
  const length = Math.min(bytes.length, PREFACE.length)
  if (bytes.compare(PREFACE, 0, length, 0, length) !== 0) return 'http/1'
  return length === PREFACE.length ? 'http/2' : null
}

/**
 * Reads until the protocol is known, puts the bytes back and calls `known`. Never calls it if the client
 * leaves before.
 */
export function readProtocol(socket: Socket, known: (protocol: Protocol) => void): void {
  let bytes: Buffer = Buffer.alloc(0)
  const look = (): void => {
    const chunk: unknown = socket.read()
    if (!(chunk instanceof Buffer)) return
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk])
    const protocol = protocolOf(bytes)
    if (protocol === null) return
    socket.off('readable', look)
    socket.off('end', leave)
    socket.off('error', leave)
    socket.unshift(bytes)
    known(protocol)
  }
  const leave = (): void => {
    socket.destroy()
  }
  socket.on('readable', look)
  socket.on('end', leave)
  socket.on('error', leave)
}
