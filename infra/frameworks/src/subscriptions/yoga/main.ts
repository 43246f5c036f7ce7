/** A subgraph that sends events by GraphQL Yoga, which serves server-sent events itself. */
import { createServer } from 'node:http'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { parse } from 'graphql'
import { createYoga } from 'graphql-yoga'
import { Broadcast, eventResolvers, eventSchema, FEDERATION } from '../broadcast.ts'

const typeDefs = parse(`${FEDERATION} ${eventSchema('yoga')}`)
const schema = buildSubgraphSchema([{ typeDefs, resolvers: eventResolvers('yoga', new Broadcast()) }])
const yoga = createYoga({ schema, maskedErrors: false, logging: false })
createServer((request, response) => void yoga(request, response)).listen(
  Number(process.env['PORT']),
  '127.0.0.1',
)
