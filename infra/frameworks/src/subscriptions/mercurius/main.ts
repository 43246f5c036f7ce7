/** A subgraph that sends events by Mercurius, which serves WebSockets itself. */
import { mercuriusFederationPlugin } from '@mercuriusjs/federation'
import Fastify from 'fastify'
import { Broadcast, eventResolvers, eventSchema } from '../broadcast.ts'

// Federation 1: the schema links nothing, and extends the root types.
const schema = eventSchema('mercurius').replaceAll(/type (Query|Mutation|Subscription) /g, 'extend type $1 ')
const app = Fastify()
await app.register(mercuriusFederationPlugin, {
  schema,
  resolvers: eventResolvers('mercurius', new Broadcast()),
  subscription: true,
})
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
