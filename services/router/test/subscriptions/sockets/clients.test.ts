/** Queries and mutations over WebSockets, by the clients that people use. */
import { once } from 'node:events'
import { ApolloClient, gql, InMemoryCache } from '@apollo/client'
import { GraphQLWsLink } from '@apollo/client/link/subscriptions'
import { type Client as WsClient, createClient } from 'graphql-ws'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket as OtherWebSocket } from 'ws'
import { type ShopRouter, startShopRouter } from '../../support/shop-router.ts'

const stack = new AsyncDisposableStack()
let started: ShopRouter

beforeAll(async () => {
  started = stack.use(await startShopRouter({ settings: 'subscriptions: { enabled: true }' }))
})
afterAll(() => stack.disposeAsync())

const urlOf = ({ router }: ShopRouter): string => router.graphqlUrl.replace('http', 'ws')

function clientOf(options: Partial<Parameters<typeof createClient>[0]> = {}): WsClient {
  const client = createClient({ url: urlOf(started), retryAttempts: 0, ...options })
  stack.defer(() => client.dispose())
  return client
}

async function all(client: WsClient, query: string, variables: Record<string, unknown> = {}) {
  const results: unknown[] = []
  for await (const result of client.iterate({ query, variables })) results.push(result)
  return results
}

describe('the client of graphql-ws', () => {
  it.each([
    ['the WebSocket of Node.js', WebSocket],
    ['ws', OtherWebSocket],
  ])('gets answers to queries and mutations, by %s', async (_, webSocketImpl) => {
    const client = clientOf({ webSocketImpl })
    expect(await all(client, '{ version }')).toEqual([{ data: { version: 'products' } }])
    expect(await all(client, 'query Top($n: Int) { topProducts(first: $n) { upc } }', { n: 1 })).toEqual([
      { data: { topProducts: [{ upc: '1' }] } },
    ])
    expect(await all(client, 'mutation { rename(upc: "1", name: "Desk") { name } }')).toEqual([
      { data: { rename: { name: 'Desk' } } },
    ])
  })
  it('gets errors of fields beside data, and those of refused operations instead', async () => {
    const client = clientOf()
    expect(await all(client, '{ fails version }')).toEqual([
      { errors: [expect.objectContaining({ path: ['fails'] })], data: { fails: null, version: 'products' } },
    ])
    await expect(all(client, '{ nothing }')).rejects.toEqual([
      expect.objectContaining({ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }),
    ])
  })
})

it('Apollo Client gets answers through GraphQLWsLink', async () => {
  const client = new ApolloClient({ link: new GraphQLWsLink(clientOf()), cache: new InMemoryCache() })
  const { data } = await client.query({ query: gql('{ topProducts(first: 1) { upc name } }') })
  expect(data).toMatchObject({ topProducts: [{ upc: '1' }] })
  client.stop()
})

it('the WebSocket of browsers speaks with it', async () => {
  const socket = new WebSocket(urlOf(started), 'graphql-transport-ws')
  await once(socket, 'open')
  expect(socket.protocol).toBe('graphql-transport-ws')
  socket.close()
  await once(socket, 'close')
})
