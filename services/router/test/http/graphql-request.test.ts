/**
 * graphql-request as its authors publish it. It names graphql 14 to 16 as its peer, and runs here beside 17.
 */
import { ClientError, gql, GraphQLClient, request } from 'graphql-request'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestRouter } from '../support/router.ts'
import { startShopRouter } from '../support/shop-router.ts'

const stack = new AsyncDisposableStack()
let router: TestRouter

beforeAll(async () => {
  ;({ router } = stack.use(await startShopRouter({ settings: 'engine: { enable_defer: true }' })))
})
afterAll(() => stack.disposeAsync())

const TOP = gql`
  query Top($first: Int) {
    topProducts(first: $first) {
      upc
      reviews {
        body
      }
    }
  }
`
const FIRST = { topProducts: [{ upc: '1', reviews: [{ body: 'Review of 1' }] }] }

describe('graphql-request', () => {
  it('is answered with its default settings, across subgraphs', async () => {
    expect(await request(router.graphqlUrl, TOP, { first: 1 })).toEqual(FIRST)
  })

  it.each(['POST', 'GET'] as const)('is answered by %s, several operations at a time', async (method) => {
    const client = new GraphQLClient(router.graphqlUrl, { method })
    expect(await client.request(TOP, { first: 1 })).toEqual(FIRST)
    const answers = await Promise.all([client.request('{ version }'), client.request(TOP, { first: 1 })])
    expect(answers).toEqual([{ version: 'products' }, FIRST])
  })

  it('carries out mutations', async () => {
    const query = 'mutation($name: String!) { rename(upc: "2", name: $name) { upc name } }'
    expect(await request(router.graphqlUrl, query, { name: 'Sofa' })).toEqual({
      rename: { upc: '2', name: 'Sofa' },
    })
  })

  it('throws what is wrong with an operation, and with errorPolicy all gives data beside errors', async () => {
    const wrong = await request(router.graphqlUrl, '{ nothing }').catch((error: unknown) => error)
    expect(wrong).toBeInstanceOf(ClientError)
    expect(wrong).toMatchObject({
      response: { errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] },
    })
    const client = new GraphQLClient(router.graphqlUrl, { errorPolicy: 'all' })
    const { data, errors } = await client.rawRequest('{ version fails }')
    expect(data).toEqual({ version: 'products', fails: null })
    expect(errors).toMatchObject([{ path: ['fails'] }])
  })

  it('is told that it does not accept parts where a fragment is deferred, and gets all at once where none is', async () => {
    const query = 'query($later: Boolean!) { version ... @defer(if: $later) { topProducts { upc } } }'
    const error = await request(router.graphqlUrl, query, { later: true }).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ response: { errors: [{ extensions: { code: 'DEFER_BAD_HEADER' } }] } })
    expect(await request(router.graphqlUrl, query, { later: false })).toMatchObject({ version: 'products' })
  })
})
