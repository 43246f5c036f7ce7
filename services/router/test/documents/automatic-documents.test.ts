/** Automatic persisted queries: clients send a hash, and the text once when the router does not know it. */
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries'
import { RandomRun } from '@switchyard/testkit'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AutomaticDocuments } from '../../src/documents/automatic-documents.ts'
import { createManifestFolder, manifestOf, sha256 } from '../support/manifests.ts'
import { post, type Reply, send } from '../support/router.ts'
import { type ShopRouter, startShopRouter } from '../support/shop-router.ts'

const RUN = new RandomRun(import.meta.url, 100)
const apq = (text: string) => ({ persistedQuery: { version: 1, sha256Hash: sha256(text) } })
const outcome = ({ status, json }: Reply) => [
  status,
  json.errors?.[0]?.extensions['code'] ?? Object.keys(json.data ?? {})[0],
]
const NOT_FOUND = [200, 'PERSISTED_QUERY_NOT_FOUND']

describe('a router with automatic persisted queries', () => {
  const stack = new AsyncDisposableStack()
  let started: ShopRouter
  beforeAll(async () => {
    started = stack.use(await startShopRouter({ settings: 'documents: { apq: { enabled: true } }' }))
  })
  afterAll(() => stack.disposeAsync())

  it.each(['application/json', 'application/graphql-response+json'])(
    'knows a document once it was sent with its hash (%s)',
    async (accept) => {
      const query = `query Sent { version } # ${accept}`
      const { router } = started
      const headers = { accept }
      const unknown = await post(router, { extensions: apq(query) }, headers)
      expect(outcome(unknown)).toEqual(NOT_FOUND)
      expect(unknown.json.errors?.[0]?.message).toBe('PersistedQueryNotFound')
      expect(unknown.headers['cache-control']).toBe('no-store')
      expect(outcome(await post(router, { query, extensions: apq(query) }, headers))).toEqual([
        200,
        'version',
      ])
      expect(outcome(await post(router, { extensions: apq(query) }, headers))).toEqual([200, 'version'])
      const search = new URLSearchParams({ extensions: JSON.stringify(apq(query)) })
      expect(outcome(await send(`${router.graphqlUrl}?${search}`, { headers }))).toEqual([200, 'version'])
      const documentId = `sha256:${sha256(query)}`
      expect(outcome(await post(router, { documentId }, headers))).toEqual([200, 'version'])
    },
  )

  it('keeps no document under the hash of another one', async () => {
    const { router } = started
    const query = '{ fails version }'
    const wrong = await post(router, { query: '{ version }', extensions: apq(query) })
    expect(outcome(wrong)).toEqual([400, 'PERSISTED_QUERY_HASH_MISMATCH'])
    expect(outcome(await post(router, { extensions: apq(query) }))).toEqual(NOT_FOUND)
    // As UTF-8 a half of a pair is the same as the character that stands for what cannot be read.
    const replaced = '{ header(name: "\ufffd") }'
    const half = replaced.replace('\ufffd', '\ud800')
    expect(outcome(await post(router, { query: half, extensions: apq(replaced) }))[0]).toBe(400)
    expect(outcome(await post(router, { extensions: apq(replaced) }))).toEqual(NOT_FOUND)
  })

  it('keeps documents that are not valid, and says so each time', async () => {
    const { router } = started
    const query = '{ nothing }'
    for (const body of [{ query, extensions: apq(query) }, { extensions: apq(query) }])
      expect(outcome(await post(router, body))[1]).toBe('GRAPHQL_VALIDATION_FAILED')
  })

  it('knows no identifiers but hashes', async () => {
    const unknown = await post(started.router, { documentId: 'a' })
    expect(outcome(unknown)).toEqual([404, 'PERSISTED_QUERY_NOT_IN_LIST'])
  })

  it.each([false, true])('is understood by Apollo Client (GET: %s)', async (useGETForHashedQueries) => {
    const sent: [string, boolean][] = []
    const ask = async () => {
      const client = new ApolloClient({
        link: ApolloLink.from([
          new PersistedQueryLink({ sha256, useGETForHashedQueries }),
          new HttpLink({
            uri: started.router.graphqlUrl,
            fetch: (input, init) => {
              sent.push([init?.method ?? '', JSON.stringify(init?.body ?? '').includes('topProducts')])
              return fetch(input, init)
            },
          }),
        ]),
        cache: new InMemoryCache(),
      })
      const name = useGETForHashedQueries ? 'ByGet' : 'ByPost'
      const { data } = await client.query({ query: gql`query ${name} { topProducts { upc } }` })
      expect(data).toMatchObject({ topProducts: [{ upc: '1' }, { upc: '2' }] })
      client.stop()
    }
    await ask()
    await ask()
    const method = useGETForHashedQueries ? 'GET' : 'POST'
    expect(sent).toEqual([
      [method, false],
      ['POST', true],
      [method, false],
    ])
  })
})

describe('a router with a manifest and automatic persisted queries', () => {
  it('looks into the manifest first, and asks for what is new', async () => {
    await using folder = await createManifestFolder({
      'm.json': { ...manifestOf('{ version }'), own: '{ version }' },
    })
    const settings = `documents: { mode: log_unknown, manifests: [{ file: ${folder.path('m.json')} }], apq: { enabled: true } }`
    await using started = await startShopRouter({ settings })
    const { router } = started
    expect(outcome(await post(router, { extensions: apq('{ version }') }))).toEqual([200, 'version'])
    expect(outcome(await post(router, { documentId: 'own' }))).toEqual([200, 'version'])
    const query = '{ fails version }'
    expect(outcome(await post(router, { extensions: apq(query) }))).toEqual(NOT_FOUND)
    expect(outcome(await post(router, { query, extensions: apq(query) }))[1]).toBe('DB_DOWN')
    expect(router.logs.filter(({ event }) => event === 'documents.unlisted')).toHaveLength(1)
  })
})

describe('documents that clients have sent', () => {
  const text = (name: string, size = 1000) => `{ ${name}${' '.repeat(size)} }`

  it('take no more memory than is allowed, however many there are', () => {
    const one = fc.record({ client: fc.constantFrom('a', 'b', 'c'), size: fc.nat(40_000), name: fc.nat(200) })
    fc.assert(
      fc.property(fc.array(one, { maxLength: 100 }), (all) => {
        const documents = new AutomaticDocuments(100_000)
        for (const { client, size, name } of all) {
          const query = text(`f${name}`, size)
          documents.add(sha256(query), query, client)
          expect(documents.bytes).toBeLessThanOrEqual(100_000)
          expect(documents.get(sha256(query))?.length).toBe(query.length)
        }
      }),
      RUN.parameters,
    )
  })

  it('make room in the order in which they came, but for those that were asked for', () => {
    const documents = new AutomaticDocuments(20_000)
    const texts = Array.from({ length: 5 }, (_, index) => text(`t${index}`))
    const isKept = () => texts.map((query) => documents.get(sha256(query)) !== null)
    for (const query of texts.slice(0, 4)) documents.add(sha256(query), query, 'a')
    documents.get(sha256(texts[0] ?? ''))
    documents.add(sha256(texts[4] ?? ''), texts[4] ?? '', 'a')
    expect(isKept()).toEqual([true, false, true, true, true])
  })

  it('of one client push out its own, and not those of others', () => {
    const documents = new AutomaticDocuments(100_000)
    const others = Array.from({ length: 10 }, (_, index) => text(`other${index}`))
    for (const query of others) documents.add(sha256(query), query, '192.0.2.1')
    for (let index = 0; index < 1000; index++) {
      const query = text(`flood${index}`)
      documents.add(sha256(query), query, '192.0.2.2')
    }
    expect(others.filter((query) => documents.get(sha256(query)) !== null)).toHaveLength(10)
    expect(documents.size).toBeLessThan(60)
  })

  it('are not kept when they are too large', () => {
    const documents = new AutomaticDocuments(10_000)
    const query = text('large', 6000)
    documents.add(sha256(query), query, '192.0.2.1')
    expect([documents.size, documents.bytes]).toEqual([0, 0])
  })
})
