/**
 * Products with deferred fields, as plans written by hand: `a` gives the objects, `b` more of their fields by
 * the id.
 */
import type { SubgraphReply } from '../../../src/execution/contract/subgraph-calls.ts'
import type { Fetch, DeliveryGroup, Plan, ShapeField } from '../../../src/plan/contract/plan.ts'
import { fragment, initialGroup } from './incremental.ts'
import {
  entity,
  entityFetch,
  field,
  inline,
  keyField,
  leaf,
  list,
  object,
  plan,
  position,
  rootFetch,
  rootPosition,
  type Written,
} from './plans.ts'
import { data } from './run.ts'
import { openShop } from './shop.ts'

const shop = openShop()
export const { graph } = shop
export const QUERY = shop.type('Query')
export const PRODUCT = shop.type('Product')
export const MAKER = shop.type('Maker')
export const NODE = shop.type('Node')

export const deferred = (
  parts: Parameters<typeof plan>[0],
  ...groups: readonly Written<DeliveryGroup>[]
): Plan => plan({ ...parts, groups: [initialGroup, ...groups], deferred: true })

/** Asks `b` for the n-th fragment. */
export const productFetch = (n: number, more: Partial<Written<Fetch>> = {}): Fetch =>
  entityFetch(n, 1, n, [PRODUCT], 'Product', [keyField('id')], { group: n, ...more })

/** A field of `b`, which knows products by their id. */
export const later = (
  key: string,
  group: number,
  more: Partial<Written<Extract<ShapeField, { kind: 'field' }>>> = {},
) => field(key, PRODUCT, leaf('Int'), { source: { slot: 1, key }, fetch: 1, group, ...more })

export const id = field('id', PRODUCT, leaf('ID'))

export const inProduct = (fields: readonly Written<ShapeField>[]) =>
  object(0, QUERY, [field('product', QUERY, object(1, PRODUCT, fields))])

export const inBooks = (fields: readonly Written<ShapeField>[]) =>
  object(0, QUERY, [field('books', QUERY, list(object(1, PRODUCT, fields)))])

/** `product{id name …}`, with fragments given by the test; `b` answers fetch 1 with price and stock. */
export function product(
  fields: readonly Written<ShapeField>[],
  ...groups: readonly Written<DeliveryGroup>[]
): Plan {
  return deferred(
    {
      rootType: QUERY,
      fetches: [rootFetch(0), productFetch(1)],
      positions: [
        rootPosition(QUERY, 0),
        position(1, 0, 'product', PRODUCT, [inline(0, 'product'), entity(1)]),
        position(2, 1, 'maker', MAKER, [inline(0, 'maker')]),
      ],
      shape: inProduct(fields),
    },
    ...groups,
  )
}

/** `books{id cover{w} ...@defer(label:"extra"){stock cover{h}}}` */
export const books = deferred(
  {
    rootType: QUERY,
    fetches: [rootFetch(0), productFetch(1)],
    positions: [
      rootPosition(QUERY, 0),
      position(1, 0, 'books', PRODUCT, [inline(0, 'books'), entity(1)]),
      position(2, 1, 'cover', MAKER, [inline(0, 'cover'), inline(1, 'cover')]),
    ],
    shape: inBooks([
      id,
      field(
        'cover',
        PRODUCT,
        object(2, MAKER, [
          field('w', MAKER, leaf('Int')),
          field('h', MAKER, leaf('Int'), { source: { slot: 1, key: 'h' }, fetch: 1, group: 1 }),
        ]),
      ),
      later('stock', 1),
    ]),
  },
  fragment(1, 1, { label: 'extra' }),
)

export const PRODUCT_A = data({ product: { id: 'a' } })
export const TWO_BOOKS = data({
  books: [
    { id: 'a', cover: { w: 1 } },
    { id: 'b', cover: { w: 2 } },
  ],
})
export const TWO_STOCKS = data({
  _entities: [
    { stock: 3, cover: { h: 9 } },
    { stock: 0, cover: { h: 8 } },
  ],
})
export const TIMEOUT: SubgraphReply = {
  kind: 'failure',
  code: 'SUBGRAPH_TIMEOUT',
  message: 'No answer came in time.',
}
export const UNREACHABLE: SubgraphReply = {
  kind: 'failure',
  code: 'SUBGRAPH_UNREACHABLE',
  message: 'b is away',
}
