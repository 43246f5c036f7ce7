/** A server in front of another that holds every request until it is opened. */
import { createServer, type IncomingHttpHeaders, request as httpRequest } from 'node:http'
import { closeServer, listenOnFreePort } from './subgraph.ts'

export type Gate = AsyncDisposable & {
  readonly url: string
  /**
   * Requests that arrived since it was closed last, how many of them were given up, and the headers of the
   * last.
   */
  readonly held: { count: number; aborted: number; headers: IncomingHttpHeaders | null }
  open(): void
  close(): void
  /** How many are open to it now. */
  connections(): Promise<number>
}

export async function startGate(target: string): Promise<Gate> {
  let passing = Promise.withResolvers<void>()
  let isOpen = true
  passing.resolve()
  const held: Gate['held'] = { count: 0, aborted: 0, headers: null }
  const server = createServer((request, response) => {
    held.count++
    held.headers = request.headers
    response.on('close', () => {
      if (!response.writableFinished) held.aborted++
    })
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      void passing.promise.then(() => {
        const { host: _, ...headers } = request.headers
        const outgoing = httpRequest(target, { method: 'POST', headers }, (answer) => {
          response.writeHead(answer.statusCode ?? 500, answer.headers)
          answer.pipe(response)
        })
        outgoing.on('error', () => response.destroy())
        outgoing.end(Buffer.concat(chunks))
      })
    })
  })
  const port = await listenOnFreePort(server)
  return {
    url: `http://127.0.0.1:${port}/graphql`,
    held,
    open() {
      isOpen = true
      passing.resolve()
    },
    close() {
      if (isOpen) passing = Promise.withResolvers<void>()
      isOpen = false
      Object.assign(held, { count: 0, aborted: 0, headers: null })
    },
    connections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)))
      }),
    [Symbol.asyncDispose]: () => {
      passing.resolve()
      return closeServer(server)
    },
  }
}
