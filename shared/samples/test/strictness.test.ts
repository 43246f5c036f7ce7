/** What sample subgraphs refuse, and that they agree. */
import { compose } from '@switchyard/composition'
import { describe, expect, it } from 'vitest'
import { sampleSubgraphs } from '../src/index.ts'

const FED2 =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.7", import: ["@key", "@external", "@requires", "@provides", "@shareable", "@override"])\n'

const SDL = {
  goods: `${FED2}
    type Query { goods: [Product!]! }
    type Product @key(fields: "upc") @key(fields: "maker { id } number") {
      upc: ID! maker: Maker! number: Int! weight(unit: Unit = G): Float price: Int label: String @shareable
    }
    type Maker @key(fields: "id") { id: ID! }
    enum Unit { G KG }`,
  post: `${FED2}
    type Query { parcels: [Product!]! @provides(fields: "label") }
    type Product @key(fields: "maker { id } number") {
      maker: Maker! number: Int! weight(unit: Unit = G): Float @external
      postage: Int @requires(fields: "weight(unit: KG)") label: String @external
      price: Int @override(from: "goods", label: "moved")
    }
    type Maker @key(fields: "id") { id: ID! }
    enum Unit { G KG }`,
}

function subgraphs(labels: readonly string[] = []) {
  const composed = compose({
    subgraphs: Object.entries(SDL).map(([name, sdl]) => ({ name, sdl, routingUrl: `http://${name}.test/` })),
  })
  if (composed.kind === 'failed') throw new Error(JSON.stringify(composed.errors))
  const { supergraphSdl } = composed
  return sampleSubgraphs({ supergraphSdl, labels: new Set(labels) })
}

type Json = Readonly<Record<string, unknown>>

const ENTITIES = (fields: string) =>
  `query ($r: [_Any!]!) { _entities(representations: $r) { ... on Product { ${fields} } } }`

async function entity(subgraph: 'goods' | 'post', fields: string, key: Json, labels?: readonly string[]) {
  const variables = { r: [{ __typename: 'Product', ...key }] }
  const { data, errors } = await subgraphs(labels).ask(subgraph, { query: ENTITIES(fields), variables })
  const [found] = (data?.['_entities'] ?? []) as Json[]
  return { found: found ?? null, errors: (errors ?? []).map(({ message }) => message) }
}

const KEYS = 'upc number maker { id }'

async function everyProduct(): Promise<readonly Json[]> {
  const found = new Map<unknown, Json>()
  for (let number = 0; number < 5; number++) {
    const { found: product } = await entity('goods', `${KEYS} kilos: weight(unit: KG)`, {
      upc: `Product#${number}.upc`,
    })
    if (product !== null) found.set(product['upc'], product)
  }
  return [...found.values()]
}

describe('sample subgraphs', () => {
  it('know an entity by each of its keys', async () => {
    const products = await everyProduct()
    expect(products).toHaveLength(5)
    for (const { upc, number, maker } of products)
      expect((await entity('goods', KEYS, { number, maker })).found).toEqual({ upc, number, maker })
  })

  it('have nothing for a key that nobody has, and refuse half a key', async () => {
    expect(await entity('goods', 'upc', { upc: 'nobody' })).toEqual({ found: null, errors: [] })
    expect((await entity('goods', 'upc', { number: 1 })).errors[0]).toContain('holds no whole key')
  })

  it('compute from the inputs that they are sent', async () => {
    const [product] = await everyProduct()
    const { upc: _upc, kilos, ...key } = product ?? {}
    const right = await entity('post', 'postage', { ...key, weight: kilos })
    expect(right.errors).toEqual([])
    const wrong = await entity('post', 'postage', { ...key, weight: 1e9 })
    expect(wrong.found).not.toEqual(right.found)
    expect((await entity('post', 'postage', key)).errors[0]).toContain('weight was not sent')
  })

  it('give an external field only where the path provides it', async () => {
    const [product] = await everyProduct()
    const { upc: _upc, kilos: _kilos, ...key } = product ?? {}
    expect((await entity('post', 'label', key)).errors[0]).toContain('external')
    const { data, errors } = await subgraphs().ask('post', { query: '{ parcels { number label } }' })
    expect(errors).toBeUndefined()
    expect(data?.['parcels']).toEqual(
      expect.arrayContaining([expect.objectContaining({ number: expect.any(Number) })]),
    )
  })

  it('answer an overridden field from one side, as its label says', async () => {
    const key = { upc: 'Product#1.upc' }
    expect((await entity('goods', 'price', key)).errors).toEqual([])
    expect((await entity('goods', 'price', key, ['moved'])).errors[0]).toContain('overridden')
  })
})
