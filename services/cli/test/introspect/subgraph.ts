/** A GraphQL endpoint that answers as a test wants it to. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { z } from 'zod'

const Body = z.looseObject({ query: z.string() })

export type RunningSubgraph = AsyncDisposable & {
  readonly url: string
  readonly requests: readonly { readonly query: string; readonly headers: IncomingMessage['headers'] }[]
}

/** `answer`: a body, or a status with headers and text. */
export type SubgraphAnswer =
  | object
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly text: string }

export async function startSubgraph(answer: (query: string) => SubgraphAnswer): Promise<RunningSubgraph> {
  const requests: { query: string; headers: IncomingMessage['headers'] }[] = []
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const { query } = Body.parse(body)
      requests.push({ query, headers: request.headers })
      const answered = answer(query)
      if (!('status' in answered)) {
        response.setHeader('content-type', 'application/json').end(JSON.stringify(answered))
      } else if (answered.status > 0) {
        response.writeHead(answered.status, answered.headers).end(answered.text)
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/graphql`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
