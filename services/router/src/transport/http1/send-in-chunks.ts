/**
 * Sends the body of a request in chunks as it comes (RFC 9112, section 7.1), because its length is not known
 * before.
 */
import type { Socket } from 'node:net'
import type { BodySource } from '../../http/body-source.ts'
import type { Http1Call } from './exchange.ts'

/** Writes the head of the request, and lets the body write itself. */
export function sendInChunks(socket: Socket, exchange: Http1Call, body: BodySource): void {
  const goOn = (): void => body.goOn()
  socket.write(`${exchange.head}transfer-encoding: chunked\r\n\r\n`, 'latin1')
  socket.on('drain', goOn)
  body.begin({
    write: (bytes) => {
      // A chunk without data would be the end of the body.
      if (bytes.length === 0 || socket.destroyed) return true
      socket.cork()
      socket.write(`${bytes.length.toString(16)}\r\n`, 'latin1')
      socket.write(bytes)
      const mayGoOn = socket.write('\r\n', 'latin1')
      socket.uncork()
      return mayGoOn
    },
    end: () => {
      socket.off('drain', goOn)
      socket.write('0\r\n\r\n', 'latin1')
      exchange.handler.onRequestSent?.()
    },
    fail: (error) => exchange.abort(error),
  })
}
