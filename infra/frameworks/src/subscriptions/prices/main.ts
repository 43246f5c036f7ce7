/** A subgraph that adds to the products of all others. */
import { createServer } from 'node:http'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { parse } from 'graphql'
import { createYoga } from 'graphql-yoga'
import { FEDERATION } from '../broadcast.ts'

type Product = { readonly upc: string }

const typeDefs = parse(
  `${FEDERATION} type Query { prices: Int } type Product @key(fields: "upc") { upc: ID! price: Int }`,
)
const resolvers = {
  Product: { __resolveReference: (one: Product) => one, price: ({ upc }: Product) => upc.length * 10 },
}
const yoga = createYoga({ schema: buildSubgraphSchema([{ typeDefs, resolvers }]), logging: false })
createServer((request, response) => void yoga(request, response)).listen(
  Number(process.env['PORT']),
  '127.0.0.1',
)
