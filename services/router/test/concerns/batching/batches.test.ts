/** Several operations in one request, on real routers. */
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:http2'
import { ApolloClient, gql, InMemoryCache } from '@apollo/client'
import { BatchHttpLink } from '@apollo/client/link/batch-http'
import { RandomRun } from '@switchyard/testkit'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { settingsOf } from '../authentication/opened.ts'
import { createManifestFolder } from '../../support/manifests.ts'
import { newSigningKey, sign } from '../../support/token-issuer.ts'
import { post, type Reply, send, until } from '../../support/router.ts'
import { type ShopRouter, startShopRouter } from '../../support/shop-router.ts'

const VERSION = { query: '{ version }' }
const PRODUCTS = { query: 'query Top($n: Int) { topProducts(first: $n) { upc } }', variables: { n: 1 } }

const RUN = new RandomRun(import.meta.url, 60, 150)
const stack = new AsyncDisposableStack()
let started: ShopRouter

beforeAll(async () => {
  const settings = 'batching: { enabled: true, max_operations: 4 }\nengine: { enable_defer: true }'
  started = stack.use(await startShopRouter({ settings }))
})
afterAll(() => stack.disposeAsync())

const batch = (body: unknown, headers: Record<string, string> = {}) =>
  post(started.router, typeof body === 'string' ? body : JSON.stringify(body), headers)
const answersOf = ({ text }: Reply): unknown => JSON.parse(text)
const codeOf = (answer: unknown): unknown =>
  (answer as { errors?: { extensions: { code: string } }[] }).errors?.[0]?.extensions.code

describe('a batch', () => {
  it('is answered operation by operation, in its order', async () => {
    const reply = await batch([
      VERSION,
      PRODUCTS,
      { query: 'mutation { rename(upc: "1", name: "Desk") { name } }' },
    ])
    expect([reply.status, reply.headers['content-type'], reply.headers['cache-control']]).toEqual([
      200,
      'application/json; charset=utf-8',
      'no-store',
    ])
    expect(answersOf(reply)).toEqual([
      { data: { version: 'products' } },
      { data: { topProducts: [{ upc: '1' }] } },
      { data: { rename: { name: 'Desk' } } },
    ])
  })

  it('of one operation has a list of one answer', async () => {
    expect(answersOf(await batch([VERSION]))).toEqual([{ data: { version: 'products' } }])
  })

  it('has an answer for each operation that is refused, beside those of others', async () => {
    const reply = await batch([VERSION, { query: '{ nothing }' }, {}, [VERSION]])
    expect(reply.status).toBe(200)
    const answers = answersOf(reply) as unknown[]
    expect(answers.map(codeOf)).toEqual([
      undefined,
      'GRAPHQL_VALIDATION_FAILED',
      'BAD_REQUEST',
      'BATCHING_NOT_SUPPORTED',
    ])
  })

  it('refuses @defer, since a list has no parts', async () => {
    const query = '{ topProducts { upc ... @defer { reviews { body } } } }'
    const accept = 'multipart/mixed;incrementalSpec=v0.2, application/json'
    const answers = answersOf(await batch([{ query }, VERSION], { accept })) as unknown[]
    expect(answers.map(codeOf)).toEqual(['DEFER_BAD_HEADER', undefined])
  })

  it.each<[string, string, Record<string, string>, number, string]>([
    ['an empty list', '[]', {}, 400, 'BAD_REQUEST'],
    ['half a list', '[{"query":"{ version }"}', {}, 400, 'BAD_REQUEST'],
    ['more than a list', '[{"query":"{ version }"}]]', {}, 400, 'BAD_REQUEST'],
    [
      'too many operations',
      JSON.stringify(Array.from({ length: 5 }, () => VERSION)),
      {},
      422,
      'BATCH_LIMIT_EXCEEDED',
    ],
    [
      'a client that takes no list',
      JSON.stringify([VERSION]),
      { accept: 'application/graphql-response+json' },
      406,
      'NOT_ACCEPTABLE',
    ],
    [
      'a client that takes no JSON',
      JSON.stringify([VERSION]),
      { accept: 'text/html' },
      406,
      'NOT_ACCEPTABLE',
    ],
  ])('is refused as a whole: %s', async (_, body, headers, status, code) => {
    const reply = await batch(body, headers)
    expect([reply.status, codeOf(reply.json)]).toEqual([status, code])
  })

  it('is answered as its operations are one by one', { timeout: RUN.timeout(60_000) }, async () => {
    const operation = fc.oneof(
      fc.constantFrom(
        VERSION,
        PRODUCTS,
        { query: '{ fails version }' },
        { query: '{' },
        { query: 'query A { version } query B { header(name: "x-a") }', operationName: 'B' },
        { query: '{ __schema { queryType { name } } }' },
        {},
        1,
        null,
        'text',
      ),
      fc.record({ query: fc.string(), variables: fc.jsonValue() }),
    )
    const compare = async (operations: readonly unknown[]) => {
      const headers = { accept: 'application/json' }
      const together = answersOf(await batch(operations, headers))
      const alone: unknown[] = []
      for (const one of operations) alone.push(answersOf(await batch(JSON.stringify(one), headers)))
      expect(together).toEqual(alone)
    }
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 4 }), compare),
      RUN.parameters,
    )
  })

  it('has a line in the log for each operation, and one for itself', async () => {
    await batch([{ query: 'query First { version }' }, { query: 'query Second { fails }' }], {
      'x-request-id': 'batch-1',
    })
    const lines = await until(() => {
      const found = started.router.logs.filter(
        (line) => line['request_id'] === 'batch-1' && line.event === 'request.answered',
      )
      return found.length === 3 ? found : undefined
    }, 'three lines')
    expect(lines.map(({ operation, status }) => [operation, status])).toEqual(
      expect.arrayContaining([
        ['First', 200],
        ['Second', 200],
        [undefined, 200],
      ]),
    )
  })

  it('is given up with all that it began when its client leaves', async () => {
    const { router } = started
    const body = JSON.stringify([VERSION, { query: '{ slow(milliseconds: 60000) }' }])
    const outgoing = httpRequest(router.graphqlUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-request-id': 'left' },
    })
    outgoing.on('error', () => {})
    outgoing.end(body)
    await until(() => router.activeRequests() === 2, 'the slow one and the batch are left')
    outgoing.destroy()
    await until(() => router.activeRequests() === 0, 'both are given up')
    const lines = router.logs.filter((line) => line['request_id'] === 'left')
    expect(lines.filter(({ aborted }) => aborted === true)).toHaveLength(2)
  })

  it('is answered over HTTP/2 as well', async () => {
    const client = connect(started.router.url)
    const stream = client.request({
      ':method': 'POST',
      ':path': '/graphql',
      'content-type': 'application/json',
    })
    stream.end(JSON.stringify([VERSION, VERSION]))
    let text = ''
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    await once(stream, 'end')
    client.close()
    const version = { data: { version: 'products' } }
    expect(JSON.parse(text)).toEqual([version, version])
  })

  it('is what the batch link of Apollo Client sends', async () => {
    const sent: string[] = []
    const client = new ApolloClient({
      link: new BatchHttpLink({
        uri: started.router.graphqlUrl,
        batchInterval: 50,
        fetch: (input, init) => {
          sent.push(JSON.stringify(init?.body))
          return fetch(input, init)
        },
      }),
      cache: new InMemoryCache(),
    })
    const answers = await Promise.all([
      client.query({ query: gql`query A { version }` }),
      client.query({ query: gql`query B { topProducts { upc } }` }),
    ])
    client.stop()
    expect(answers.map(({ data }) => data)).toMatchObject([
      { version: 'products' },
      { topProducts: [{}, {}] },
    ])
    expect(sent).toHaveLength(1)
  })
})

describe('operations of a batch', () => {
  it('count as requests in progress, each for itself', async () => {
    const settings =
      'batching: { enabled: true }\ntraffic: { max_concurrent_requests: 3, share_inflight: false }'
    await using own = await startShopRouter({ settings })
    const slow = { query: '{ slow(milliseconds: 100) }' }
    const answers = answersOf(await post(own.router, JSON.stringify([slow, slow, slow, slow]))) as unknown[]
    expect(answers.map(codeOf)).toEqual([undefined, undefined, 'OVERLOADED', 'OVERLOADED'])
  })

  it('count for rate limits as if each had come alone', async () => {
    const rule = '{ name: few, limit: 5, per: 1h, key: [] }'
    const settings = `batching: { enabled: true }\nrate_limits: { rules: [${rule}] }`
    await using own = await startShopRouter({ settings })
    const batch = (count: number) =>
      post(own.router, JSON.stringify(Array.from({ length: count }, () => ({ query: '{ version }' }))))
    const codes = async (count: number) => (answersOf(await batch(count)) as unknown[]).map(codeOf)
    expect(await codes(2)).toEqual([undefined, undefined])
    expect(await codes(4)).toEqual([undefined, undefined, undefined, 'RATE_LIMITED'])
    expect((await batch(1)).status).toBe(429)
  })

  it('are of whoever sends the list, as its token says', async () => {
    await using folder = await createManifestFolder()
    const key = await newSigningKey('a')
    await folder.write('keys.json', { keys: [key.publicJwk] })
    const settings = {
      batching: { enabled: true },
      headers: { request: [{ set: 'x-user', from_claim: 'sub' }] },
      ...settingsOf({ jwks: [{ file: folder.path('keys.json') }] }, {}, true),
    }
    await using own = await startShopRouter({ settings: JSON.stringify(settings) })
    const list = JSON.stringify([
      { query: '{ header(name: "x-user") }' },
      { query: '{ a: header(name: "x-user") }' },
    ])
    const asked = async (sub: string) => {
      const reply = await post(own.router, list, { authorization: `Bearer ${await sign(key, { sub })}` })
      return answersOf(reply)
    }
    const both = await Promise.all([asked('ann'), asked('bob')])
    expect(both).toEqual([
      [{ data: { header: 'ann' } }, { data: { a: 'ann' } }],
      [{ data: { header: 'bob' } }, { data: { a: 'bob' } }],
    ])
    expect((await post(own.router, list)).status).toBe(401)
  })

  it('may name documents of manifests, and nothing else where there is a safelist', async () => {
    await using folder = await createManifestFolder({ 'm.json': { v: '{ version }' } })
    const manifests = `manifests: [{ file: ${folder.path('m.json')} }]`
    const settings = `batching: { enabled: true }\ndocuments: { mode: safelist, ${manifests} }`
    await using own = await startShopRouter({ settings })
    const reply = await post(own.router, JSON.stringify([{ documentId: 'v' }, PRODUCTS]))
    const [listed, unlisted] = answersOf(reply) as unknown[]
    expect(listed).toEqual({ data: { version: 'products' } })
    expect(codeOf(unlisted)).toBe('QUERY_NOT_IN_SAFELIST')
  })
})

describe('a router without batching', () => {
  it('refuses lists', async () => {
    await using own = await startShopRouter()
    const reply = await post(own.router, JSON.stringify([VERSION]))
    expect([reply.status, codeOf(reply.json)]).toEqual([400, 'BATCHING_NOT_SUPPORTED'])
  })

  it('reads lists in a GET request as little as one with batching', async () => {
    const search = new URLSearchParams({ query: JSON.stringify([VERSION]) })
    const reply = await send(`${started.router.graphqlUrl}?${search}`)
    expect(codeOf(reply.json)).toBe('GRAPHQL_PARSE_FAILED')
  })
})
