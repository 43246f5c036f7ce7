/** Plans of operations on two graphs: what counts as another plan, and where comparing ends. */
import { compose } from '@switchyard/composition'
import { compileSupergraph, type Graph, openGraph } from '@switchyard/engine'
import { expect, it, describe } from 'vitest'
import { comparePlans } from '../src/plans/compare-plans.ts'

const PRODUCTS = 'type Query { product: Product } type Product @key(fields: "id") { id: ID! name: String }'
const STOCK = 'type Query { depot: Int } type Product @key(fields: "id") { id: ID! inStock: Int }'

function graphOf(subgraphs: Readonly<Record<string, string>>): Graph {
  const composed = compose({
    subgraphs: Object.entries(subgraphs).map(([name, sdl]) => ({
      name,
      routingUrl: `http://${name}.test/`,
      sdl,
    })),
    allowUnenforcedAuthorization: false,
  })
  if (composed.kind === 'failed') throw new Error(JSON.stringify(composed.errors))
  return openGraph(compileSupergraph(composed.supergraphSdl))
}

function compare(from: Graph, to: Graph, documents: readonly string[], maxCpuMs?: number) {
  const operations = documents.map((document) => ({ name: document, document, operationName: null }))
  return comparePlans(
    from,
    to,
    { operations, origin: 'of the test' },
    {
      defer: false,
      signal: new AbortController().signal,
      onProgress: () => undefined,
      ...(maxCpuMs === undefined ? {} : { maxCpuMs }),
    },
  )
}

describe('plans on two graphs', () => {
  it('are the same if the graphs differ in nothing that the operation asks for', async () => {
    const from = graphOf({ products: PRODUCTS, stock: STOCK })
    const to = graphOf({ products: PRODUCTS, stock: STOCK.replace('depot: Int', 'depot: Int more: Int') })
    expect(await compare(from, to, ['{ product { name inStock } }'])).toMatchObject({
      operations: 1,
      unchanged: 1,
      changes: [],
    })
  })

  it('are compared for subscriptions as well', async () => {
    const events = 'type Subscription { changed: Product } '
    const from = graphOf({ products: `${events}${PRODUCTS}`, stock: STOCK })
    const to = graphOf({ products: `${events}${PRODUCTS}`, depot: STOCK })
    const { changes } = await compare(from, to, ['subscription { changed { inStock } }'])
    expect(changes).toMatchObject([{ removed: [{ subgraph: 'stock' }], added: [{ subgraph: 'depot' }] }])
  })

  it('differ by the calls that went and those that came, each as often as it is made', async () => {
    const from = graphOf({ products: PRODUCTS, stock: STOCK })
    const to = graphOf({ products: PRODUCTS, depot: STOCK })
    const { changes } = await compare(from, to, ['{ product { inStock } depot }'])
    expect(changes).toMatchObject([
      {
        status: 'changed',
        conditions: {},
        removed: [{ subgraph: 'stock' }, { subgraph: 'stock' }],
        added: [{ subgraph: 'depot' }, { subgraph: 'depot' }],
      },
    ])
  })

  it('are told for both values of variables that choose among plans', async () => {
    const from = graphOf({ products: PRODUCTS, stock: STOCK })
    const to = graphOf({ products: PRODUCTS, depot: STOCK })
    const document = 'query ($a: Boolean!) { product { name inStock @skip(if: $a) } }'
    const { changes, unchanged } = await compare(from, to, [document])
    expect(changes.map(({ conditions }) => conditions)).toEqual([{ a: false }])
    expect(unchanged).toBe(0)
  })

  it('are left out and counted when comparing them takes too much', async () => {
    const graph = graphOf({ products: PRODUCTS, stock: STOCK })
    const documents = Array.from({ length: 300 }, (_, index) => `{ a${index}: product { name inStock } }`)
    const { operations, unchanged, notCompared } = await compare(graph, graph, documents, 1)
    expect(notCompared).toBeGreaterThan(0)
    expect([operations + notCompared, unchanged]).toEqual([300, operations])
  })
})
