/** What clients may send of documents, on real routers. */
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client'
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries'
import { type DocumentNode, print } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  apolloManifestOf,
  createManifestFolder,
  type ManifestFolder,
  manifestOf,
  sha256,
} from '../../support/manifests.ts'
import { ConfigWorld } from '../../support/config-world.ts'
import { startMeasuredRouter } from '../../support/measured-router.ts'
import { post, type Reply, routerOn, send, type TestRouter, until } from '../../support/router.ts'
import { type Shop, startShop } from '../../support/shop.ts'

const VERSION = 'query Version { version }'
const PRODUCTS = 'query Products($first: Int) { topProducts(first: $first) { upc } }'
const FOR_WEB = 'query Web { product(upc: "1") { name } }'
const UNLISTED = 'query Other { topProducts { price } }'

const stack = new AsyncDisposableStack()
let shop: Shop
let world: ConfigWorld
let folder: ManifestFolder
let manifests: string

beforeAll(async () => {
  shop = stack.use(await startShop())
  world = stack.use(await ConfigWorld.create())
  await world.publish({ revision: 1, base: shop.base, flags: { next: shop.flag } })
  folder = stack.use(
    await createManifestFolder({
      'relay.json': { ...manifestOf(VERSION), 'custom-1': VERSION },
      'apollo.json': apolloManifestOf(PRODUCTS),
      'web.json': { web: FOR_WEB, 'no-such-field': '{ nothing }' },
    }),
  )
  manifests = `manifests: [{ file: ${folder.path('relay.json')} }, { file: ${folder.path('apollo.json')} }, { file: ${folder.path('web.json')}, clients: [web, web-next] }]`
})
afterAll(() => stack.disposeAsync())

async function start(documents: string, more = ''): Promise<TestRouter> {
  const router = await routerOn(world, { settings: `documents: { ${documents} }\n${more}` })
  await router.ready
  return router
}

const apq = (hash: string) => ({ persistedQuery: { version: 1, sha256Hash: hash } })
const get = (router: TestRouter, parameters: Record<string, string>, headers = {}) =>
  send(`${router.graphqlUrl}?${new URLSearchParams(parameters)}`, { headers })
const outcome = ({ status, json }: Reply) => [
  status,
  json.errors?.[0]?.extensions['code'] ?? Object.keys(json.data ?? {})[0],
]

const MODES = ['allow', 'log_unknown', 'safelist', 'ids_only'] as const
const UNKNOWN = sha256(UNLISTED)

describe.each(MODES)('documents.mode: %s', (mode) => {
  let router: TestRouter
  beforeAll(async () => {
    router = stack.use(await start(`mode: ${mode}, ${manifests}`))
  })

  it.each<[string, Record<string, unknown>, string]>([
    ['documentId with a prefix', { documentId: `sha256:${sha256(VERSION)}` }, 'version'],
    ['documentId without a prefix', { documentId: sha256(VERSION) }, 'version'],
    ['documentId of its own', { documentId: 'custom-1' }, 'version'],
    ['doc_id, as of Relay', { doc_id: 'custom-1' }, 'version'],
    ['the extension persistedQuery', { extensions: apq(sha256(VERSION)) }, 'version'],
    ['the extension, with an empty query', { query: '', extensions: apq(sha256(VERSION)) }, 'version'],
    [
      'a manifest of Apollo, with variables',
      { documentId: sha256(PRODUCTS), variables: { first: 1 } },
      'topProducts',
    ],
    ['two forms at once', { documentId: sha256(VERSION), extensions: apq(sha256(VERSION)) }, 'version'],
    ['an identifier and its text', { documentId: sha256(VERSION), query: VERSION }, 'version'],
  ])('is answered by identifier: %s', async (_, body, field) => {
    expect(outcome(await post(router, body))).toEqual([200, field])
  })

  it.each<[string, Record<string, string>]>([
    ['documentId', { documentId: `sha256:${sha256(VERSION)}` }],
    ['doc_id', { doc_id: 'custom-1', query: '' }],
    ['extensions', { extensions: JSON.stringify(apq(sha256(VERSION))) }],
  ])('is answered by identifier in a GET request: %s', async (_, parameters) => {
    expect(outcome(await get(router, parameters))).toEqual([200, 'version'])
  })

  it.each<[string, Record<string, unknown>, unknown]>([
    ['unknown', { documentId: 'nobody' }, [404, 'PERSISTED_QUERY_NOT_IN_LIST']],
    ['an unknown hash', { extensions: apq(UNKNOWN) }, [404, 'PERSISTED_QUERY_NOT_IN_LIST']],
    ['for another client', { documentId: 'web' }, [404, 'PERSISTED_QUERY_NOT_IN_LIST']],
    ['no text', { documentId: 1 }, [400, 'BAD_REQUEST']],
    ['empty', { documentId: '' }, [400, 'BAD_REQUEST']],
    ['too long', { documentId: 'x'.repeat(1000) }, [400, 'BAD_REQUEST']],
    [
      'of another version',
      { extensions: { persistedQuery: { version: 2, sha256Hash: UNKNOWN } } },
      [400, 'BAD_REQUEST'],
    ],
    ['no object', { extensions: { persistedQuery: 'x' } }, [400, 'BAD_REQUEST']],
    ['two different ones', { documentId: 'custom-1', extensions: apq(UNKNOWN) }, [400, 'BAD_REQUEST']],
    ['of another text', { documentId: 'custom-1', query: UNLISTED }, [400, 'PERSISTED_QUERY_HASH_MISMATCH']],
    [
      'a hash of another text',
      { extensions: apq(sha256(VERSION)), query: UNLISTED },
      [400, 'PERSISTED_QUERY_HASH_MISMATCH'],
    ],
    [
      'an unknown hash of another text',
      { extensions: apq('0'.repeat(64)), query: VERSION },
      [400, 'PERSISTED_QUERY_HASH_MISMATCH'],
    ],
    ['missing, and the text too', {}, [400, 'BAD_REQUEST']],
  ])('refuses an identifier that is %s', async (_, body, expected) => {
    expect(outcome(await post(router, body))).toEqual(expected)
  })

  const ANSWERED = [200, 'topProducts']
  it('decides about texts', async () => {
    const unlisted = {
      safelist: [403, 'QUERY_NOT_IN_SAFELIST'],
      ids_only: [400, 'PERSISTED_QUERY_ID_REQUIRED'],
    }
    const refusals: Readonly<Record<string, unknown>> = unlisted
    expect(outcome(await post(router, { query: UNLISTED }))).toEqual(refusals[mode] ?? ANSWERED)
    expect(outcome(await get(router, { query: UNLISTED }))).toEqual(refusals[mode] ?? ANSWERED)
    const listed = mode === 'ids_only' ? unlisted.ids_only : [200, 'version']
    expect(outcome(await post(router, { query: VERSION }))).toEqual(listed)
    expect(outcome(await post(router, { query: VERSION.replaceAll(' ', '\n ') }))).toEqual(listed)
    const withHash = { query: UNLISTED, extensions: apq(UNKNOWN) }
    const hashed = mode === 'ids_only' ? [404, 'PERSISTED_QUERY_NOT_IN_LIST'] : (refusals[mode] ?? ANSWERED)
    expect(outcome(await post(router, withHash))).toEqual(hashed)
  })

  it('gives clients the manifests for their names', async () => {
    const web = { 'graphql-client-name': 'web' }
    expect(outcome(await post(router, { documentId: 'web' }, web))).toEqual([200, 'product'])
    expect(outcome(await post(router, { documentId: 'custom-1' }, web))).toEqual([200, 'version'])
    const other = { 'apollographql-client-name': 'ios' }
    expect(outcome(await post(router, { documentId: 'web' }, other))).toEqual([
      404,
      'PERSISTED_QUERY_NOT_IN_LIST',
    ])
  })

  it('says so in Vary, since answers depend on the name', async () => {
    const { headers } = await get(router, { documentId: 'custom-1' })
    expect(headers['vary']).toContain('graphql-client-name, apollographql-client-name')
  })

  it('says in the log by which identifier a document was named', async () => {
    await post(router, { documentId: 'custom-1' }, { 'x-request-id': 'named' })
    const line = await until(() => router.logs.find((one) => one['request_id'] === 'named'), 'the line')
    expect(line).toMatchObject({ document: 'custom-1', operation: 'Version' })
  })

  it('tells of documents that a composition cannot answer', async () => {
    const line = await until(() => router.logs.find(({ event }) => event === 'documents.unfit'), 'the check')
    expect(line).toMatchObject({
      level: 'warn',
      documents: 5,
      unfit: 1,
      listed: [{ id: 'no-such-field', operation: null, reason: expect.stringContaining('nothing') }],
    })
  })
})

describe('a router with a safelist', () => {
  it('carries mutations out by POST only', async () => {
    const rename = 'mutation Rename { rename(upc: "1", name: "Desk") { name } }'
    await using own = await createManifestFolder({ 'm.json': { rename } })
    await using router = await start(`mode: safelist, manifests: [{ file: ${own.path('m.json')} }]`)
    expect(outcome(await get(router, { documentId: 'rename' }))).toEqual([405, 'METHOD_NOT_ALLOWED'])
    expect(outcome(await post(router, { documentId: 'rename' }))).toEqual([200, 'rename'])
  })

  it('also answers in parts what is in its manifests', async () => {
    const deferred = '{ topProducts { upc ... @defer { reviews { body } } } }'
    await using own = await createManifestFolder({ 'm.json': { deferred } })
    const settings = `mode: safelist, manifests: [{ file: ${own.path('m.json')} }]`
    await using router = await start(settings, 'engine: { enable_defer: true }')
    const headers = { accept: 'multipart/mixed;incrementalSpec=v0.2' }
    const { status, text } = await post(router, { documentId: 'deferred' }, headers)
    expect(status).toBe(200)
    expect(text).toContain('"hasNext":false')
    const unlisted = await post(router, { query: deferred.replace('upc', 'name') }, headers)
    expect(outcome(unlisted)[1]).toBe('QUERY_NOT_IN_SAFELIST')
  })

  it('validates documents against each flag that is asked for', async () => {
    const discount = '{ topProducts { discount } }'
    await using own = await createManifestFolder({ 'm.json': { discount } })
    await using router = await start(`mode: safelist, manifests: [{ file: ${own.path('m.json')} }]`)
    const unfit = () => router.logs.filter(({ event }) => event === 'documents.unfit')
    await until(() => unfit().length === 1, 'base is checked')
    expect(outcome(await post(router, { documentId: 'discount' }))[1]).toBe('GRAPHQL_VALIDATION_FAILED')
    const flagged = await post(router, { documentId: 'discount' }, { 'x-feature-flag': 'next' })
    expect(flagged.json.data).toMatchObject({ topProducts: [{}, {}] })
    expect(unfit()).toHaveLength(1)
  })

  it.each([
    [100, 2],
    [1, 1],
    [0, 0],
  ])('has prepared and planned the first %i documents before anybody asks', async (warmUp, kept) => {
    await using own = await createManifestFolder({ 'm.json': { a: VERSION, b: PRODUCTS, c: '{ nothing }' } })
    const settings = `documents: { mode: safelist, warm_up: ${warmUp}, manifests: [{ file: ${own.path('m.json')} }] }\nflags: { build_ahead: false }`
    await using measured = await startMeasuredRouter(settings)
    const { router, metrics } = measured
    const gauge = async (name: string) =>
      (await metrics()).get(`switchyard_router_${name}`)?.samples[0]?.value
    await until(async () => (await gauge('unfit_documents')) === 1, 'the check')
    expect([await gauge('operations'), await gauge('remembered_plans')]).toEqual([kept, kept])
    expect(outcome(await post(router, { documentId: 'b' }))).toEqual([200, 'topProducts'])
  })

  it('does not share what clients of different lists may see', async () => {
    await using own = await createManifestFolder({
      a: { q: '{ slow(milliseconds: 300) }' },
      b: { q: '{ version }' },
    })
    const files = `{ file: ${own.path('a')}, clients: [a] }, { file: ${own.path('b')}, clients: [b] }`
    await using router = await start(`mode: ids_only, manifests: [${files}]`)
    const asked = ['a', 'b', 'a', 'c'].map((name) =>
      post(router, { documentId: 'q' }, { 'graphql-client-name': name }),
    )
    const answers = await Promise.all(asked)
    expect(answers.map((answer) => outcome(answer)[1])).toEqual([
      'slow',
      'version',
      'slow',
      'PERSISTED_QUERY_NOT_IN_LIST',
    ])
  })
})

describe('a router that logs unknown documents', () => {
  it('says each of them once, with its client and its name', async () => {
    await using router = await start(`mode: log_unknown, ${manifests}`)
    const client = { 'graphql-client-name': 'ios' }
    for (let count = 0; count < 3; count++) await post(router, { query: UNLISTED }, client)
    await post(router, { query: VERSION }, client)
    await post(router, { query: 'query Second { fails version }' }, client)
    const lines = router.logs.filter(({ event }) => event === 'documents.unlisted')
    expect(lines.map(({ client: name, operation, sha256: hash }) => [name, operation, hash])).toEqual([
      ['ios', 'Other', UNKNOWN],
      ['ios', 'Second', sha256('query Second { fails version }')],
    ])
    expect(JSON.stringify(lines)).not.toContain('price')
  })
})

describe('manifests that change', () => {
  const setUp = async (interval: string) => {
    const own = await createManifestFolder({ 'm.json': { q: VERSION } })
    const settings = `mode: ids_only, reload_interval: ${interval}, manifests: [{ file: ${own.path('m.json')} }]`
    return { own, router: await start(settings) }
  }
  const asked = async (router: TestRouter) => outcome(await post(router, { documentId: 'q' }))[1]

  it('are used from the next look on, without a restart', async () => {
    const { own, router } = await setUp('20ms')
    await using _ = own
    await using __ = router
    expect(await asked(router)).toBe('version')
    await own.write('m.json', { q: PRODUCTS, r: '{ nothing }' })
    await until(async () => (await asked(router)) === 'topProducts', 'the other document')
    expect(router.logs.filter(({ event }) => event === 'documents.read')).toMatchObject([
      { documents: 1, before: 0 },
      { documents: 2, before: 1 },
    ])
    await until(() => router.logs.find(({ event }) => event === 'documents.unfit'), 'the second check')
  })

  it('are looked at at once when the router is told to', async () => {
    const { own, router } = await setUp('1h')
    await using _ = own
    await using __ = router
    await own.write('m.json', { q: PRODUCTS })
    expect(await asked(router)).toBe('version')
    router.reload()
    await until(async () => (await asked(router)) === 'topProducts', 'the other document')
  })

  it('stay as they were while their files cannot be used', async () => {
    const { own, router } = await setUp('20ms')
    await using _ = own
    await using __ = router
    await own.write('m.json', '{"q":"query Half')
    const told = () => router.logs.filter(({ event }) => event === 'documents.not-read')
    await until(() => told().length > 0, 'the problem is told')
    expect(told()).toMatchObject([
      { level: 'error', problems: [expect.stringMatching(/m\.json: it is not JSON/)] },
    ])
    expect(await asked(router)).toBe('version')
    await own.write('m.json', { q: PRODUCTS })
    await until(async () => (await asked(router)) === 'topProducts', 'the repaired file')
    expect(told()).toHaveLength(1)
  })
})

describe('a router does not start with', () => {
  it.each([
    [
      'a file that is not there',
      '{ file: /nowhere/m.json }',
      /documents\.manifests: \/nowhere\/m\.json cannot be read/,
    ],
    ['a folder', '{ file: / }', /is no file/],
  ])('%s', async (_, manifest, message) => {
    await expect(start(`mode: allow, manifests: [${manifest}]`)).rejects.toThrow(message)
  })

  it('a manifest that is too large, or wrong', async () => {
    await using own = await createManifestFolder({
      large: { a: `{ a${' '.repeat(2000)} }` },
      wrong: { a: '{' },
    })
    const large = `mode: allow, max_manifest_size: 1KiB, manifests: [{ file: ${own.path('large')} }]`
    await expect(start(large)).rejects.toThrow(/more than the 1024 of documents\.max_manifest_size/)
    await expect(start(`mode: allow, manifests: [{ file: ${own.path('wrong')} }]`)).rejects.toThrow(
      /wrong: "a" is no GraphQL document/,
    )
  })

  it.each([
    ['mode: safelist', /safelist needs documents/],
    ['manifests: [{ file: a }]', /nobody may use these manifests/],
    ['mode: sure', /expected one of off, allow/],
    ['mode: safelist, manifests: [{ file: a }], apq: { enabled: true }', /clients cannot add documents/],
    ['id_parameters: [query]', /means something else/],
    ['mode: allow, manifests: [{ file: a, clients: [] }]', /at least one name/],
    [
      'mode: allow, manifests: [{ file: a, clients: [a] }] }\nclient_identification: { name_headers: []',
      /no headers tell who/,
    ],
  ])('the settings documents: { %s }', async (documents, message) => {
    await expect(start(documents)).rejects.toThrow(message)
  })
})

describe('Apollo Client with a manifest', () => {
  it('sends identifiers only, by GET and POST', async () => {
    const cache = new InMemoryCache()
    // As its tool does it: the text is the one that the cache makes of the document.
    const body = print(cache.transformDocument(gql(PRODUCTS)))
    await using own = await createManifestFolder({ 'm.json': apolloManifestOf(body) })
    await using router = await start(`mode: ids_only, manifests: [{ file: ${own.path('m.json')} }]`)
    const ids = new Map([[body, sha256(body)]])
    const sent: string[] = []
    for (const useGETForHashedQueries of [false, true]) {
      const client = new ApolloClient({
        link: ApolloLink.from([
          new PersistedQueryLink({
            generateHash: (document: DocumentNode) => Promise.resolve(ids.get(print(document)) ?? ''),
            useGETForHashedQueries,
          }),
          new HttpLink({
            uri: router.graphqlUrl,
            fetch: (input, init) => {
              sent.push(
                `${init?.method} ${decodeURIComponent(new Request(input).url)} ${JSON.stringify(init?.body)}`,
              )
              return fetch(input, init)
            },
          }),
        ]),
        cache,
      })
      const options = { query: gql(PRODUCTS), variables: { first: 1 }, fetchPolicy: 'no-cache' } as const
      const { data } = await client.query(options)
      expect(data).toMatchObject({ topProducts: [{ upc: '1' }] })
      client.stop()
    }
    expect(sent.map((one) => one.split(' ')[0])).toEqual(['POST', 'GET'])
    expect(sent.join()).not.toContain('topProducts')
  })
})
