/** A server that answers subscriptions as a test wants it to, over HTTP and over WebSockets. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'

export type FakeServer = {
  readonly url: string
  readonly requests: readonly IncomingMessage[]
}

export type FakeAnswers = {
  readonly http?: (response: ServerResponse, request: IncomingMessage) => void
  /** Called when the client has subscribed, with the id of its operation. */
  readonly socket?: (socket: WebSocket, id: string) => void
  /** Called with the first message instead of an acknowledgement. */
  readonly init?: (socket: WebSocket, message: string) => void
}

export async function fakeServer({ http, socket, init }: FakeAnswers): Promise<FakeServer> {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    response.on('error', () => {})
    request.resume().on('end', () => http?.(response, request))
  })
  const sockets = new WebSocketServer({ server, handleProtocols: () => 'graphql-transport-ws' })
  sockets.on('connection', (client, request) => {
    requests.push(request)
    client.on('error', () => {})
    client.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as { readonly type: string; readonly id: string }
      if (message.type === 'connection_init') {
        if (init !== undefined) init(client, data.toString())
        else client.send('{"type":"connection_ack"}')
      }
      if (message.type === 'subscribe') socket?.(client, message.id)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const client of sockets.clients) client.terminate()
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { url: `http://127.0.0.1:${port}/graphql`, requests }
}
