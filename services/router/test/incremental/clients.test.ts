/**
 * Clients as their authors publish them, on a router with a subgraph that is held back until they show the
 * first part.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { ApolloClient, HttpLink, InMemoryCache, setLogVerbosity } from '@apollo/client'
import { Defer20220824Handler, GraphQL17Alpha9Handler } from '@apollo/client/incremental'
import type { PendingPer } from '@switchyard/engine'
import { mergeParts, protocolComplaints, type StreamPart, temporaryDirectory } from '@switchyard/testkit'
import { Client, fetchExchange } from '@urql/core'
import { parse } from 'graphql'
import { meros as readFetched } from 'meros/browser'
import { meros as readHttp } from 'meros/node'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Gate, startGate } from '../support/gate.ts'
import { post, start, type TestRouter, until } from '../support/router.ts'
import { type Shop, startShop } from '../support/shop.ts'

const stack = new AsyncDisposableStack()
let shop: Shop
let gate: Gate
/** By what they announce. */
const routers = new Map<PendingPer, TestRouter>()
/** Announces objects to the client 'storefront', and fragments to all others. */
let byClient: TestRouter

beforeAll(async () => {
  // It warns of every field that a part does not bring.
  setLogVerbosity('silent')
  shop = stack.use(await startShop())
  gate = stack.use(await startGate(shop.reviews.url))
  const directory = stack.use(await temporaryDirectory())
  const fixture = new URL('../fixtures/supergraph-base.graphql', import.meta.url)
  const path = join(directory.path, 'supergraph.graphql')
  const sdl = (await readFile(fixture, 'utf8'))
    .replace('http://products.invalid/graphql', shop.products.url)
    .replace('http://reviews.invalid/graphql', gate.url)
  await writeFile(path, sdl)
  for (const form of FORMS) {
    const settings = `engine: { enable_defer: true, defer_pending: ${form} }`
    routers.set(form, stack.use(await start({ kind: 'supergraph', path }, { settings })))
  }
  const settings = 'engine: { enable_defer: true, defer_pending_by_client: { storefront: item } }'
  byClient = stack.use(await start({ kind: 'supergraph', path }, { settings }))
})
afterAll(() => stack.disposeAsync())
afterEach(() => gate.open())

const FORMS: readonly PendingPer[] = ['fragment', 'item']

function routerOf(form: PendingPer): TestRouter {
  const router = routers.get(form)
  if (router === undefined) throw new Error(`No router announces by ${form}`)
  return router
}

const NESTED_IN_LIST =
  '{ topProducts { upc ... @defer(label: "outer") { name ... @defer(label: "inner") { reviews { id } } } } }'

const QUESTIONS: readonly (readonly [what: string, query: string, initial: unknown])[] = [
  [
    'a list',
    '{ topProducts { upc name ... @defer(label: "reviews") { reviews { id body } } } }',
    {
      topProducts: [
        { upc: '1', name: 'Table' },
        { upc: '2', name: 'Couch' },
      ],
    },
  ],
  [
    'one object',
    '{ product(upc: "1") { upc name ... @defer { reviews { body } } } version }',
    { product: { upc: '1', name: 'Table' }, version: 'products' },
  ],
  [
    'nested fragments',
    '{ product(upc: "2") { upc ... @defer(label: "outer") { reviews { id ... @defer(label: "inner") { body } } } } }',
    { product: { upc: '2' } },
  ],
  [
    'fragments in a list that a fragment brings',
    '{ product(upc: "1") { upc ... @defer { reviews { id ... @defer { body } } } } }',
    { product: { upc: '1' } },
  ],
  [
    'two fragments on the objects of a list',
    '{ topProducts { upc ... @defer { reviews { id } } ... @defer { reviews { id body } name } } }',
    { topProducts: [{ upc: '1' }, { upc: '2' }] },
  ],
  ['nested fragments in a list', NESTED_IN_LIST, { topProducts: [{ upc: '1' }, { upc: '2' }] }],
]

/** What a client holds after each part that it has read. */
type Shown = { readonly data: unknown; readonly isLast: boolean }
type Ask = (url: string, query: string, form: PendingPer, show: (shown: Shown) => void) => Promise<void>

const CLIENTS: readonly (readonly [name: string, ask: Ask])[] = [
  ['@apollo/client', askApollo],
  ['@urql/core', askUrql],
  ['meros on node:http', askMerosWithHttp],
  ['meros on fetch', askMerosWithFetch],
]

describe.each(FORMS.flatMap((form) => CLIENTS.map(([name, ask]) => [name, form, ask] as const)))(
  '%s, told by %s,',
  (name, form, ask) => {
    it.each(QUESTIONS.filter(([, query]) => !isBeyond(name, form, query)))(
      'shows the first part of %s while the deferred subgraph is held, and all of it at the end',
      async (_what, query, initial) => {
        const router = routerOf(form)
        gate.open()
        const plain = await post(router, { query: query.replaceAll(/@defer(\([^)]*\))?/g, '') })
        gate.close()
        const shown: Shown[] = []
        const end = ask(router.graphqlUrl, query, form, (one) => shown.push(structuredClone(one)))
        await until(() => shown.length > 0 && gate.held.count > 0, 'the first part, with a held request')
        expect(withoutTypeNames(shown[0]?.data)).toEqual(initial)
        expect(shown.every(({ isLast }) => !isLast)).toBe(true)
        gate.open()
        await end
        expect(shown.at(-1)?.isLast).toBe(true)
        expect(withoutTypeNames(shown.at(-1)?.data)).toEqual(plain.json.data)
      },
    )
  },
)

/** See docs/defer.md, "Apollo Client". */
function isBeyond(client: string, form: PendingPer, query: string): boolean {
  return client === '@apollo/client' && form === 'fragment' && query === NESTED_IN_LIST
}

describe('the cache of Apollo Client', () => {
  it('shows nested fragments in a list as they should be to a client that is told by item by its name', async () => {
    const told = () => byClient.logs.filter(({ event }) => event === 'defer.fragments-for-apollo')
    const plain = await post(byClient, { query: NESTED_IN_LIST.replaceAll(/@defer(\([^)]*\))?/g, '') })
    const endFor = async (name: string) => {
      const shown: Shown[] = []
      const show = (one: Shown) => shown.push(structuredClone(one))
      await askApollo(byClient.graphqlUrl, NESTED_IN_LIST, 'item', show, name)
      return withoutTypeNames(shown.at(-1)?.data)
    }
    expect(await endFor('storefront')).toEqual(plain.json.data)
    expect(told()).toEqual([])
    // One of another name is told as usual, and misreads it; the log says so once.
    for (let count = 0; count < 2; count++) expect(await endFor('kiosk')).toEqual({ topProducts: [] })
    expect(told()).toMatchObject([{ client: 'kiosk' }])
  })

  it('shows an empty list at the end of nested fragments in a list that are told by fragment', async () => {
    const shown: Shown[] = []
    const { graphqlUrl } = routerOf('fragment')
    await askApollo(graphqlUrl, NESTED_IN_LIST, 'fragment', (one) => shown.push(structuredClone(one)))
    expect(shown.length).toBeGreaterThan(1)
    expect(shown.at(-1)).toMatchObject({ data: { topProducts: [] }, isLast: true })
  })

  it.each([
    ['item', 'streaming', { topProducts: [{ upc: '1' }, { upc: '2' }] }],
    [
      'fragment',
      'complete',
      {
        topProducts: [
          { upc: '1', reviews: [{ id: 'r1' }] },
          { upc: '2', reviews: [{ id: 'r2' }] },
        ],
      },
    ],
  ] as const)(
    'told by %s, takes what it knows of the items of a list for %s while their fragment is held',
    async (form, state, expected) => {
      const client = apolloClient(routerOf(form).graphqlUrl, new GraphQL17Alpha9Handler())
      const query = parse('{ topProducts { upc ... @defer { reviews { id } } } }')
      await client.query({ query })
      gate.close()
      const shown: { readonly data: unknown; readonly dataState: string }[] = []
      const watched = client.watchQuery({
        query,
        fetchPolicy: 'network-only',
        notifyOnNetworkStatusChange: true,
      })
      const subscription = watched.subscribe(({ data, dataState }) => {
        if (data !== undefined) shown.push({ data: withoutTypeNames(data), dataState })
      })
      await until(() => shown.length > 0 && gate.held.count > 0, 'the first part, with a held request')
      expect(shown).toEqual([{ data: expected, dataState: state }])
      subscription.unsubscribe()
      client.stop()
    },
  )
})

describe('a client that reads another format', () => {
  it('is told so', async () => {
    const client = apolloClient(routerOf('fragment').graphqlUrl, new Defer20220824Handler())
    const query = parse('{ product(upc: "1") { upc ... @defer { reviews { body } } } }')
    const { error } = await client.query({ query, errorPolicy: 'all', fetchPolicy: 'no-cache' })
    expect(error).toMatchObject({ errors: [{ extensions: { code: 'DEFER_UNSUPPORTED_SPEC' } }] })
  })
})

function apolloClient(
  uri: string,
  handler: Defer20220824Handler | GraphQL17Alpha9Handler,
  name?: string,
): ApolloClient {
  // The package's own handlers do not fit its own option under `exactOptionalPropertyTypes`.
  const incrementalHandler = handler as NonNullable<ApolloClient.Options['incrementalHandler']>
  const named = name === undefined ? {} : { clientAwareness: { name } }
  const link = new HttpLink({ uri })
  return new ApolloClient({ link, cache: new InMemoryCache(), incrementalHandler, ...named })
}

async function askApollo(
  url: string,
  query: string,
  _form: PendingPer,
  show: (shown: Shown) => void,
  name?: string,
): Promise<void> {
  const client = apolloClient(url, new GraphQL17Alpha9Handler(), name)
  await new Promise<void>((resolve, reject) => {
    const watched = client.watchQuery({ query: parse(query), notifyOnNetworkStatusChange: true })
    watched.subscribe({
      next({ data, error, dataState }) {
        if (error !== undefined) return reject(error)
        if (data === undefined) return
        show({ data, isLast: dataState === 'complete' })
        if (dataState === 'complete') resolve()
      },
      error: reject,
    })
  })
  client.stop()
}

async function askUrql(
  url: string,
  query: string,
  _form: PendingPer,
  show: (shown: Shown) => void,
): Promise<void> {
  const client = new Client({ url, exchanges: [fetchExchange], preferGetMethod: false })
  await new Promise<void>((resolve, reject) => {
    client.query(query, {}).subscribe(({ data, error, hasNext }) => {
      if (error !== undefined) return reject(error)
      show({ data, isLast: !hasNext })
      if (!hasNext) resolve()
    })
  })
}

async function askMerosWithHttp(
  url: string,
  query: string,
  form: PendingPer,
  show: (shown: Shown) => void,
): Promise<void> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = httpRequest(url, { method: 'POST', headers: HEADERS }, resolve)
    outgoing.on('error', reject).end(JSON.stringify({ query }))
  })
  await showParts(await readHttp<StreamPart>(answer), form, show)
}

async function askMerosWithFetch(
  url: string,
  query: string,
  form: PendingPer,
  show: (shown: Shown) => void,
): Promise<void> {
  const answer = await fetch(url, { method: 'POST', headers: HEADERS, body: JSON.stringify({ query }) })
  await showParts(await readFetched<StreamPart>(answer), form, show)
}

const HEADERS = { 'content-type': 'application/json', accept: 'multipart/mixed' }

type Part = { readonly json: boolean; readonly body: unknown }

async function showParts(parts: object, pendingPer: PendingPer, show: (shown: Shown) => void): Promise<void> {
  if (!isParts(parts)) throw new Error('The answer is not multipart')
  const read: StreamPart[] = []
  for await (const { json, body } of parts) {
    if (!json) throw new Error(`A part is not JSON: ${String(body)}`)
    const part = body as StreamPart
    read.push(part)
    show({ data: mergeParts(read).data, isLast: part.hasNext === false })
  }
  expect(protocolComplaints(read, { pendingPer })).toEqual([])
}

function isParts(value: object): value is AsyncIterable<Part> {
  return Symbol.asyncIterator in value && !('statusCode' in value)
}

/** Clients ask for them on their own. */
function withoutTypeNames(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_key, child: unknown) => {
    if (typeof child !== 'object' || child === null || Array.isArray(child)) return child
    return Object.fromEntries(Object.entries(child).filter(([key]) => key !== '__typename'))
  })
}
