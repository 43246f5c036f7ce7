/** Clients as their authors publish them, with the settings that they have by themselves. */
import { createHash } from 'node:crypto'
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries'
import { type CombinedError, Client, fetchExchange } from '@urql/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestRouter } from '../support/router.ts'
import { startShopRouter } from '../support/shop-router.ts'

const stack = new AsyncDisposableStack()
let router: TestRouter

beforeAll(async () => {
  ;({ router } = stack.use(await startShopRouter()))
})
afterAll(() => stack.disposeAsync())

type Sent = { readonly method: string; readonly body: boolean; readonly status: number }

/** The `fetch` of Node.js, and what went through it. `added`: headers that a browser puts there by itself. */
function recordingFetch(added: Readonly<Record<string, string>> = {}): { fetch: typeof fetch; sent: Sent[] } {
  const sent: Sent[] = []
  return {
    sent,
    fetch: async (input, init) => {
      const request = new Request(input, init)
      for (const [name, value] of Object.entries(added)) request.headers.set(name, value)
      const response = await fetch(request)
      sent.push({ method: request.method, body: request.body !== null, status: response.status })
      return response
    },
  }
}

describe('urql', () => {
  type Version = { readonly version: string }
  const urql = (options: Partial<ConstructorParameters<typeof Client>[0]>) =>
    new Client({ url: router.graphqlUrl, exchanges: [fetchExchange], ...options })
  const codesOf = (error: CombinedError | undefined) =>
    error?.graphQLErrors.map(({ extensions }) => extensions['code'])

  it('is answered with its default settings, which send queries by GET and mutations by POST', async () => {
    const { fetch, sent } = recordingFetch()
    const client = urql({ fetch })
    const { data, error } = await client.query<Version>('{ version }', {}).toPromise()
    expect([data?.version, error]).toEqual(['products', undefined])
    const query = 'query Some($first: Int) { topProducts(first: $first) { upc } }'
    const products = await client.query(query, { first: 1 }).toPromise()
    expect([products.data, products.error]).toMatchObject([{ topProducts: [{ upc: '1' }] }, undefined])
    const rename = 'mutation($name: String!) { rename(upc: "1", name: $name) { name } }'
    expect((await client.mutation(rename, { name: 'Desk' }).toPromise()).data).toMatchObject({
      rename: { name: 'Desk' },
    })
    expect(sent).toEqual([
      { method: 'GET', body: false, status: 200 },
      { method: 'GET', body: false, status: 200 },
      { method: 'POST', body: true, status: 200 },
    ])
  })

  it('is told what to send when the browser adds a cookie, and is answered when it does', async () => {
    const refused = recordingFetch({ cookie: 'session=1' })
    const { error } = await urql({ fetch: refused.fetch }).query('{ version }', {}).toPromise()
    expect(codesOf(error)).toEqual(['CSRF_PREVENTED'])
    expect(error?.message).toContain('Apollo-Require-Preflight: true')
    const { fetch, sent } = recordingFetch({ cookie: 'session=1' })
    const headers = { 'Apollo-Require-Preflight': 'true' }
    const { data } = await urql({ fetch, fetchOptions: { headers } })
      .query<Version>('{ version }', {})
      .toPromise()
    expect([data?.version, sent[0]?.method]).toEqual(['products', 'GET'])
  })
})

describe('Apollo Client with automatic persisted queries', () => {
  it.each([
    ['POST', false],
    ['GET', true],
  ])(
    'falls back to whole queries by itself after one hash sent by %s, and sends no further hash',
    async (method, useGETForHashedQueries) => {
      const { fetch, sent } = recordingFetch()
      const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
      const client = new ApolloClient({
        link: ApolloLink.from([
          new PersistedQueryLink({ sha256, useGETForHashedQueries }),
          new HttpLink({ uri: router.graphqlUrl, fetch }),
        ]),
        cache: new InMemoryCache(),
      })
      const version = await client.query({ query: gql`query Version { version }` })
      expect([version.data, version.error]).toEqual([{ version: 'products' }, undefined])
      expect(sent).toEqual([
        { method, body: method === 'POST', status: 200 },
        { method: 'POST', body: true, status: 200 },
      ])
      const products = await client.query({ query: gql`query Products { topProducts { upc } }` })
      expect(products.data).toMatchObject({ topProducts: [{ upc: '1' }, { upc: '2' }] })
      expect(sent.slice(2)).toEqual([{ method: 'POST', body: true, status: 200 }])
      client.stop()
    },
  )
})
