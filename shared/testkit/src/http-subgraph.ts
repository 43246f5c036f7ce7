/**
 * A real subgraph on a loopback port: Federation schema, graphql-js, node:http. Started and stopped by one
 * test.
 */
import { buildSubgraphSchema } from '@apollo/subgraph'
import { graphql, parse } from 'graphql'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type HttpSubgraph = AsyncDisposable & {
  readonly url: string
  readonly port: number
  readonly sdl: string
  /** Requests answered so far. */
  calls(): number
}

type Resolvers = Readonly<Record<string, Readonly<Record<string, unknown>>>>

export async function serveSubgraph(options: {
  readonly sdl: string
  readonly resolvers: Resolvers
  readonly port?: number
}): Promise<HttpSubgraph> {
  const schema = buildSubgraphSchema([
    // Resolver maps are plain objects here; the library's type for them is wider than any test needs.
    { typeDefs: parse(options.sdl), resolvers: options.resolvers as never },
  ])
  let calls = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      calls++
      void (async () => {
        const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
          query: string
          variables?: Record<string, unknown>
          operationName?: string
        }
        const result = await graphql({
          schema,
          source: body.query,
          variableValues: body.variables ?? {},
          operationName: body.operationName,
          contextValue: { headers: request.headers },
        })
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify(result))
      })().catch((error: unknown) => {
        response.statusCode = 400
        response.end(JSON.stringify({ errors: [{ message: String(error) }] }))
      })
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/graphql`,
    port,
    sdl: options.sdl,
    calls: () => calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
