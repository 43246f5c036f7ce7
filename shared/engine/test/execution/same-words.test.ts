import { describe, expect, it } from 'vitest'
import { fragment, initialGroup, stream } from './support/incremental.ts'
import {
  entity,
  entityFetch,
  field,
  inline,
  keyField,
  leaf,
  object,
  plan,
  position,
  rootFetch,
  rootPosition,
} from './support/plans.ts'
import { data } from './support/run.ts'
import { openShop } from './support/shop.ts'

const { graph, type } = openShop()
const QUERY = type('Query')
const PRODUCT = type('Product')

/** `product{id ...@defer{price stock}}`: one subgraph is asked for the price and, in another call, for the stock. */
const twoCalls = plan({
  rootType: QUERY,
  fetches: [
    rootFetch(0),
    ...[1, 2].map((n) => entityFetch(n, 1, n, [PRODUCT], 'Product', [keyField('id')], { group: 1 })),
  ],
  positions: [
    rootPosition(QUERY, 0),
    position(1, 0, 'product', PRODUCT, [inline(0, 'product'), entity(1), entity(2)]),
  ],
  shape: object(0, QUERY, [
    field(
      'product',
      QUERY,
      object(1, PRODUCT, [
        field('id', PRODUCT, leaf('ID')),
        field('price', PRODUCT, leaf('Int'), { source: { slot: 1, key: 'price' }, fetch: 1, group: 1 }),
        field('stock', PRODUCT, leaf('Int'), { source: { slot: 2, key: 'stock' }, fetch: 2, group: 1 }),
      ]),
    ),
  ]),
  groups: [initialGroup, fragment(1, 1)],
  deferred: true,
})

describe('two calls of one subgraph', () => {
  it('that fail in the same words, for the same object, are two errors: one for each', async () => {
    const run = await stream(graph, twoCalls, [data({ product: { id: 'a' } }), data({}), data({})])
    const error = {
      message: 'Subgraph "b" was asked for 1 entities and sent no list of entities; what is missing is null.',
      path: ['product'],
      extensions: { code: 'ENTITY_COUNT_MISMATCH', serviceName: 'b' },
    }
    expect(run.parts.map(({ incremental }) => incremental)).toEqual([
      [{ data: { price: null, stock: null }, id: '1', errors: [error, error] }],
    ])
  })
})
