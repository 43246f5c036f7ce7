/** Automatic persisted queries: clients send a hash, and the text once when the router does not know it. */
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries'
import { RandomRun } from '@switchyard/testkit'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AutomaticDocuments } from '../../../src/concerns/documents/automatic-documents.ts'
import { createManifestFolder, manifestOf, sha256 } from '../../support/manifests.ts'
import { post, type Reply, send } from '../../support/router.ts'
import { type ShopRouter, startShopRouter } from '../../support/shop-router.ts'

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

describe('documents that are asked for by their hash', () => {
  const MINUTE = 60_000
  const text = (name: string, size = 1000) => `{ ${name}${' '.repeat(size)} }`

  /** Documents in some memory, with names in place of hashes and texts, and a clock. */
  function started(maxBytes: number) {
    const clock = { now: 0 }
    const documents = new AutomaticDocuments(maxBytes, () => clock.now)
    const isKnown = (name: string) => documents.get(sha256(text(name))) !== null
    return {
      documents,
      clock,
      isKnown,
      add: (name: string, client: string) => documents.add(sha256(text(name)), text(name), client),
      known: (names: readonly string[]) => names.filter(isKnown).length,
    }
  }
  const named = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${name}${index}`)
  const stranger = (index: number) => `198.51.${index >> 8}.${index & 255}`

  it.each([
    ['never', () => false],
    ['once at once', () => true],
    ['some of them once at once, others never', (index: number) => index % 3 === 0],
  ])('stay when 3,000 addresses add one each, and use it: %s', (_, isUsing) => {
    const { documents, clock, add, isKnown, known } = started(1024 * 1024)
    const own = named('own', 50)
    for (const name of own) add(name, '192.0.2.1')
    expect(known(own)).toBe(50)
    for (let index = 0; index < 3000; index++) {
      clock.now += 50
      add(`flood${index}`, stranger(index))
      if (isUsing(index)) isKnown(`flood${index}`)
      expect(documents.bytes).toBeLessThanOrEqual(1024 * 1024)
    }
    expect(known(own)).toBe(50)
  })

  it('stay when strangers use theirs in as many minutes', () => {
    const { clock, add, known } = started(200_000)
    const [own, others] = [named('own', 20), named('other', 200)]
    for (const name of own) add(name, '192.0.2.1')
    for (let minute = 0; minute < 30; minute++) {
      expect(known(own)).toBe(20)
      others.forEach((name, index) => {
        add(name, stranger(index))
        known([name])
      })
      clock.now += MINUTE
    }
    expect(known(own)).toBe(20)
  })

  it('stay for weeks if they are used once a day', () => {
    const { clock, add, known } = started(200_000)
    const own = named('own', 20)
    for (const name of own) add(name, '192.0.2.1')
    for (let day = 0; day < 14; day++) {
      expect(known(own)).toBe(20)
      for (let index = 0; index < 300; index++) {
        add(`day${day}flood${index}`, stranger(index))
        known([`day${day}flood${index}`])
      }
      clock.now += 24 * 60 * MINUTE
    }
    expect(known(own)).toBe(20)
  })

  it('take the place of those that were used less', () => {
    const { clock, add, known } = started(800_000)
    const [before, after] = [named('before', 320), named('after', 20)]
    before.forEach((name, index) => add(name, stranger(index)))
    expect(known(before)).toBe(320)
    for (const name of after) add(name, '192.0.2.1')
    for (let minute = 0; minute < 5; minute++) {
      clock.now += MINUTE
      expect(known(after)).toBe(20)
    }
    for (let index = 0; index < 1000; index++) add(`flood${index}`, stranger(index))
    expect(known(after)).toBe(20)
    expect(known(before)).toBeLessThan(190)
  })

  it('have a quarter of the memory for one client, whatever it uses', () => {
    const { clock, add, known, documents } = started(200_000)
    const greedy = named('greedy', 200)
    for (let minute = 0; minute < 5; minute++) {
      for (const name of greedy) {
        add(name, '192.0.2.2')
        known([name])
      }
      clock.now += MINUTE
    }
    const own = named('own', 20)
    for (const name of own) add(name, '192.0.2.1')
    expect(known(own)).toBe(20)
    for (let index = 0; index < 1000; index++) add(`flood${index}`, stranger(index))
    expect(known(own)).toBe(20)
    expect(known(greedy)).toBeLessThan(30)
    expect(documents.bytes).toBeLessThanOrEqual(200_000)
  })

  it('that are larger must be used as much as all together in whose place they come', () => {
    const { clock, add, known, documents } = started(200_000)
    const small = named('small', 48)
    small.forEach((name, index) => add(name, stranger(index)))
    expect(known(small)).toBe(48)
    const large = text('large', 40_000)
    for (let minute = 0; minute < 10; minute++) {
      documents.add(sha256(large), large, '192.0.2.2')
      expect(documents.get(sha256(large))).not.toBeNull()
      clock.now += MINUTE
    }
    for (let index = 0; index < 1000; index++) add(`flood${index}`, stranger(index))
    expect(documents.has(sha256(large))).toBe(false)
    expect(known(small)).toBe(48)
  })

  it('stay over HTTP while other addresses add theirs', async () => {
    const settings = `
documents: { apq: { enabled: true, max_size: 64KiB } }
traffic: { trusted_proxies: [127.0.0.1] }`
    await using started = await startShopRouter({ settings })
    const { router } = started
    const from = (address: string) => ({ 'x-forwarded-for': address })
    const own = named('Own', 8).map((name) => `query ${name} { version }`)
    const isKnown = async (query: string) =>
      outcome(await post(router, { extensions: apq(query) }, from('192.0.2.1')))[1] === 'version'
    for (const query of own) {
      await post(router, { query, extensions: apq(query) }, from('192.0.2.1'))
      expect(await isKnown(query)).toBe(true)
    }
    for (let index = 0; index < 120; index++) {
      const query = `query Flood${index} { version }`
      await post(router, { query, extensions: apq(query) }, from(stranger(index)))
    }
    for (const query of own) expect(await isKnown(query)).toBe(true)
    expect(await isKnown('query Flood0 { version }')).toBe(false)
  })
})
