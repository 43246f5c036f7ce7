/** What subgraphs, clients and results see of answers that are compared, over HTTP. */
import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { post, until } from '../support/router.ts'
import { shadowing, shadowWorld } from '../support/shadow-world.ts'

const QUERY = { query: 'query Products { topProducts { upc name price } }' }

function priced(price: number) {
  return { data: { topProducts: [{ upc: '1', name: 'Table', price }] } }
}

describe('a compared answer', () => {
  it('is the one of base, and a difference of the flag is found', async () => {
    await using shop = await shadowWorld()
    shop.next.answer = () => priced(6)
    for (let index = 0; index < 20; index++) {
      const reply = await post(shop.router, QUERY)
      expect(reply.json).toEqual(priced(5))
      expect(reply.headers['x-feature-flag']).toBeUndefined()
    }
    const { operations, differences, noise, rollout, flag } = await shop.results(20)
    expect({ rollout, flag, noise }).toEqual({ rollout: 'compare', flag: 'next', noise: [] })
    expect(differences).toMatchObject([
      {
        operation: 'Products',
        path: 'topProducts.*.price',
        cause: 'value',
        base: { type: 'number' },
        flag: { type: 'number' },
      },
    ])
    expect(differences[0]?.base).not.toHaveProperty('value')
    expect(operations).toMatchObject([{ operation: 'Products', equal: 0 }])
    const [first] = operations
    expect(differences[0]?.count).toBe(first?.different)
  })

  it('is not called different where base differs from itself', async () => {
    await using shop = await shadowWorld()
    let price = 0
    shop.products.answer = () => priced(price++)
    shop.next.answer = () => ({
      data: { topProducts: [{ upc: '1', name: 'Chair', price: price++ }] },
    })
    for (let index = 0; index < 10; index++) await post(shop.router, QUERY)
    const { differences, noise } = await shop.results(10)
    expect(noise).toEqual([{ operation: 'Products', path: 'topProducts.*.price' }])
    expect(differences.map(({ path }) => path)).toEqual(['topProducts.*.name'])
  })

  it('tells values if the settings say so', async () => {
    await using shop = await shadowWorld([shadowing()], 'shadow: { keep_values: true }')
    shop.next.answer = () => priced(6)
    await post(shop.router, QUERY)
    const { differences } = await shop.results(1)
    expect(differences).toMatchObject([{ base: { value: '5' }, flag: { value: '6' } }])
  })

  it('costs subgraphs one marked call, and one of base now and then', async () => {
    await using shop = await shadowWorld()
    const settings = { authorization: 'Bearer x', 'x-switchyard-shadow': 'client' }
    await post(shop.router, QUERY, settings)
    await shop.results(1)
    expect(shop.next.calls.map(({ headers }) => headers['x-switchyard-shadow'])).toEqual(['true'])
    expect(shop.products.calls.map(({ headers }) => headers['x-switchyard-shadow'])).toEqual([
      undefined,
      'true',
    ])
    expect(shop.next.calls[0]?.headers['x-request-id']).toBe(shop.products.calls[0]?.headers['x-request-id'])
    expect(shop.next.calls[0]?.headers['authorization']).toBeUndefined()
  })

  it('is equal but for the order of a list that was declared unordered', async () => {
    const items = [
      { upc: '1', name: 'a', price: 1 },
      { upc: '2', name: 'b', price: 2 },
    ]
    await using shop = await shadowWorld([shadowing({ shadow: { unordered: ['topProducts'] } })])
    shop.products.answer = () => ({ data: { topProducts: items } })
    shop.next.answer = () => ({ data: { topProducts: items.toReversed() } })
    await post(shop.router, QUERY)
    const { operations, differences } = await shop.results(1)
    expect(operations).toMatchObject([{ reordered: 1, different: 0 }])
    expect(differences).toEqual([])
  })
})

describe('subgraphs that may not be called once more', () => {
  const REVIEWS = {
    query: 'query Reviews { topProducts { upc name reviews { id body } } }',
  }
  const reviewed = { data: { _entities: [{ __typename: 'Product', reviews: [{ id: 'r', body: 'good' }] }] } }
  const keyed = (upc: string) => ({ data: { topProducts: [{ __typename: 'Product', upc, name: 'Table' }] } })

  it('are fed with what they answered base', async () => {
    await using shop = await shadowWorld()
    shop.products.answer = () => keyed('1')
    shop.next.answer = () => keyed('1')
    shop.reviews.answer = () => reviewed
    const reply = await post(shop.router, REVIEWS)
    expect(reply.json.errors).toBeUndefined()
    const { operations } = await shop.results(1)
    expect(operations).toMatchObject([{ compared: 1, equal: 1 }])
    expect(shop.reviews.calls).toHaveLength(1)
  })

  it('make a sample incomparable where they would be asked for something else', async () => {
    await using shop = await shadowWorld()
    shop.products.answer = () => keyed('1')
    shop.next.answer = () => keyed('2')
    shop.reviews.answer = () => reviewed
    await post(shop.router, REVIEWS)
    const { operations, differences } = await shop.results(1)
    expect(operations).toMatchObject([{ compared: 0, notComparable: { 'not-recorded': 1 } }])
    expect(differences).toEqual([])
    expect(shop.reviews.calls).toHaveLength(1)
  })

  it('are called where the rollout lists them', async () => {
    await using shop = await shadowWorld([shadowing({ shadow: { subgraphs: ['products', 'reviews'] } })])
    shop.products.answer = () => keyed('1')
    shop.next.answer = () => keyed('2')
    shop.reviews.answer = () => reviewed
    await post(shop.router, REVIEWS)
    const { differences } = await shop.results(1)
    expect(differences.map(({ path }) => path)).toEqual(['topProducts.*.upc'])
    expect(shop.reviews.calls.length).toBeGreaterThan(1)
  })

  it('are none if the list is empty: nothing is ever called twice', async () => {
    await using shop = await shadowWorld([shadowing({ shadow: { subgraphs: [] } })])
    await post(shop.router, QUERY)
    const { operations } = await shop.results(1)
    expect(operations).toMatchObject([{ notComparable: { 'not-recorded': 1 } }])
    expect(shop.next.calls).toEqual([])
  })
})

describe('requests that are not compared', () => {
  it.each([
    ['mutations', { query: 'mutation { rename(upc: "1", name: "x") { upc name } }' }, {}],
    ['requests that name a flag', QUERY, { 'x-feature-flag': 'next' }],
    ['requests that name an unknown flag', QUERY, { 'x-feature-flag': 'gone' }],
    ['introspections', { query: '{ __schema { queryType { name } } }' }, {}],
    [
      'deferred ones',
      { query: '{ topProducts { upc ... @defer { reviews { id } } } }' },
      { accept: 'multipart/mixed' },
    ],
  ])('are %s', async (_name, body, headers) => {
    await using shop = await shadowWorld([shadowing()], 'engine: { enable_defer: true }')
    await post(shop.router, body, headers)
    await post(shop.router, QUERY)
    const { operations, dropped } = await shop.results(1)
    expect(operations.map(({ operation }) => operation)).toEqual(['Products'])
    expect(dropped).toBe(0)
    const marked = [shop.products, shop.next, shop.reviews]
      .flatMap(({ calls }) => calls)
      .filter((call) => call.headers['x-switchyard-shadow'] === 'true')
    expect(marked.filter(({ query }) => query.startsWith('mutation'))).toEqual([])
    expect(marked).toHaveLength(2)
  })

  it('are operations that the rollout does not name', async () => {
    await using shop = await shadowWorld([shadowing({ shadow: { operations: ['Products'] } })])
    await post(shop.router, { query: 'query Other { version }' })
    await post(shop.router, QUERY)
    expect((await shop.results(1)).operations.map(({ operation }) => operation)).toEqual(['Products'])
  })

  it('are those that join another one', async () => {
    await using shop = await shadowWorld()
    const waiting: ServerResponse[] = []
    shop.products.answer = (_call, response) => void waiting.push(response)
    const both = [post(shop.router, QUERY), post(shop.router, QUERY)]
    await until(() => waiting.length === 1 && shop.router.activeRequests() === 2, 'both are in flight')
    shop.products.answer = () => priced(5)
    waiting[0]?.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(priced(5)))
    for (const reply of await Promise.all(both)) expect(reply.json).toEqual(priced(5))
    expect((await shop.results(1)).operations).toMatchObject([{ compared: 1 }])
    expect(shop.next.calls).toHaveLength(1)
  })
})
