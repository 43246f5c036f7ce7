import { compose } from '@switchyard/composition'
import { InProcessSubgraph } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { secondOpinion, type SecondOpinionOptions } from '../src/index.ts'

const FED2 =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.7", import: ["@key", "@override", "@shareable"])\n'

const SUBGRAPHS = [
  new InProcessSubgraph({
    name: 'Product-Data',
    sdl: `${FED2}
      type Query { product(id: ID!): Product }
      type Product @key(fields: "id") { id: ID! price: Int }`,
    resolvers: {
      Query: { product: (_: unknown, { id }: { id: string }) => ({ id, price: 10 }) },
    },
  }),
  new InProcessSubgraph({
    name: 'prices.v2',
    sdl: `${FED2}
      type Product @key(fields: "id") { id: ID! price: Int @override(from: "Product-Data", label: "moved") stock: Int! }`,
    resolvers: {
      Product: { __resolveReference: ({ id }: { id: string }) => ({ id, price: 20, stock: 3 }) },
    },
  }),
]

function supergraphSdl(): string {
  const composed = compose({
    subgraphs: SUBGRAPHS.map(({ name, sdl }) => ({ name, sdl, routingUrl: `http://${name}.test/` })),
  })
  if (composed.kind === 'failed') throw new Error(JSON.stringify(composed.errors))
  return composed.supergraphSdl
}

const ask: SecondOpinionOptions['execute'] = async (subgraph, { document, variables }) => {
  const server = SUBGRAPHS.find(({ name }) => name === subgraph)
  if (server === undefined) throw new Error(`no subgraph is called ${subgraph}`)
  return (await server.execute(JSON.stringify({ query: document, variables }))).body
}

const QUERY = 'query Q($id: ID!) { product(id: $id) { __typename price stock } }\nquery Other { __typename }'

describe('a second opinion', () => {
  it('asks subgraphs by the names people gave them', async () => {
    const witness = await secondOpinion({ supergraphSdl: supergraphSdl(), execute: ask })
    expect(await witness.execute({ query: QUERY, operationName: 'Q', variables: { id: '1' } })).toEqual({
      data: { product: { __typename: 'Product', price: 10, stock: 3 } },
      errors: [],
    })
  })

  it('stitches subgraphs that each return the same value type from a field with @requires', async () => {
    const money = 'type Money @shareable { amount: Int! }'
    const link = FED2.replace('"@key"', '"@key", "@external", "@requires"')
    const costOf = (name: string, field: string, factor: number) =>
      new InProcessSubgraph({
        name,
        sdl: `${link} ${money} type Product @key(fields: "id") { id: ID! weight: Int @external ${field}: Money! @requires(fields: "weight") }`,
        resolvers: {
          Product: {
            __resolveReference: ({ weight }: { weight: number }) => ({
              [field]: { amount: weight * factor },
            }),
          },
        },
      })
    const subgraphs = [
      new InProcessSubgraph({
        name: 'products',
        sdl: `${link} type Query { product: Product } type Product @key(fields: "id") { id: ID! weight: Int }`,
        resolvers: { Query: { product: () => ({ id: '1', weight: 3 }) } },
      }),
      costOf('shipping', 'shipping', 2),
      costOf('storage', 'storage', 5),
    ]
    const composed = compose({
      subgraphs: subgraphs.map(({ name, sdl }) => ({ name, sdl, routingUrl: `http://${name}.test/` })),
    })
    if (composed.kind === 'failed') throw new Error(JSON.stringify(composed.errors))

    const witness = await secondOpinion({
      supergraphSdl: composed.supergraphSdl,
      execute: async (name, { document, variables }) => {
        const server = subgraphs.find((subgraph) => subgraph.name === name)
        return (await server?.execute(JSON.stringify({ query: document, variables })))?.body
      },
    })

    const answer = await witness.execute({ query: '{ product { shipping { amount } storage { amount } } }' })
    expect(answer).toEqual({
      data: { product: { shipping: { amount: 6 }, storage: { amount: 15 } } },
      errors: [],
    })
  })

  it('follows the active labels of progressive overrides', async () => {
    const labels = new Set(['moved'])
    const witness = await secondOpinion({ supergraphSdl: supergraphSdl(), execute: ask, labels })
    const answer = await witness.execute({ query: QUERY, operationName: 'Q', variables: { id: '1' } })
    expect(answer.data).toEqual({ product: { __typename: 'Product', price: 20, stock: 3 } })
  })

  it('turns a failed call into errors, not into a failure of its own', async () => {
    const witness = await secondOpinion({
      supergraphSdl: supergraphSdl(),
      execute: async (subgraph, question) => {
        if (subgraph === 'prices.v2') throw new Error('unreachable')
        return await ask(subgraph, question)
      },
    })
    const answer = await witness.execute({ query: QUERY, operationName: 'Q', variables: { id: '1' } })
    expect(answer.data).toEqual({ product: null })
    expect(answer.errors).toContainEqual(expect.objectContaining({ path: ['product', 'stock'] }))
  })

  it('takes an answer that is no object for an error', async () => {
    const witness = await secondOpinion({ supergraphSdl: supergraphSdl(), execute: async () => 'busy' })
    const answer = await witness.execute({ query: '{ product(id: 1) { price } }' })
    expect(answer.data).toEqual({ product: null })
    expect(answer.errors[0]?.message).toContain('did not answer with a GraphQL response')
  })

  it('has none on an operation that the stitched schema does not know', async () => {
    const witness = await secondOpinion({ supergraphSdl: supergraphSdl(), execute: ask })
    await expect(witness.execute({ query: '{ nothing }' })).rejects.toMatchObject({
      code: 'OPINION_REFUSED',
      message: expect.stringContaining('Cannot query field "nothing"'),
    })
  })

  it.each(['type Query { a: Int }', 'type Query {'])('has none on %j', async (sdl) => {
    await expect(secondOpinion({ supergraphSdl: sdl, execute: ask })).rejects.toMatchObject({
      code: 'OPINION_NOT_STITCHABLE',
    })
  })
})
