/** Serves the schema of Pothos as the documentation of GraphQL Yoga shows it. */
import { createServer } from 'node:http'
import { createYoga } from 'graphql-yoga'
import { schema } from './schema.ts'

const yoga = createYoga({ schema, logging: false })
createServer((request, response) => void yoga(request, response)).listen(
  Number(process.env['PORT']),
  '127.0.0.1',
  () => {
    console.log(`accounts is ready at http://127.0.0.1:${process.env['PORT']}${yoga.graphqlEndpoint}`)
  },
)
