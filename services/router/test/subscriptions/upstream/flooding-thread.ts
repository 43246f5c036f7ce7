/** The thread of `flooding-server.ts`. */
import type { AddressInfo } from 'node:net'
import type { Socket } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Flood } from './flooding-server.ts'

const AT_ONCE = 1000
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is what the other thread gives
const { message, count, around } = workerData as Flood

const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
server.on('listening', () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens at a port
  const { port } = server.address() as AddressInfo
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- it is no window
  parentPort?.postMessage(port)
})
server.on('connection', (socket, { socket: connection }) => {
  socket.on('error', () => {})
  socket.on('message', (data) => {
    const text = Buffer.isBuffer(data) ? data.toString() : ''
    if (text.includes('"connection_init"')) socket.send('{"type":"connection_ack"}')
    if (text.includes('"subscribe"')) flood(socket, connection)
  })
})

function flood(socket: WebSocket, connection: Socket): void {
  let left = count
  const [before, after] = around ?? []
  if (before !== undefined) connection.write(before)
  const more = (): void => {
    const now = Math.min(left, AT_ONCE)
    left -= now
    if (typeof message === 'string') for (let sent = 0; sent < now; sent++) socket.send(message)
    else connection.write(Buffer.concat(Array.from({ length: now }, () => message)))
    if (left > 0) return void setTimeout(more, 1)
    if (after !== undefined) connection.write(after)
    socket.send('{"type":"complete","id":"1"}')
  }
  more()
}
