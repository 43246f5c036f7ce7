/**
 * The plainest GraphQL server that a subgraph can be: POST JSON in, JSON out, and subscriptions over
 * WebSockets. It can be told to fail.
 */
import { isRecord } from '@switchyard/values'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { execute, GraphQLError, parse, specifiedRules, validate } from 'graphql'
import type { GraphQLSchema } from 'graphql'
import { useServer } from 'graphql-ws/use/ws'
import { WebSocketServer } from 'ws'
import { positionAskedFor } from './failing.ts'

export type GraphQLServer = AsyncDisposable & { readonly port: number; readonly url: string }
export type ListenAt = { readonly host: string; readonly port: number }

const PATH = '/graphql'
const MAX_BODY_BYTES = 5 * 1024 * 1024

/** Rejects with the error of `listen`, for example EADDRINUSE. */
export async function serveGraphQL(schema: GraphQLSchema, { host, port }: ListenAt): Promise<GraphQLServer> {
  let isFailing = false
  const server = createServer((request, response) => {
    const position = positionAskedFor(request)
    if (position !== null) {
      isFailing = position === 'fail'
      return reply(response, 200, { failing: isFailing })
    }
    if (isFailing) return reply(response, 500, { errors: [{ message: 'This subgraph was made to fail.' }] })
    answer(schema, request).then(
      (body) => reply(response, 200, body),
      (error: unknown) => reply(response, 400, { errors: [{ message: String(error) }] }),
    )
  })
  const sockets = useServer({ schema }, new WebSocketServer({ server, path: PATH }))
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  const bound = typeof address === 'object' && address !== null ? address.port : port
  return {
    port: bound,
    url: `http://${host}:${bound}${PATH}`,
    async [Symbol.asyncDispose]() {
      await sockets.dispose()
      server.close()
      server.closeAllConnections()
      if (server.listening) await once(server, 'close')
    },
  }
}

async function answer(schema: GraphQLSchema, request: IncomingMessage): Promise<unknown> {
  if (request.method !== 'POST') throw new Error('A subgraph takes POST requests.')
  const { query, variables, operationName } = await readBody(request)
  let document
  try {
    document = parse(query)
  } catch (error) {
    if (error instanceof GraphQLError) return { errors: [error.toJSON()] }
    throw error
  }
  const errors = validate(schema, document, specifiedRules)
  if (errors.length > 0) return { errors: errors.map((error) => error.toJSON()) }
  return execute({ schema, document, variableValues: variables, operationName })
}

type Body = {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>> | null
  readonly operationName: string | null
}

async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue
    size += chunk.length
    if (size > MAX_BODY_BYTES) throw new Error('The request is too large.')
    chunks.push(chunk)
  }
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  if (!isRecord(body) || typeof body['query'] !== 'string') throw new Error('A request needs a query.')
  const { query, variables, operationName } = body
  return {
    query,
    variables: isRecord(variables) ? variables : null,
    operationName: typeof operationName === 'string' ? operationName : null,
  }
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}
