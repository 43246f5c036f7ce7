/** A server in the registry's place that answers as a test wants it to. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

export type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void

/** The environment of commands that ask it. Each request has been read when it is answered. */
export async function fakeRegistry(answer: Answer): Promise<Readonly<Record<string, string>>> {
  const server = createServer((request, response) => {
    void text(request).then((body) => answer(request, response, body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { SWITCHYARD_REGISTRY_URL: `http://127.0.0.1:${port}`, SWITCHYARD_API_KEY: 'swy_a_b' }
}
