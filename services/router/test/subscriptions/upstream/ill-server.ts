/** A subgraph that serves subscriptions by both protocols, and fails in the way that a test says. */
import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { waitFor } from '@switchyard/testkit'
import { textOf } from './hand-written-socket.ts'
import { serve } from './support.ts'

/** What becomes of an attempt to open a connection: it is accepted, waits, or gets a status of HTTP. */
export type Mode = 'accept' | 'wait' | number

/** A connection that a subscription was opened on. */
export type Connection = { event(data: unknown): void; cut(): void }

export class IllServer {
  mode: Mode = 'accept'
  /** Attempts to open a connection. */
  attempts = 0
  readonly open: Connection[] = []
  /** Accepts the attempts that wait. */
  readonly #waiting: (() => void)[] = []
  readonly port: number

  static async start(stack: AsyncDisposableStack): Promise<IllServer> {
    const sockets = new WebSocketServer({ noServer: true })
    const { server, port } = await serve(stack, (request, response) => {
      request.resume().on('end', () => ill.#decide(() => ill.#stream(response), refusing(response)))
    })
    const ill = new IllServer(port)
    server.on('upgrade', (request, socket, head) => {
      socket.on('error', () => {})
      const refuse = (status: number) => refuseUpgrade(socket, status)
      ill.#decide(
        () => sockets.handleUpgrade(request, socket, head, (accepted) => ill.#talk(accepted)),
        refuse,
      )
    })
    stack.defer(() => {
      for (const client of sockets.clients) client.terminate()
    })
    return ill
  }

  private constructor(port: number) {
    this.port = port
  }

  /** Accepts the attempts that wait, and those that come. */
  recover(): void {
    this.mode = 'accept'
    for (const accept of this.#waiting.splice(0)) accept()
  }

  async connection(index: number): Promise<Connection> {
    return await waitFor(`connection ${index}`, () => this.open[index])
  }

  #decide(accept: () => void, refuse: (status: number) => void): void {
    this.attempts++
    if (this.mode === 'accept') accept()
    else if (this.mode === 'wait') this.#waiting.push(accept)
    else refuse(this.mode)
  }

  #stream(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    this.open.push({
      event: (data) => response.write(`event: next\ndata: ${JSON.stringify({ data })}\n\n`),
      cut: () => response.destroy(),
    })
  }

  #talk(socket: import('ws').WebSocket): void {
    socket.on('error', () => {})
    socket.on('message', (message) => {
      const { type, id } = JSON.parse(textOf(message))
      if (type === 'connection_init') socket.send('{"type":"connection_ack"}')
      if (type !== 'subscribe') return
      this.open.push({
        event: (data) => socket.send(JSON.stringify({ id, type: 'next', payload: { data } })),
        cut: () => socket.terminate(),
      })
    })
  }
}

function refusing(response: ServerResponse): (status: number) => void {
  return (status) => response.writeHead(status, { 'content-type': 'text/html' }).end('<html>ill</html>')
}

function refuseUpgrade(socket: Duplex, status: number): void {
  socket.end(`HTTP/1.1 ${status} Ill\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}
