/**
 * One graph of five subgraphs, each in another framework and in a process of its own, composed and served as
 * users do it. Where a framework cannot be run on this machine, a subgraph in JavaScript stands in for it, so
 * that the graph is whole, and the tests of that framework are skipped by name and reason.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runSwitchyard } from '@switchyard/e2e'
import {
  compareOpinions,
  type Opinion,
  type SecondOpinion,
  secondOpinion,
  STITCHING_LIMITS,
} from '@switchyard/second-opinion'
import { mergeParts, protocolComplaints, type StreamPart, temporaryDirectory } from '@switchyard/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { FRAMEWORK_FACTS } from '../src/framework-facts.ts'
import { FRAMEWORK_SUBGRAPHS } from '../src/framework-subgraphs.ts'
import { ghostOf, openShop, type Shop, SUBGRAPH_NAMES, type SubgraphName } from '../src/shop.ts'
import { ask, askInParts, post, read, type Request } from './ask.ts'
import { type Operation, OPERATIONS } from './operations.ts'

let shop: Shop
let witness: SecondOpinion

beforeAll(async () => {
  shop = await openShop()
  witness = await secondOpinion({
    supergraphSdl: shop.supergraphSdl,
    execute: async (name, { document: query, variables }) => {
      const subgraph = shop.subgraphs[name as SubgraphName]
      return (await subgraph.process.ask({ query, variables })).body
    },
  })
})
afterAll(() => shop?.[Symbol.asyncDispose]())
beforeEach(() => {
  for (const { tap } of Object.values(shop.subgraphs)) tap.forget()
})

/** The subgraphs that were asked since the test began, and how often. */
function asked(): Readonly<Partial<Record<SubgraphName, number>>> {
  const counts = SUBGRAPH_NAMES.map((name) => [name, shop.subgraphs[name].tap.requests.length] as const)
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}

function representationsOf(name: SubgraphName): unknown {
  return shop.subgraphs[name].tap.requests.flatMap(({ body }) => Object.values(body.variables ?? {}).flat())
}

describe('queries over five frameworks', () => {
  it.each(OPERATIONS)('$name', async ({ query, variables, data, errors }) => {
    const { status, body } = await ask(shop.url, { query, variables })

    expect(body).toEqual(errors === undefined ? { data } : { errors, data })
    expect(status).toBe(200)
  })
})

describe('the same queries, with two subgraphs in another framework behind a flag', () => {
  it.each(OPERATIONS)('$name', async ({ query, variables, data, errors }) => {
    const { body } = await ask(shop.url, { query, variables, flag: 'elsewhere' })

    const told = errors?.map(({ extensions, ...error }) => ({
      ...error,
      extensions: {
        ...extensions,
        ...(extensions['serviceName'] === 'stock' ? { serviceName: 'stock-elsewhere' } : {}),
      },
    }))
    expect(body).toEqual(told === undefined ? { data } : { errors: told, data })
  })
})

describe('a gateway that is not ours, on the same subgraphs', () => {
  const [limited, comparable] = [OPERATIONS.filter(isLimited), OPERATIONS.filter((one) => !isLimited(one))]

  it.each(comparable)('$name: it agrees', async (operation) => {
    const answer = await witness.execute(operation)

    expect(compareOpinions(expected(operation), answer)).toEqual({ kind: 'equal' })
  })

  it.each(limited)('$name: it differs by the listed limit $limit', async (operation) => {
    const answer = await witness.execute(operation)

    expect(STITCHING_LIMITS.map(({ id }) => id)).toContain(operation.limit)
    expect(compareOpinions(expected(operation), answer).kind).toBe('witness-differs')
  })

  it('switchyard router verify --live finds no difference', async () => {
    await using folder = await temporaryDirectory()
    const operations = join(folder.path, 'operations')
    await mkdir(operations)
    await Promise.all(
      comparable.flatMap(({ query, variables }, index) => [
        writeFile(join(operations, `${index}.graphql`), query),
        writeFile(join(operations, `${index}.variables.json`), JSON.stringify(variables ?? {})),
      ]),
    )

    const verified = await runSwitchyard(
      [
        'router',
        'verify',
        '--execution-config',
        shop.executionConfig,
        '--live',
        '--operations',
        operations,
        '--json',
      ],
      {},
      folder.path,
    )

    const { result } = JSON.parse(verified.stdout) as { result: Readonly<Record<string, unknown>> }
    expect(result).toMatchObject({
      operations: comparable.length,
      equal: comparable.length,
      different: [],
      invalid: [],
      unreachable: [],
    })
    expect(verified.code).toBe(0)
  })

  function isLimited({ limit }: Operation): boolean {
    return limit !== undefined
  }

  function expected({ data, errors = [] }: Operation): Opinion {
    return { data: data as Opinion['data'], errors }
  }
})

describe('what subgraphs are asked', () => {
  it('a field that is provided on the way is not fetched again', async () => {
    await ask(shop.url, { query: '{ latestReviews { author { name } } }' })

    expect(asked()).toEqual({ reviews: 1 })
  })

  it('an overridden field is asked of the subgraph that took it over', async () => {
    await ask(shop.url, { query: '{ books(first: 1) { inStock } }' })

    const [fromCatalog] = shop.subgraphs.catalog.tap.requests
    expect(asked()).toEqual({ catalog: 1, stock: 1 })
    expect(fromCatalog?.body.query).not.toContain('inStock')
  })

  it('a representation holds its key, nested or composite, and nothing else', async () => {
    const query = '{ items(ids: ["g1"]) { ... on Gadget { inStock } } warehouses { carriers { name } } }'
    await ask(shop.url, { query })

    expect(representationsOf('stock')).toEqual([{ __typename: 'Gadget', maker: { code: 'acme' }, model: 7 }])
    expect(representationsOf('shipping')).toEqual([
      { __typename: 'Warehouse', country: 'NO', number: 1 },
      { __typename: 'Warehouse', country: 'NO', number: 2 },
      { __typename: 'Warehouse', country: 'PT', number: 1 },
    ])
  })

  it('a representation for @requires holds just what is required', async () => {
    await ask(shop.url, {
      query:
        '{ item(id: "b1") { title ... on Book { language price { currency } shippingCost { amount } } } }',
    })

    expect(representationsOf('shipping')).toEqual([
      { __typename: 'Book', id: 'b1', weight: 410, price: { currency: 'EUR' } },
    ])
  })

  it('an interface object is represented by the name of the interface', async () => {
    await ask(shop.url, { query: '{ items(ids: ["b1", "g1"]) { averageStars } }' })

    expect(representationsOf('reviews')).toEqual([
      { __typename: 'Item', id: 'b1' },
      { __typename: 'Item', id: 'g1' },
    ])
  })

  it('an entity at several places is asked for once', async () => {
    await ask(shop.url, { query: '{ warehouses { books { title } } }' })

    expect(asked()).toEqual({ stock: 1, catalog: 1 })
    expect(representationsOf('catalog')).toEqual(['b1', 'b2', 'b3'].map((id) => ({ __typename: 'Book', id })))
  })

  it('requests are POSTs of JSON that accept the media type of GraphQL, on connections that stay open', async () => {
    const query = '{ me { wishlist { title } reviewCount } carriers { name } warehouses { city } }'
    await ask(shop.url, { query })
    const connections = () => SUBGRAPH_NAMES.map((name) => shop.subgraphs[name].tap.connections)
    const before = connections()

    for (let round = 0; round < 10; round++) await ask(shop.url, { query })

    expect(connections()).toEqual(before)
    const requests = SUBGRAPH_NAMES.flatMap((name) => shop.subgraphs[name].tap.requests)
    expect(requests).toHaveLength(11 * SUBGRAPH_NAMES.length)
    for (const { method, headers } of requests) {
      expect(method).toBe('POST')
      expect(headers).toMatchObject({
        'content-type': 'application/json',
        accept: 'application/graphql-response+json, application/json',
      })
    }
  })
})

describe('a flag that replaces the subgraph in Strawberry by a newer one in another framework', () => {
  const query = '{ items(ids: ["b1", "b2"]) { title ... on Book { inStock shippingCost { amount } } } }'

  it('is answered by the newer one, and by it alone', async () => {
    const flagged = await ask(shop.url, { query, flag: 'next-stock' })
    const calls = asked()
    const base = await ask(shop.url, { query })

    expect(flagged.body).toEqual({
      data: { items: [book('Kite Weather', 104, 4.1), book('Salt Roads', 100, 12)] },
    })
    expect(calls).toEqual({ catalog: 1, shipping: 1 })
    expect(base.body).toEqual({ data: { items: [book('Kite Weather', 4, 4.1), book('Salt Roads', 0, 12)] } })
  })

  it('has a field that the graph without the flag does not know', async () => {
    const reserved = '{ item(id: "b1") { ... on Book { reserved } } }'

    const flagged = await ask(shop.url, { query: reserved, flag: 'next-stock' })
    expect(flagged.body).toEqual({ data: { item: { reserved: 3 } } })
    const base = await ask(shop.url, { query: reserved })
    expect(base.body.errors?.[0]?.extensions).toMatchObject({ code: 'GRAPHQL_VALIDATION_FAILED' })
  })

  it('can be deferred', async () => {
    const parts = await allParts({ query: deferred('Book', 'reserved inStock'), flag: 'next-stock' })

    expect(mergeParts(parts).data).toEqual({ item: { title: 'Kite Weather', reserved: 3, inStock: 104 } })
  })

  function book(title: string, inStock: number, amount: number) {
    return { title, inStock, shippingCost: { amount } }
  }
})

function deferred(type: string, fields: string): string {
  return `{ item(id: "b1") { title ... on ${type} @defer { ${fields} } } }`
}

async function allParts(request: Request): Promise<readonly StreamPart[]> {
  const parts: StreamPart[] = []
  for await (const part of askInParts(shop.url, request)) parts.push(part)
  expect(protocolComplaints(parts)).toEqual([])
  return parts
}

describe('a deferred fragment', () => {
  const cases: readonly {
    readonly name: string
    readonly slow: SubgraphName
    readonly query: string
    readonly first: unknown
    readonly whole: unknown
  }[] = [
    {
      name: 'of an entity in Strawberry, with what it requires',
      slow: 'stock',
      query: deferred('Book', 'discounted { amount }'),
      first: { item: { title: 'Kite Weather' } },
      whole: { item: { title: 'Kite Weather', discounted: { amount: 22.05 } } },
    },
    {
      name: 'of an interface object in gqlgen',
      slow: 'reviews',
      query: deferred('Item', 'averageStars reviews { stars }'),
      first: { item: { title: 'Kite Weather' } },
      whole: { item: { title: 'Kite Weather', averageStars: 4.5, reviews: [{ stars: 5 }, { stars: 4 }] } },
    },
    {
      name: 'of a composite key in Mercurius, below a list',
      slow: 'shipping',
      query: '{ warehouses { city ... @defer { carriers { name } } } }',
      first: { warehouses: [{ city: 'Bergen' }, { city: 'Bodø' }, { city: 'Porto' }] },
      whole: {
        warehouses: [
          { city: 'Bergen', carriers: [{ name: 'Posten' }, { name: 'Swift' }] },
          { city: 'Bodø', carriers: [] },
          { city: 'Porto', carriers: [{ name: 'Swift' }] },
        ],
      },
    },
    {
      name: 'of a root field of Pothos',
      slow: 'accounts',
      query: '{ books(first: 1) { title } ... @defer { me { name role } } }',
      first: { books: [{ title: 'Kite Weather' }] },
      whole: { books: [{ title: 'Kite Weather' }], me: { name: 'Ada', role: 'STAFF' } },
    },
    {
      name: 'of a reference to Apollo Server',
      slow: 'catalog',
      query: '{ me { name wishlist { id ... @defer { title } } } }',
      first: { me: { name: 'Ada', wishlist: [{ id: 'g1' }, { id: 'b2' }] } },
      whole: {
        me: {
          name: 'Ada',
          wishlist: [
            { id: 'g1', title: 'Pocket Lathe' },
            { id: 'b2', title: 'Salt Roads' },
          ],
        },
      },
    },
  ]

  it.each(cases)('$name: comes when its subgraph has answered', async ({ query, slow, first, whole }) => {
    const parts: StreamPart[] = []
    {
      using _held = shop.subgraphs[slow].tap.hold()
      const stream = askInParts(shop.url, { query })
      const { value } = await stream.next()
      expect(value.data).toEqual(first)
      parts.push(value)
      _held[Symbol.dispose]()
      for await (const part of stream) parts.push(part)
    }

    expect(protocolComplaints(parts)).toEqual([])
    expect(mergeParts(parts)).toEqual({ data: whole, errors: [] })
  })

  it.each(cases)('$name: fails alone when its subgraph is down', async ({ query, slow, first }) => {
    using _dropped = shop.subgraphs[slow].tap.drop()

    const parts = await allParts({ query })

    expect(parts[0]).toMatchObject({ data: first })
    expect(parts[0]).not.toHaveProperty('errors')
    const { errors } = mergeParts(parts)
    expect(errors.length).toBeGreaterThan(0)
    for (const { extensions } of errors)
      expect(extensions).toMatchObject({ code: 'SUBGRAPH_UNREACHABLE', serviceName: slow })
  })

  it('has the error of the one entity that Strawberry cannot answer', async () => {
    const parts = await allParts({ query: '{ books { id ... @defer { restocked } } }' })

    const { data, errors } = mergeParts(parts)
    expect(data).toEqual({
      books: [
        { id: 'b1', restocked: '2026-01-31' },
        { id: 'b2', restocked: null },
        { id: 'b3', restocked: null },
      ],
    })
    expect(errors).toMatchObject([{ path: ['books', 2], extensions: { code: 'COUNTING' } }])
  })
})

describe('a subgraph that fails', () => {
  it.each(SUBGRAPH_NAMES)('%s: its fields are null and say why, the others are answered', async (down) => {
    const fields: Readonly<Record<SubgraphName, readonly [string, unknown]>> = {
      catalog: ['item(id: "g2") { title }', { title: 'Night Lamp' }],
      accounts: ['me { name }', { name: 'Ada' }],
      shipping: ['tracking(parcel: "p2") { __typename }', { __typename: 'Lost' }],
      stock: ['warehouse(key: { country: "PT" }) { city }', { city: 'Porto' }],
      reviews: ['review(id: "r1") { stars }', { stars: 5 }],
    }
    const query = `{ ${SUBGRAPH_NAMES.map((name) => `${name}: ${fields[name][0]}`).join(' ')} }`
    const whole = Object.fromEntries(SUBGRAPH_NAMES.map((name) => [name, fields[name][1]]))

    await shop.subgraphs[down].process.stop()
    const without = await ask(shop.url, { query })
    await shop.subgraphs[down].process.restart()
    const again = await ask(shop.url, { query })

    expect(without.status).toBe(200)
    expect(without.body.data).toEqual({ ...whole, [down]: null })
    expect(without.body.errors).toMatchObject([
      { path: [down], extensions: { code: 'SUBGRAPH_UNREACHABLE', serviceName: down } },
    ])
    expect(again.body).toEqual({ data: whole })
  })

  it.each(SUBGRAPH_NAMES)(
    '%s: a schema that was published and is not served yet is told in its words, whatever its status',
    async (name) => {
      const ghost = ghostOf(name)
      const { status, body } = await ask(shop.url, { query: `{ ${ghost} __typename }`, flag: 'stale' })

      expect(status).toBe(200)
      expect(body.data).toEqual({ [ghost]: null, __typename: 'Query' })
      expect(body.errors).toHaveLength(1)
      const [error] = body.errors ?? []
      expect(error?.message).toMatch(new RegExp(`Cannot query field ["']${ghost}["'] on type ["']Query["']`))
      expect(error?.path).toEqual([ghost])
      expect(error?.extensions).toMatchObject({ serviceName: `${name}-stale` })
    },
  )
})

describe('a flag that replaces both the subgraph that is overridden and the one that overrides it', () => {
  it('keeps the override', async () => {
    const { body } = await ask(shop.url, { query: '{ books(first: 1) { inStock } }', flag: 'stale' })

    expect(body).toEqual({ data: { books: [{ inStock: 4 }] } })
  })
})

describe.each(
  FRAMEWORK_SUBGRAPHS.map((one) => ({
    ...one,
    name: one.program.name as SubgraphName,
    title: `${one.framework} on the wire${one.missing === null ? '' : ` (cannot be run here: ${one.missing})`}`,
  })),
)('$title', ({ name, missing, framework }) => {
  const facts = FRAMEWORK_FACTS[name]

  it.skipIf(missing !== null)('gives its schema with the version of federation that is documented', () => {
    const [, version = null] =
      /specs\.apollo\.dev\/federation\/(v\d+\.\d+)/.exec(shop.subgraphs[name].sdl) ?? []

    expect({ framework, version }).toEqual({
      framework: facts.framework,
      version: facts.federationVersion,
    })
  })

  it.skipIf(missing !== null)(
    'answers the router with the media type and the status that are documented',
    async () => {
      const { process } = shop.subgraphs[name]
      const valid = await process.ask({ query: '{ __typename }' })
      const invalid = await process.ask({ query: '{ ghost }' })

      expect(valid).toMatchObject({ status: 200, body: { data: { __typename: 'Query' } } })
      expect(valid.type.split(';')[0]).toBe(facts.mediaType)
      expect(invalid.status).toBe(facts.invalidStatus)
    },
  )

  it.skipIf(missing !== null)('gives the schema that is published to subgraph introspect', async () => {
    const { process, sdl } = shop.subgraphs[name]

    const { code, stdout } = await runSwitchyard(['subgraph', 'introspect', process.url], {}, '.')

    expect({ code, sdl: stdout.trim() }).toEqual({ code: 0, sdl: sdl.trim() })
  })
})

describe('clients of the router over these subgraphs', () => {
  const query = 'query ($id: ID!) { item(id: $id) { title averageStars } }'
  const data = { item: { title: 'Kite Weather', averageStars: 4.5 } }

  it('a GET is answered as a POST is', async () => {
    const parameters = new URLSearchParams({ query, variables: '{"id":"b1"}' })
    const got = await read(
      await fetch(`${shop.url}?${parameters}`, { headers: { accept: 'application/graphql-response+json' } }),
    )

    expect(got.status).toBe(200)
    expect(got.type).toMatch(/^application\/graphql-response\+json/)
    expect(got.body).toEqual({ data })
  })

  it('the media type is the one that was asked for, whatever subgraphs send', async () => {
    const request = { query, variables: { id: 'b1' } }
    const modern = await read(await post(shop.url, request, 'application/graphql-response+json'))
    const plain = await read(await post(shop.url, request, 'application/json'))

    expect([modern.type, plain.type].map((type) => type.split(';')[0])).toEqual([
      'application/graphql-response+json',
      'application/json',
    ])
    expect([modern.body, plain.body]).toEqual([{ data }, { data }])
  })

  it('an inaccessible field and a wrong variable are refused before a subgraph is asked', async () => {
    const hidden = await post(
      shop.url,
      { query: '{ me { passwordHint } }' },
      'application/graphql-response+json',
    )
    const wrong = await post(shop.url, { query }, 'application/graphql-response+json')

    expect([hidden.status, wrong.status]).toEqual([400, 400])
    expect(asked()).toEqual({})
  })
})

/** Last, since they change what is read. */
describe('mutations over five frameworks', () => {
  it('what is read after a write shows it, in whatever subgraph', async () => {
    const { body } = await ask(shop.url, {
      query: `mutation ($input: ReviewInput!) { addReview(input: $input) { id body mood stars
        author { name reviewCount } item { __typename title averageStars reviews { id } } } }`,
      variables: { input: { item: 'b2', author: 'u3', stars: 3, mood: 'CALM' } },
    })

    expect(body).toEqual({
      data: {
        addReview: {
          id: 'r4',
          body: 'No words.',
          mood: 'CALM',
          stars: 3,
          author: { name: 'Chi', reviewCount: 1 },
          item: { __typename: 'Book', title: 'Salt Roads', averageStars: 3, reviews: [{ id: 'r4' }] },
        },
      },
    })
    expect(asked()).toEqual({ reviews: 1, catalog: 1 })
  })

  it('writes to three subgraphs happen in the order in which they are written', async () => {
    const { body } = await ask(shop.url, {
      query: `mutation {
        a: renameUser(id: "u2", name: "Bob") { name }
        b: ship(book: "b3", carrier: "Posten") { id book { title parcels { id } } carrier { __typename name } }
        c: renameUser(id: "u2", name: "Bobby") { name signature }
        d: addReview(input: { item: "b3", author: "u2", stars: 1, body: "Late." }) { id author { name } item { ... on Book { parcels { id } } } }
      }`,
    })

    expect(body).toEqual({
      data: {
        a: { name: 'Bob' },
        b: {
          id: 'p3',
          book: { title: 'Untold', parcels: [{ id: 'p3' }] },
          carrier: { __typename: 'Postal', name: 'Posten' },
        },
        c: { name: 'Bobby', signature: '<bo@example.org>' },
        // gqlgen provides the name, and has the one from before.
        d: { id: 'r5', author: { name: 'Bo' }, item: { parcels: [{ id: 'p3' }] } },
      },
    })
  })

  it('a write that one framework refuses leaves those of others as they are', async () => {
    const { status, body } = await ask(shop.url, {
      query: `mutation {
        renameUser(id: "u3", name: "Chia") { name }
        ship(book: "b1", carrier: "Nobody") { id }
        addReview(input: { item: "b1", author: "u1", stars: 9 }) { id }
      }`,
    })

    expect(status).toBe(200)
    expect(body.data).toBeNull()
    expect(body.errors).toEqual([
      {
        message: 'There is no carrier "Nobody".',
        path: ['ship'],
        extensions: { code: 'NO_CARRIER', carrier: 'Nobody', serviceName: 'shipping' },
      },
    ])
    const after = await ask(shop.url, {
      query: '{ user(id: "u3") { name } item(id: "b1") { reviews { id } } }',
    })
    expect(after.body).toEqual({
      data: { user: { name: 'Chia' }, item: { reviews: [{ id: 'r1' }, { id: 'r3' }] } },
    })
  })

  it('an error of gqlgen has its place and its extensions', async () => {
    const { body } = await ask(shop.url, {
      query: 'mutation { addReview(input: { item: "b1", author: "u1", stars: 9 }) { id } }',
    })

    expect(body).toEqual({
      errors: [
        {
          message: '9 is not between 1 and 5 stars.',
          path: ['addReview'],
          extensions: { code: 'BAD_STARS', stars: 9, serviceName: 'reviews' },
        },
      ],
      data: null,
    })
  })

  it('a write is sent once, also when what is read after it is deferred', async () => {
    const parts = await allParts({
      query: 'mutation { ship(book: "b2", carrier: "Swift") { id ... @defer { book { title } } } }',
    })

    expect(mergeParts(parts)).toEqual({
      data: { ship: { id: 'p4', book: { title: 'Salt Roads' } } },
      errors: [],
    })
    const after = await ask(shop.url, { query: '{ item(id: "b2") { ... on Book { parcels { id } } } }' })
    expect(after.body).toEqual({ data: { item: { parcels: [{ id: 'p4' }] } } })
  })
})
