/** Which part answers a path. One function for every protocol the server speaks. */
import type { RequestListener } from 'node:http'
import type { GraphQLRoute } from './graphql-route.ts'
import { answerHealth, type HealthCheck, healthCheckOf } from './health.ts'
import { errorBody, sendJson } from './reply.ts'

export function createHandler(options: {
  readonly basePath: string
  readonly graphql: GraphQLRoute
  readonly ready: HealthCheck
}): RequestListener {
  const graphqlPath = `${options.basePath}/graphql`
  return (request, response) => {
    const url = request.url ?? '/'
    const query = url.indexOf('?')
    const path = query < 0 ? url : url.slice(0, query)
    if (path === graphqlPath) {
      return options.graphql(request, response, query < 0 ? '' : url.slice(query + 1))
    }
    const health = healthCheckOf(path, options.ready)
    if (health !== null) return answerHealth(request, response, health)
    request.resume()
    const message = `There is nothing at this path. GraphQL is served at ${graphqlPath}.`
    sendJson(
      response,
      404,
      'application/json',
      { 'Cache-Control': 'no-store' },
      errorBody('NOT_FOUND', message),
    )
  }
}
