/**
 * A subgraph that stands in for one in another language: where that is missing on the machine, and behind a
 * feature flag. Schema first, as the documentation of GraphQL Yoga shows a subgraph.
 *
 *   node main.ts stock | stock-next | reviews
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { parse } from 'graphql'
import { createYoga } from 'graphql-yoga'
import { reviewsResolvers } from './reviews.ts'
import { stockResolvers } from './stock.ts'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const name = process.argv[2]

function subgraph() {
  switch (name) {
    case 'stock':
      return { sdl: read('stock.graphql'), resolvers: stockResolvers(false) }
    case 'stock-next':
      return {
        sdl: `${read('stock.graphql')}\nextend type Book { reserved: Int! }`,
        resolvers: stockResolvers(true),
      }
    case 'reviews':
      return { sdl: read('../gqlgen/schema.graphqls'), resolvers: reviewsResolvers() }
    default:
      throw new Error(`There is no stand-in "${name}".`)
  }
}

const { sdl, resolvers } = subgraph()
const yoga = createYoga({
  // The library's type for resolvers is wider than any subgraph needs.
  schema: buildSubgraphSchema([{ typeDefs: parse(sdl), resolvers: resolvers as never }]),
  logging: false,
})
createServer((request, response) => void yoga(request, response)).listen(
  Number(process.env['PORT']),
  '127.0.0.1',
  () => {
    console.log(`${name} is ready at http://127.0.0.1:${process.env['PORT']}${yoga.graphqlEndpoint}`)
  },
)
