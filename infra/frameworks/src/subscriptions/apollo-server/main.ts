/**
 * A subgraph that sends events by Apollo Server with graphql-ws, as the documentation of Apollo Server
 * combines them: one schema, one HTTP server, GraphQL over HTTP by the one and WebSockets by the other.
 */
import { createServer } from 'node:http'
import { ApolloServer, HeaderMap } from '@apollo/server'
import { ApolloServerPluginDrainHttpServer } from '@apollo/server/plugin/drainHttpServer'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { parse } from 'graphql'
import { useServer } from 'graphql-ws/use/ws'
import { WebSocketServer } from 'ws'
import { Broadcast, eventResolvers, eventSchema, FEDERATION } from '../broadcast.ts'

const typeDefs = parse(`${FEDERATION} ${eventSchema('apollo')}`)
const schema = buildSubgraphSchema([{ typeDefs, resolvers: eventResolvers('apollo', new Broadcast()) }])
const http = createServer((request, response) => {
  let text = ''
  request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  request.on('end', () => void answer(text).then((body) => response.end(body)))
  response.setHeader('content-type', 'application/json')
})
const server = new ApolloServer({
  schema,
  plugins: [ApolloServerPluginDrainHttpServer({ httpServer: http })],
})
useServer({ schema }, new WebSocketServer({ server: http, path: '/graphql' }))
await server.start()
http.listen(Number(process.env['PORT']), '127.0.0.1')

/** Answers a request as the integrations of Apollo Server with HTTP frameworks do. */
async function answer(text: string): Promise<string> {
  const headers = new HeaderMap([['content-type', 'application/json']])
  const { body } = await server.executeHTTPGraphQLRequest({
    httpGraphQLRequest: { method: 'POST', headers, search: '', body: JSON.parse(text) },
    context: () => Promise.resolve({}),
  })
  return body.kind === 'complete' ? body.string : ''
}
