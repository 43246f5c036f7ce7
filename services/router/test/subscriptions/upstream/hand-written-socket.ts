/** A server of WebSockets whose messages a test writes itself. */
import type { IncomingMessage } from 'node:http'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import { waitFor } from '@switchyard/testkit'
import { serve } from './support.ts'

export function textOf(data: RawData): string {
  return Buffer.isBuffer(data) ? data.toString() : ''
}

/** One WebSocket that the server has accepted. */
export class Accepted {
  readonly socket: WebSocket
  readonly request: IncomingMessage
  /** Messages of the router, parsed. */
  readonly messages: { readonly type: string; readonly id?: string; readonly payload?: unknown }[] = []
  closedWith: number | null = null

  constructor(socket: WebSocket, request: IncomingMessage) {
    this.socket = socket
    this.request = request
    socket.on('message', (data) => this.messages.push(JSON.parse(textOf(data))))
    socket.on('close', (code) => (this.closedWith = code))
    socket.on('error', () => {})
  }

  send(...messages: readonly unknown[]): void {
    for (const message of messages)
      this.socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  }

  next(id: string, data: unknown): void {
    this.send({ id, type: 'next', payload: { data } })
  }

  async received(type: string, count = 1): Promise<void> {
    await waitFor(
      `${count} × ${type}`,
      () => this.messages.filter((one) => one.type === type).length >= count,
    )
  }
}

/** A server that accepts every WebSocket, and acknowledges it unless told otherwise. */
export class HandWrittenServer {
  readonly accepted: Accepted[] = []
  readonly url: string
  readonly port: number
  readonly server: WebSocketServer
  acknowledges = true

  static async start(stack: AsyncDisposableStack): Promise<HandWrittenServer> {
    const { server, at, port } = await serve(stack)
    const sockets = new WebSocketServer({ server, maxPayload: 1024 * 1024 })
    stack.defer(() => {
      for (const client of sockets.clients) client.terminate()
    })
    return new HandWrittenServer(sockets, `ws${at}`, port)
  }

  private constructor(server: WebSocketServer, url: string, port: number) {
    this.server = server
    this.url = url
    this.port = port
    server.on('connection', (socket, request) => {
      const accepted = new Accepted(socket, request)
      this.accepted.push(accepted)
      socket.on('message', (data) => {
        if (this.acknowledges && textOf(data).includes('"connection_init"'))
          accepted.send({ type: 'connection_ack' })
      })
    })
  }

  /** Returns the WebSocket of this number once it carries so many subscriptions. */
  async subscribed(index = 0, count = 1): Promise<Accepted> {
    const accepted = await waitFor(`WebSocket ${index}`, () => this.accepted[index])
    await accepted.received('subscribe', count)
    return accepted
  }
}
