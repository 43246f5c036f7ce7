import { describe, expect, it, onTestFinished } from 'vitest'
import { DEMO_SERVERS, startSubgraph } from '../src/subgraphs.ts'
import type { DemoServerName } from '../src/subgraphs.ts'

async function ask(name: DemoServerName, query: string, variables: object = {}): Promise<unknown> {
  const server = await startSubgraph(name, '127.0.0.1', 0)
  onTestFinished(() => server[Symbol.asyncDispose]())
  const response = await fetch(server.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  return response.json()
}

const ENTITIES = (selection: string) =>
  `query ($r: [_Any!]!) { _entities(representations: $r) { ${selection} } }`

describe('the subgraphs of the demo', () => {
  it.each(DEMO_SERVERS)('%s serves its schema', async (name) => {
    expect(await ask(name, '{ _service { sdl } }')).toMatchObject({
      data: { _service: { sdl: expect.stringContaining('type Query') } },
    })
  })

  it('estimate shipping from what the router brings along', async () => {
    const light = { __typename: 'Product', upc: 'stove', price: 5900, weight: 95 }
    const expensive = { ...light, price: 24900 }
    const query = ENTITIES('... on Product { inStock shippingEstimate }')
    expect(await ask('inventory', query, { r: [light, expensive, { ...light, upc: 'none' }] })).toEqual({
      data: {
        _entities: [{ inStock: 3, shippingEstimate: 48 }, { inStock: 3, shippingEstimate: 0 }, null],
      },
    })
  })

  it('price products lower in the feature subgraph only', async () => {
    const query = '{ product(upc: "tarp") { price } }'
    expect(await ask('products', query)).toEqual({ data: { product: { price: 8900 } } })
    expect(await ask('products-next', query)).toEqual({ data: { product: { price: 8010 } } })
  })

  it('find products and categories, with media of several kinds', async () => {
    const query =
      '{ search(term: "sh") { __typename ... on Category { products { media { __typename url } } } } }'
    const shelter = { __typename: 'Category', products: [{ media: [{}, {}] }, { media: [{}, {}] }] }
    expect(await ask('products', query)).toMatchObject({ data: { search: [shelter] } })
  })

  it('answer errors for what is no GraphQL and for what the shop refuses', async () => {
    expect(await ask('accounts', '{ me { ')).toMatchObject({ errors: [{ message: /Syntax Error/ }] })
    expect(await ask('accounts', '{ you }')).toMatchObject({ errors: [{ message: /Cannot query field/ }] })
    const add = 'mutation { addReview(upc: "tarp", authorId: "u1", rating: 9, body: "!") { id } }'
    expect(await ask('reviews', add)).toMatchObject({ errors: [{ message: 'A rating is from 1 to 5.' }] })
  })

  it('keep a review that was added', async () => {
    const add =
      'mutation { addReview(upc: "tarp", authorId: "u2", rating: 4, body: "Dry.") { id author { username } } }'
    expect(await ask('reviews', add)).toEqual({
      data: { addReview: { id: 'r6', author: { username: 'bruno' } } },
    })
  })
})
