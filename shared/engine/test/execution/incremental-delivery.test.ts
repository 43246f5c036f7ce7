import { describe, expect, it } from 'vitest'
import type { Group, Plan, ShapeField } from '../../src/plan/plan.ts'
import { fragment, initialGroup, Stream, stream } from './support/incremental.ts'
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
  typename,
} from './support/plans.ts'
import { body, data } from './support/run.ts'
import { openShop } from './support/shop.ts'

const { graph, type } = openShop()
const QUERY = type('Query')
const PRODUCT = type('Product')
const MAKER = type('Maker')
const NODE = type('Node')

const deferred = (parts: Parameters<typeof plan>[0], ...groups: readonly Group[]): Plan =>
  plan({ ...parts, groups: [initialGroup, ...groups], deferred: true })

/** A field of `b`, which knows products by their id. */
const later = (key: string, group: number, more: Partial<Extract<ShapeField, { kind: 'field' }>> = {}) =>
  field(key, PRODUCT, leaf('Int'), { source: { slot: 1, key }, fetch: 1, group, ...more })

const id = field('id', PRODUCT, leaf('ID'))

/** `books{id cover{w} ...@defer(label:"extra"){stock cover{h}}}` */
const books = deferred(
  {
    rootType: QUERY,
    fetches: [rootFetch(0), entityFetch(1, 1, 1, [PRODUCT], 'Product', [keyField('id')], { group: 1 })],
    positions: [
      rootPosition(QUERY, 0),
      position(1, 0, 'books', PRODUCT, [inline(0, 'books'), entity(1)]),
      position(2, 1, 'cover', MAKER, [inline(0, 'cover'), inline(1, 'cover')]),
    ],
    shape: object(0, QUERY, [
      field(
        'books',
        QUERY,
        list(
          object(1, PRODUCT, [
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
        ),
      ),
    ]),
  },
  fragment(1, 1, { label: 'extra' }),
)

const TWO_BOOKS = data({
  books: [
    { id: 'a', cover: { w: 1 } },
    { id: 'b', cover: { w: 2 } },
  ],
})
const TWO_STOCKS = data({
  _entities: [
    { stock: 3, cover: { h: 9 } },
    { stock: 0, cover: { h: 8 } },
  ],
})

/** `product{id name …}`, with fragments given by the test; `b` answers fetch 1 with price and stock. */
function product(fields: readonly ShapeField[], ...groups: readonly Group[]): Plan {
  return deferred(
    {
      rootType: QUERY,
      fetches: [rootFetch(0), entityFetch(1, 1, 1, [PRODUCT], 'Product', [keyField('id')], { group: 1 })],
      positions: [
        rootPosition(QUERY, 0),
        position(1, 0, 'product', PRODUCT, [inline(0, 'product'), entity(1)]),
        position(2, 1, 'maker', MAKER, [inline(0, 'maker')]),
      ],
      shape: object(0, QUERY, [field('product', QUERY, object(1, PRODUCT, fields))]),
    },
    ...groups,
  )
}

describe('a response in parts', () => {
  it('sends one part for all items of a list, with what belongs to objects further in right after their own', async () => {
    const run = await stream(graph, books, [TWO_BOOKS, TWO_STOCKS])
    expect(run.payloads).toEqual([
      '{"data":{"books":[{"id":"a","cover":{"w":1}},{"id":"b","cover":{"w":2}}]},"pending":[{"id":"1","path":["books"],"label":"extra"}],"hasNext":true}',
      '{"incremental":[{"data":{"stock":3},"id":"1","subPath":[0]},{"data":{"h":9},"id":"1","subPath":[0,"cover"]},' +
        '{"data":{"stock":0},"id":"1","subPath":[1]},{"data":{"h":8},"id":"1","subPath":[1,"cover"]}],"completed":[{"id":"1"}],"hasNext":false}',
    ])
  })

  it('does not wait for deferred fetches, and starts them when the fragment has been announced', async () => {
    const run = new Stream(graph, books)
    await Promise.resolve()
    expect(run.requests).toEqual([0])
    run.answer(0, TWO_BOOKS)
    expect(run.initial).toHaveLength(1)
    expect(run.requests).toEqual([0, 1])
    expect(run.parts).toEqual([])
    run.answer(1, TWO_STOCKS)
    expect(run.parts).toHaveLength(1)
  })

  it('gives the caller its handle before anything is delivered', async () => {
    const nothing = deferred({
      rootType: QUERY,
      fetches: [],
      positions: [rootPosition(QUERY)],
      shape: object(0, QUERY, [{ kind: 'typename', key: '__typename', group: 0 }]),
    })
    const run = new Stream(graph, nothing)
    expect(run.initial).toEqual([])
    await Promise.resolve()
    expect(run.initial).toEqual([{ data: { __typename: 'Query' }, errors: [], pending: [], hasNext: false }])
  })

  it('is a single part when every fragment was dropped', async () => {
    const run = await stream(graph, product([id], fragment(1, 1, { live: false })), [
      data({ product: { id: 'a' } }),
    ])
    expect(run.payloads).toEqual(['{"data":{"product":{"id":"a"}},"hasNext":false}'])
  })

  it('shows an object all of whose fields are deferred as an empty one', async () => {
    const run = await stream(graph, product([later('stock', 1)], fragment(1, 1)), [
      data({ product: { id: 'a' } }),
      data({ _entities: [{ stock: 3 }] }),
    ])
    expect(run.payloads).toEqual([
      '{"data":{"product":{}},"pending":[{"id":"1","path":["product"]}],"hasNext":true}',
      '{"incremental":[{"data":{"stock":3},"id":"1"}],"completed":[{"id":"1"}],"hasNext":false}',
    ])
  })

  it('delivers fragments as they are complete, not as they are written', async () => {
    const both = {
      ...product([id, later('stock', 1), later('price', 2, { fetch: 2, source: { slot: 2, key: 'price' } })]),
      groups: [initialGroup, fragment(1, 1), fragment(2, 1)],
      fetches: [
        rootFetch(0),
        entityFetch(1, 1, 1, [PRODUCT], 'Product', [keyField('id')], { group: 1 }),
        entityFetch(2, 1, 2, [PRODUCT], 'Product', [keyField('id')], { group: 2 }),
      ],
      positions: [
        rootPosition(QUERY, 0),
        position(1, 0, 'product', PRODUCT, [inline(0, 'product'), entity(1), entity(2)]),
      ],
    }
    const answers = [
      data({ product: { id: 'a' } }),
      data({ _entities: [{ stock: 3 }] }),
      data({ _entities: [{ price: 4 }] }),
    ]
    const run = await stream(graph, both, answers, (open) => open.at(-1) ?? -1)
    expect(run.parts.map(({ completed, hasNext }) => [completed.id, hasNext])).toEqual([
      ['2', true],
      ['1', false],
    ])
  })
})

describe('what is announced', () => {
  it('announces nested fragments with the part that delivers the one around them', async () => {
    const nested = product(
      [
        id,
        field(
          'maker',
          PRODUCT,
          object(2, MAKER, [
            field('name', MAKER, leaf(), { group: 1 }),
            field('country', MAKER, leaf(), { group: 2 }),
          ]),
          { group: 1 },
        ),
      ],
      fragment(1, 1),
      fragment(2, 2, { parent: 1, label: 'inner' }),
    )
    const run = await stream(graph, nested, [
      data({ product: { id: 'a', maker: { name: 'm', country: 'c' } } }),
      data({ _entities: [{}] }),
    ])
    expect(run.payloads).toEqual([
      '{"data":{"product":{"id":"a"}},"pending":[{"id":"1","path":["product"]}],"hasNext":true}',
      '{"incremental":[{"data":{"maker":{"name":"m"}},"id":"1"}],"completed":[{"id":"1"}],"pending":[{"id":"2","path":["product","maker"],"label":"inner"}],"hasNext":true}',
      '{"incremental":[{"data":{"country":"c"},"id":"2"}],"completed":[{"id":"2"}],"hasNext":false}',
    ])
  })

  it('fetches nothing for a nested fragment before the one around it is delivered, though its keys are there', async () => {
    const priced = later('price', 2, { source: { slot: 2, key: 'price' }, fetch: 2 })
    const nested = deferred(
      {
        rootType: QUERY,
        fetches: [
          rootFetch(0),
          entityFetch(1, 1, 1, [PRODUCT], 'Product', [keyField('id')], { group: 1 }),
          entityFetch(2, 1, 2, [PRODUCT], 'Product', [keyField('id')], { group: 2 }),
        ],
        positions: [
          rootPosition(QUERY, 0),
          position(1, 0, 'product', PRODUCT, [inline(0, 'product'), entity(1), entity(2)]),
        ],
        shape: object(0, QUERY, [
          field('product', QUERY, object(1, PRODUCT, [id, later('stock', 1), priced])),
        ]),
      },
      fragment(1, 1),
      fragment(2, 1, { parent: 1 }),
    )
    const run = new Stream(graph, nested)
    await Promise.resolve()
    run.answer(0, data({ product: { id: 'a' } }))
    expect(run.requests).toEqual([0, 1])
    run.answer(1, data({ _entities: [{ stock: 3 }] }))
    expect(run.requests).toEqual([0, 1, 2])
    run.answer(2, data({ _entities: [{ price: 5 }] }))
    expect(run.payloads.at(-1)).toBe(
      '{"incremental":[{"data":{"price":5},"id":"2"}],"completed":[{"id":"2"}],"hasNext":false}',
    )
  })

  it('never announces a fragment whose object is null, and fetches nothing for it or for those nested in it', async () => {
    const nested = product(
      [id, later('stock', 1), later('price', 2)],
      fragment(1, 1),
      fragment(2, 1, { parent: 1 }),
    )
    const run = await stream(graph, nested, [data({ product: null })])
    expect(run.payloads).toEqual(['{"data":{"product":null},"hasNext":false}'])
    expect(run.requests).toEqual([0])
  })

  it('never announces a fragment whose object is null because of a field within', async () => {
    const upc = field('upc', PRODUCT, leaf(), { nonNull: true })
    const run = await stream(graph, product([id, upc, later('stock', 1)], fragment(1, 1)), [
      data({ product: { id: 'a', upc: null } }),
    ])
    expect(run.initial).toEqual([
      {
        data: { product: null },
        errors: [
          { message: 'Cannot return null for non-nullable field Product.upc.', path: ['product', 'upc'] },
        ],
        pending: [],
        hasNext: false,
      },
    ])
    expect(run.requests).toEqual([0])
  })

  it('announces nothing when the response as a whole is null', async () => {
    const root = {
      ...books,
      shape: object(0, QUERY, [
        field('x', QUERY, leaf(), { nonNull: true }),
        ...books.shape.cases.flatMap(({ fields }) => fields),
      ]),
    }
    const run = await stream(graph, root, [TWO_BOOKS])
    expect(run.initial).toMatchObject([{ data: null, pending: [], hasNext: false }])
    expect(run.requests).toEqual([0])
  })

  it('announces a fragment in an empty list, and completes it without entries', async () => {
    const run = await stream(graph, books, [data({ books: [] })])
    expect(run.payloads).toEqual([
      '{"data":{"books":[]},"pending":[{"id":"1","path":["books"],"label":"extra"}],"hasNext":true}',
      '{"completed":[{"id":"1"}],"hasNext":false}',
    ])
    expect(run.requests).toEqual([0])
  })

  it('fetches nothing for a fragment in a list whose items all lack the object it sits on', async () => {
    const onCover = { ...books, groups: [initialGroup, fragment(1, 2)] }
    const run = await stream(graph, onCover, [
      data({ books: [{ id: 'a', cover: null }, null] }),
      { kind: 'failure', code: 'SUBGRAPH_TIMEOUT', message: 'This must not be asked.' },
    ])
    expect(run.requests).toEqual([0])
    expect(run.parts).toEqual([{ incremental: [], completed: { id: '1' }, pending: [], hasNext: false }])
  })

  it('does not ask for items of a list that became null', async () => {
    const strictBooks = {
      ...books,
      shape: object(0, QUERY, [
        field(
          'books',
          QUERY,
          list(object(1, PRODUCT, [id, field('upc', PRODUCT, leaf(), { nonNull: true }), later('stock', 1)])),
        ),
      ]),
    }
    const run = await stream(graph, strictBooks, [
      data({
        books: [
          { id: 'a', upc: null },
          { id: 'b', upc: 'u' },
        ],
      }),
      data({ _entities: [{ stock: 4 }] }),
    ])
    expect(run.bodies[1]).toContain('[{"__typename":"Product","id":"b"}]')
    expect(run.parts).toEqual([
      {
        incremental: [{ data: { stock: 4 }, id: '1', subPath: [1] }],
        completed: { id: '1' },
        pending: [],
        hasNext: false,
      },
    ])
  })

  it('does not ask for items of a list at which the fragment around it failed', async () => {
    const priceOfAnother = { fetch: 2, source: { slot: 2, key: 'price' } }
    const nested = deferred(
      {
        rootType: QUERY,
        fetches: [
          rootFetch(0),
          entityFetch(1, 1, 1, [PRODUCT], 'Product', [keyField('id')], { group: 1 }),
          entityFetch(2, 1, 2, [PRODUCT], 'Product', [keyField('id')], { group: 2 }),
        ],
        positions: [
          rootPosition(QUERY, 0),
          position(1, 0, 'books', PRODUCT, [inline(0, 'books'), entity(1), entity(2)]),
        ],
        shape: object(0, QUERY, [
          field(
            'books',
            QUERY,
            list(
              object(1, PRODUCT, [
                id,
                later('stock', 1, { nonNull: true }),
                later('price', 2, priceOfAnother),
              ]),
            ),
          ),
        ]),
      },
      fragment(1, 1),
      fragment(2, 1, { parent: 1 }),
    )
    const run = await stream(graph, nested, [
      TWO_BOOKS,
      data({ _entities: [{ stock: null }, { stock: 4 }] }),
      data({ _entities: [{ price: 9 }] }),
    ])
    expect(run.bodies[2]).toContain('[{"__typename":"Product","id":"b"}]')
    expect(run.parts.at(-1)).toEqual({
      incremental: [{ data: { price: 9 }, id: '2', subPath: [1] }],
      completed: { id: '2' },
      pending: [],
      hasNext: false,
    })
  })

  it('never announces a fragment in a list that is null', async () => {
    const run = await stream(graph, books, [data({ books: null })])
    expect(run.payloads).toEqual(['{"data":{"books":null},"hasNext":false}'])
  })

  it('has no entries for items that are null', async () => {
    const run = await stream(graph, books, [
      data({ books: [null, { id: 'b', cover: null }] }),
      data({ _entities: [{ stock: 5, cover: { h: 1 } }] }),
    ])
    expect(run.parts[0]?.incremental).toEqual([{ data: { stock: 5 }, id: '1', subPath: [1] }])
  })

  const node = (listed: boolean) => {
    const shape = {
      kind: 'object' as const,
      position: 1,
      type: NODE,
      cases: [
        { types: [PRODUCT], fields: [id, field('name', PRODUCT, leaf(), { group: 1 })] },
        { types: [MAKER], fields: [id] },
      ],
    }
    return deferred(
      {
        rootType: QUERY,
        fetches: [rootFetch(0)],
        positions: [
          rootPosition(QUERY, 0),
          position(1, 0, 'node', NODE, [inline(0, 'node')], {
            objectType: null,
            typename: [{ slot: 0, key: '__typename' }],
          }),
        ],
        shape: object(0, QUERY, [field('node', QUERY, listed ? list(shape) : shape)]),
      },
      fragment(1, 1, { anchors: [{ at: 1, types: [PRODUCT] }] }),
    )
  }
  const NODE_PRODUCT = { __typename: 'Product', id: 'p', name: 'P' }
  const NODE_MAKER = { __typename: 'Maker', id: 'm' }

  it('never announces a fragment whose type condition does not hold outside lists', async () => {
    const other = await stream(graph, node(false), [data({ node: NODE_MAKER })])
    expect(other.payloads).toEqual(['{"data":{"node":{"id":"m"}},"hasNext":false}'])
    const same = await stream(graph, node(false), [data({ node: NODE_PRODUCT })])
    expect(same.parts).toMatchObject([{ incremental: [{ data: { name: 'P' } }] }])
  })

  it('has no entry for items of a list for which the type condition does not hold', async () => {
    const run = await stream(graph, node(true), [data({ node: [NODE_MAKER, NODE_PRODUCT] })])
    expect(run.parts).toMatchObject([{ incremental: [{ data: { name: 'P' }, subPath: [1] }] }])
    const none = await stream(graph, node(true), [data({ node: [NODE_MAKER] })])
    expect(none.payloads).toEqual([
      '{"data":{"node":[{"id":"m"}]},"pending":[{"id":"1","path":["node"]}],"hasNext":true}',
      '{"completed":[{"id":"1"}],"hasNext":false}',
    ])
  })
})

describe('fields that several fragments share', () => {
  /** `product{id ...@defer{stock} ...@defer{stock name}}` */
  const shared = product(
    [id, later('stock', 1, { also: [2] }), field('name', PRODUCT, leaf(), { group: 2 })],
    fragment(1, 1),
    fragment(2, 1, { holds: [1] }),
  )

  it('holds a fragment until the one that delivers what they share is complete', async () => {
    const run = new Stream(graph, shared)
    await Promise.resolve()
    run.answer(0, data({ product: { id: 'a', name: 'n' } }))
    expect(run.parts).toEqual([])
    run.answer(1, data({ _entities: [{ stock: 2 }] }))
    expect(run.parts.map(({ incremental }) => incremental)).toEqual([
      [{ data: { stock: 2 }, id: '1' }],
      [{ data: { name: 'n' }, id: '2' }],
    ])
  })

  it('takes over what was nested in one that failed', async () => {
    // `product{id ...@defer{upc maker{country ...@defer{name}}} ...@defer{maker{name}}}`
    const fields = [
      field('country', MAKER, leaf(), { group: 1 }),
      field('name', MAKER, leaf(), { group: 2, also: [3] }),
    ]
    const nested = product(
      [
        id,
        field('upc', PRODUCT, leaf(), { nonNull: true, group: 1 }),
        field('maker', PRODUCT, object(2, MAKER, fields), { group: 1, also: [3] }),
      ],
      fragment(1, 1),
      fragment(2, 2, { parent: 1 }),
      fragment(3, 1, { holds: [1, 2] }),
    )
    const run = await stream(graph, nested, [
      data({ product: { id: 'a', upc: null, maker: { country: 'c', name: 'n' } } }),
      data({ _entities: [{}] }),
    ])
    expect(run.parts.map(({ incremental, completed }) => [completed.id, incremental])).toEqual([
      ['1', []],
      ['3', [{ data: { maker: { name: 'n' } }, id: '3' }]],
    ])
  })

  it('does not wait for one that is cancelled', async () => {
    // `product{id ...@defer{maker{country ...@defer{name}}} ...@defer{maker{name}}}`
    const fields = [
      field('country', MAKER, leaf(), { group: 1 }),
      field('name', MAKER, leaf(), { group: 2, also: [3] }),
    ]
    const nested = product(
      [id, field('maker', PRODUCT, object(2, MAKER, fields), { group: 1, also: [3] }), later('stock', 3)],
      fragment(1, 1),
      fragment(2, 2, { parent: 1 }),
      fragment(3, 1, { holds: [1, 2] }),
    )
    const run = await stream(graph, nested, [
      data({ product: { id: 'a', maker: null } }),
      data({ _entities: [{ stock: 1 }] }),
    ])
    expect(run.parts).toEqual([
      {
        incremental: [{ data: { maker: null }, id: '1' }],
        completed: { id: '1' },
        pending: [],
        hasNext: true,
      },
      { incremental: [{ data: { stock: 1 }, id: '3' }], completed: { id: '3' }, pending: [], hasNext: false },
    ])
  })

  /** `product{id ...@defer{stock bad!} ...@defer{stock name} ...@defer{bad!}}`, all from `b` but the name. */
  const failing = product(
    [
      id,
      later('stock', 1, { also: [2] }),
      later('price', 1, { also: [3], nonNull: true }),
      field('name', PRODUCT, leaf(), { group: 2 }),
      field('upc', PRODUCT, leaf(), { group: 3 }),
    ],
    fragment(1, 1),
    fragment(2, 1, { holds: [1] }),
    fragment(3, 1, { holds: [1] }),
  )

  it('lets a fragment deliver what it shares with one that failed, unless that is what failed', async () => {
    const run = await stream(graph, failing, [
      data({ product: { id: 'a', name: 'n', upc: 'u' } }),
      data({ _entities: [{ stock: 2, price: null }] }),
    ])
    const violation = {
      message: 'Cannot return null for non-nullable field Product.price.',
      path: ['product', 'price'],
    }
    expect(run.parts).toEqual([
      { incremental: [], completed: { id: '1', errors: [violation] }, pending: [], hasNext: true },
      {
        incremental: [{ data: { stock: 2, name: 'n' }, id: '2' }],
        completed: { id: '2' },
        pending: [],
        hasNext: true,
      },
      { incremental: [], completed: { id: '3', errors: [violation] }, pending: [], hasNext: false },
    ])
  })

  it('tells of each object that fails in several fragments the same reason with each of them', async () => {
    const price = later('price', 1, { also: [2], nonNull: true })
    const priced = {
      ...books,
      groups: [initialGroup, fragment(1, 1), fragment(2, 1, { holds: [1] })],
      shape: object(0, QUERY, [
        field(
          'books',
          QUERY,
          list(object(1, PRODUCT, [id, price, field('name', PRODUCT, leaf(), { group: 2 })])),
        ),
      ]),
    }
    const reason = (index: number) => ({
      message: `no price of ${index}`,
      path: ['books', index, 'price'],
      extensions: { serviceName: 'b' },
    })
    const reported = [0, 1].map((index) => ({
      message: `no price of ${index}`,
      path: ['_entities', index, 'price'],
    }))
    const run = await stream(graph, priced, [
      data({
        books: [
          { id: 'a', name: 'A' },
          { id: 'b', name: 'B' },
        ],
      }),
      {
        kind: 'answer',
        status: 200,
        body: { data: { _entities: [{ price: null }, { price: null }] }, errors: reported },
      },
    ])
    expect(run.parts.map(({ completed }) => completed)).toEqual([
      { id: '1', errors: [reason(0), reason(1)] },
      { id: '2', errors: [reason(0), reason(1)] },
    ])
  })
})

describe('errors of fragments', () => {
  const nullable = product([id, later('stock', 1)], fragment(1, 1))
  const strict = product([id, later('price', 1, { nonNull: true })], fragment(1, 1))
  const PRODUCT_A = data({ product: { id: 'a' } })

  it('go with the object that contains their path', async () => {
    const run = await stream(graph, books, [
      TWO_BOOKS,
      {
        kind: 'answer',
        status: 200,
        body: {
          data: {
            _entities: [
              { stock: 3, cover: { h: 1 } },
              { stock: null, cover: { h: null } },
            ],
          },
          errors: [
            { message: 'no height', path: ['_entities', 1, 'cover', 'h'] },
            { message: 'no stock', path: ['_entities', 1, 'stock'] },
          ],
        },
      },
    ])
    const extensions = { serviceName: 'b' }
    expect(run.initial[0]?.errors).toEqual([])
    expect(run.parts[0]?.completed).toEqual({ id: '1' })
    expect(run.parts[0]?.incremental.map(({ errors }) => errors)).toEqual([
      undefined,
      undefined,
      [{ message: 'no stock', path: ['books', 1, 'stock'], extensions }],
      [{ message: 'no height', path: ['books', 1, 'cover', 'h'], extensions }],
    ])
  })

  it('go with the fragment even where their fields were fetched with what was first', async () => {
    const early = product([id, field('name', PRODUCT, leaf(), { group: 1 })], fragment(1, 1))
    const run = await stream(
      graph,
      {
        ...early,
        fetches: [rootFetch(0)],
        positions: [rootPosition(QUERY, 0), position(1, 0, 'product', PRODUCT, [inline(0, 'product')])],
      },
      [
        {
          kind: 'answer',
          status: 200,
          body: {
            data: { product: { id: 'a', name: null } },
            errors: [{ message: 'no name', path: ['product', 'name'] }],
          },
        },
      ],
    )
    expect(run.initial[0]?.errors).toEqual([])
    expect(run.parts).toMatchObject([
      {
        incremental: [{ data: { name: null }, errors: [{ path: ['product', 'name'] }] }],
        completed: { id: '1' },
      },
    ])
  })

  it('are told with the object when a subgraph fails as a whole', async () => {
    const failure = { kind: 'failure' as const, code: 'SUBGRAPH_UNREACHABLE', message: 'b is away' }
    const run = await stream(graph, nullable, [PRODUCT_A, failure])
    const error = {
      message: 'b is away',
      path: ['product'],
      extensions: { code: 'SUBGRAPH_UNREACHABLE', serviceName: 'b' },
    }
    expect(run.parts).toEqual([
      {
        incremental: [{ data: { stock: null }, id: '1', errors: [error] }],
        completed: { id: '1' },
        pending: [],
        hasNext: false,
      },
    ])
    const failed = await stream(graph, strict, [PRODUCT_A, failure])
    expect(failed.parts).toEqual([
      { incremental: [], completed: { id: '1', errors: [error] }, pending: [], hasNext: false },
    ])
  })

  it('go with every object of a list when what failed was fetched for all of them', async () => {
    const run = await stream(graph, books, [
      TWO_BOOKS,
      { kind: 'failure', code: 'SUBGRAPH_UNREACHABLE', message: 'b is away' },
    ])
    expect(run.parts[0]?.completed).toEqual({ id: '1' })
    expect(
      run.parts[0]?.incremental.map(({ subPath, errors }) => [subPath, errors?.map(({ path }) => path)]),
    ).toEqual([
      [[0], [['books', 0]]],
      [[0, 'cover'], undefined],
      [[1], [['books', 1]]],
      [[1, 'cover'], undefined],
    ])
  })

  it('are not told about objects that an earlier part has made null', async () => {
    const upc = field('upc', PRODUCT, leaf(), { nonNull: true })
    const strictUpc = {
      ...books,
      shape: object(0, QUERY, [
        field(
          'books',
          QUERY,
          list(object(1, PRODUCT, [id, upc, field('stock', PRODUCT, leaf('Int'), { group: 1 })])),
        ),
      ]),
    }
    const run = await stream(graph, strictUpc, [
      {
        kind: 'answer',
        status: 200,
        body: {
          data: {
            books: [
              { id: 'a', upc: null, stock: null },
              { id: 'b', upc: 'u', stock: 1 },
            ],
          },
          errors: [{ message: 'no stock', path: ['books', 0, 'stock'] }],
        },
      },
      data({ _entities: [{}] }),
    ])
    expect(run.initial[0]?.data).toEqual({ books: [null, { id: 'b', upc: 'u' }] })
    expect(run.parts).toEqual([
      {
        incremental: [{ data: { stock: 1 }, id: '1', subPath: [1] }],
        completed: { id: '1' },
        pending: [],
        hasNext: false,
      },
    ])
  })

  it('are told at once where the subgraph made something null that is not deferred', async () => {
    const early = {
      ...books,
      fetches: [rootFetch(0)],
      positions: [rootPosition(QUERY, 0), position(1, 0, 'books', PRODUCT, [inline(0, 'books')])],
      shape: object(0, QUERY, [
        field('books', QUERY, list(object(1, PRODUCT, [field('name', PRODUCT, leaf(), { group: 1 })]))),
      ]),
    }
    const errors = [{ message: 'no name', path: ['books', 1, 'name'] }]
    const run = await stream(graph, early, [
      { kind: 'answer', status: 200, body: { data: { books: null }, errors } },
    ])
    expect(run.initial).toMatchObject([{ data: { books: null }, errors, pending: [], hasNext: false }])
  })

  it('are told with the first part that lacks something, where a subgraph nulls its part of an object', async () => {
    const ofCover = (key: string, more: Partial<Extract<ShapeField, { kind: 'field' }>> = {}) =>
      field(key, MAKER, leaf('Int'), { source: { slot: 1, key }, fetch: 1, ...more })
    const split = deferred(
      {
        rootType: QUERY,
        fetches: [rootFetch(0), entityFetch(1, 1, 1, [PRODUCT], 'Product', [keyField('id')])],
        positions: [
          rootPosition(QUERY, 0),
          position(1, 0, 'product', PRODUCT, [inline(0, 'product'), entity(1)]),
          position(2, 1, 'cover', MAKER, [inline(0, 'cover'), inline(1, 'cover')]),
        ],
        shape: object(0, QUERY, [
          field(
            'product',
            QUERY,
            object(1, PRODUCT, [
              field(
                'cover',
                PRODUCT,
                object(2, MAKER, [
                  field('w', MAKER, leaf('Int')),
                  ofCover('h'),
                  ofCover('d', { nonNull: true, group: 1 }),
                ]),
              ),
            ]),
          ),
        ]),
      },
      fragment(1, 2),
    )
    const run = await stream(graph, split, [
      data({ product: { id: 'a', cover: { w: 1 } } }),
      body({
        data: { _entities: [{ cover: null }] },
        errors: [{ message: 'no d', path: ['_entities', 0, 'cover', 'd'] }],
      }),
    ])
    expect(run.payloads).toEqual([
      '{"errors":[{"message":"no d","path":["product","cover","d"],"extensions":{"serviceName":"b"}}],' +
        '"data":{"product":{"cover":{"w":1,"h":null}}},"pending":[{"id":"1","path":["product","cover"]}],"hasNext":true}',
      '{"completed":[{"id":"1","errors":[{"message":"Cannot return null for non-nullable field Maker.d.","path":["product","cover","d"]}]}],"hasNext":false}',
    ])
  })

  it('are told where something is null because a call that others waited for has failed, though it was made for a fragment that never comes', async () => {
    const chain = deferred(
      {
        rootType: QUERY,
        fetches: [
          rootFetch(0),
          entityFetch(1, 1, 1, [PRODUCT], 'Product', [keyField('id')], { group: 1 }),
          entityFetch(2, 1, 2, [PRODUCT], 'Product', [keyField('upc', 'upc', 1)], {
            group: 1,
            after: [0, 1],
          }),
        ],
        positions: [
          rootPosition(QUERY, 0),
          position(1, 0, 'product', PRODUCT, [inline(0, 'product'), entity(1), entity(2)]),
          position(2, 1, 'maker', MAKER, [inline(2, 'maker'), inline(1, 'maker')]),
        ],
        shape: object(0, QUERY, [
          field(
            'product',
            QUERY,
            object(1, PRODUCT, [
              id,
              field(
                'maker',
                PRODUCT,
                object(2, MAKER, [
                  field('name', MAKER, leaf(), { source: { slot: 1, key: 'name' }, fetch: 1, group: 2 }),
                ]),
                { source: { slot: 2, key: 'maker' }, fetch: 2, group: 1 },
              ),
            ]),
          ),
        ]),
      },
      fragment(1, 1),
      fragment(2, 2, { parent: 1 }),
    )
    const run = await stream(graph, chain, [
      PRODUCT_A,
      { kind: 'failure', code: 'SUBGRAPH_TIMEOUT', message: 'No answer came in time.' },
    ])
    expect(run.payloads.slice(1)).toEqual([
      '{"incremental":[{"data":{"maker":null},"id":"1",' +
        '"errors":[{"message":"No answer came in time.","path":["product"],"extensions":{"code":"SUBGRAPH_TIMEOUT","serviceName":"b"}}]}],' +
        '"completed":[{"id":"1"}],"hasNext":false}',
    ])
  })

  it('are told with the object where the call that failed should have told its type', async () => {
    const typed = deferred(
      {
        rootType: QUERY,
        fetches: [rootFetch(0), entityFetch(1, 1, 1, [NODE], 'Node', [keyField('id')])],
        positions: [
          rootPosition(QUERY, 0),
          position(1, 0, 'node', NODE, [inline(0, 'node'), entity(1)], {
            objectType: null,
            typename: [{ slot: 1, key: '__typename' }],
          }),
        ],
        shape: object(0, QUERY, [field('node', QUERY, object(1, NODE, [id, typename(), later('stock', 1)]))]),
      },
      fragment(1, 1),
    )
    const run = await stream(graph, typed, [
      data({ node: { id: 'a' } }),
      { kind: 'failure', code: 'SUBGRAPH_TIMEOUT', message: 'No answer came in time.' },
    ])
    expect(run.payloads).toEqual([
      '{"errors":[{"message":"No answer came in time.","path":["node"],"extensions":{"code":"SUBGRAPH_TIMEOUT","serviceName":"b"}}],' +
        '"data":{"node":null},"hasNext":false}',
    ])
  })

  it('are not told of an object into which the fragment around the one that selects their field was not delivered', async () => {
    const upc = { source: { slot: 2, key: 'upc' }, fetch: 2, group: 2, nonNull: true } as const
    const nested = {
      ...books,
      fetches: [
        rootFetch(0),
        entityFetch(1, 1, 1, [PRODUCT], 'Product', [keyField('id')], { group: 1 }),
        entityFetch(2, 1, 2, [PRODUCT], 'Product', [keyField('id')], { group: 2, after: [0, 1] }),
      ],
      positions: [
        rootPosition(QUERY, 0),
        position(1, 0, 'books', PRODUCT, [inline(0, 'books'), entity(1), entity(2)]),
      ],
      groups: [initialGroup, fragment(1, 1), fragment(2, 1), fragment(3, 1, { parent: 2 })],
      shape: object(0, QUERY, [
        field(
          'books',
          QUERY,
          list(
            object(1, PRODUCT, [
              id,
              later('stock', 1),
              later('inside', 3),
              field('upc', PRODUCT, leaf(), upc),
            ]),
          ),
        ),
      ]),
    }
    const run = await stream(graph, nested, [
      data({ books: [{ id: 'a' }, { id: 'b' }] }),
      body({
        data: {
          _entities: [
            { stock: null, inside: null },
            { stock: 1, inside: 2 },
          ],
        },
        errors: ['stock', 'inside'].map((key) => ({ message: `no ${key}`, path: ['_entities', 0, key] })),
      }),
      body({
        data: { _entities: [null, { upc: 'u' }] },
        errors: [{ message: 'no upc', path: ['_entities', 0, 'upc'] }],
      }),
    ])
    const errorsOf = (...errors: readonly (readonly { readonly message: string }[] | undefined)[]) =>
      errors.flatMap((some = []) => some.map(({ message }) => message))
    expect(
      run.parts.map(({ incremental, completed }) => [
        completed.id,
        errorsOf(completed.errors),
        ...incremental.map(({ subPath, errors }) => [subPath, errorsOf(errors)]),
      ]),
    ).toEqual([
      ['1', [], [[0], ['no stock']], [[1], []]],
      ['2', ['no upc'], [[1], []]],
      ['3', [], [[1], []]],
    ])
  })

  it('are not told of an object that the call for the fragment around did not give', async () => {
    const nested = {
      ...books,
      fetches: [1, 2].reduce(
        (fetches, n) => [
          ...fetches,
          entityFetch(n, 1, n, [PRODUCT], 'Product', [keyField('id')], { group: n }),
        ],
        [rootFetch(0)],
      ),
      positions: [
        rootPosition(QUERY, 0),
        position(1, 0, 'books', PRODUCT, [inline(0, 'books'), entity(1), entity(2)]),
        position(2, 1, 'cover', MAKER, [inline(1, 'cover'), inline(2, 'cover')]),
      ],
      groups: [initialGroup, fragment(1, 1), fragment(2, 2, { parent: 1 })],
      shape: object(0, QUERY, [
        field(
          'books',
          QUERY,
          list(
            object(1, PRODUCT, [
              id,
              field(
                'cover',
                PRODUCT,
                object(2, MAKER, [
                  field('w', MAKER, leaf('Int'), { source: { slot: 1, key: 'w' }, fetch: 2, group: 2 }),
                ]),
                { source: { slot: 1, key: 'cover' }, fetch: 1, group: 1 },
              ),
              later('stock', 1, { nonNull: true }),
            ]),
          ),
        ),
      ]),
    }
    const run = await stream(graph, nested, [
      data({ books: [{ id: 'a' }, { id: 'b' }] }),
      body({
        data: { _entities: [{ cover: {}, stock: 1 }, null] },
        errors: [{ message: 'no stock', path: ['_entities', 1, 'stock'] }],
      }),
      body({
        data: { _entities: [{ cover: { w: 1 } }, { cover: null }] },
        errors: [{ message: 'no width', path: ['_entities', 1, 'cover', 'w'] }],
      }),
    ])
    expect(run.parts.map(({ completed }) => completed.errors?.map(({ message }) => message))).toEqual([
      ['no stock'],
      undefined,
    ])
    expect(run.parts[1]?.incremental).toEqual([{ data: { w: 1 }, id: '2', subPath: [0, 'cover'] }])
  })

  it('are told once where the calls for two fragments fail at an object that both select', async () => {
    const parts = [1, 2].map((n) =>
      field(`f${n}`, MAKER, leaf('Int'), { source: { slot: n - 1, key: `f${n}` }, fetch: n, group: n }),
    )
    const shared = deferred(
      {
        rootType: QUERY,
        fetches: [
          rootFetch(0),
          ...[1, 2].map((n) => entityFetch(n, 1, n, [PRODUCT], 'Product', [keyField('id')], { group: n })),
        ],
        positions: [
          rootPosition(QUERY, 0),
          position(1, 0, 'product', PRODUCT, [inline(0, 'product'), entity(1), entity(2)]),
          position(2, 1, 'badge', MAKER, [inline(1, 'badge'), inline(2, 'badge')]),
        ],
        shape: object(0, QUERY, [
          field(
            'product',
            QUERY,
            object(1, PRODUCT, [
              id,
              field('badge', PRODUCT, object(2, MAKER, parts), {
                source: { slot: 1, key: 'badge' },
                fetch: 1,
                group: 1,
                also: [2],
              }),
            ]),
          ),
        ]),
      },
      fragment(1, 1),
      fragment(2, 1, { holds: [1] }),
    )
    const failing = body({
      data: { _entities: [{ badge: null }] },
      errors: [{ message: 'no badge', path: ['_entities', 0, 'badge'] }],
    })
    const run = await stream(graph, shared, [data({ product: { id: 'a' } }), failing, failing])
    expect(run.payloads.slice(1)).toEqual([
      '{"incremental":[{"data":{"badge":null},"id":"1",' +
        '"errors":[{"message":"no badge","path":["product","badge"],"extensions":{"serviceName":"b"}}]}],"completed":[{"id":"1"}],"hasNext":true}',
      '{"completed":[{"id":"2"}],"hasNext":false}',
    ])
  })

  it('say why a fragment is not delivered when null reaches its object', async () => {
    const run = await stream(graph, strict, [PRODUCT_A, data({ _entities: [{ price: null }] })])
    expect(run.payloads[1]).toBe(
      '{"completed":[{"id":"1","errors":[{"message":"Cannot return null for non-nullable field Product.price.","path":["product","price"]}]}],"hasNext":false}',
    )
  })

  it('say so again where another part has told the cause', async () => {
    const both = product([id, later('stock', 0), later('price', 1, { nonNull: true })], fragment(1, 1))
    const run = await stream(
      graph,
      { ...both, fetches: both.fetches.map((fetch) => ({ ...fetch, group: 0 })) },
      [PRODUCT_A, { kind: 'failure', code: 'SUBGRAPH_UNREACHABLE', message: 'b is away' }],
    )
    expect(run.initial[0]?.errors).toMatchObject([{ message: 'b is away' }])
    expect(run.parts).toEqual([
      {
        incremental: [],
        completed: {
          id: '1',
          errors: [
            {
              message: 'Cannot return null for non-nullable field Product.price.',
              path: ['product', 'price'],
            },
          ],
        },
        pending: [],
        hasNext: false,
      },
    ])
  })

  it('take out only the item of a list whose object null reaches', async () => {
    const strictBooks = {
      ...books,
      shape: object(0, QUERY, [
        field('books', QUERY, list(object(1, PRODUCT, [id, later('stock', 1, { nonNull: true })]))),
      ]),
    }
    const run = await stream(graph, strictBooks, [
      TWO_BOOKS,
      data({ _entities: [{ stock: null }, { stock: 4 }] }),
    ])
    expect(run.parts).toEqual([
      {
        incremental: [{ data: { stock: 4 }, id: '1', subPath: [1] }],
        completed: {
          id: '1',
          errors: [
            {
              message: 'Cannot return null for non-nullable field Product.stock.',
              path: ['books', 0, 'stock'],
            },
          ],
        },
        pending: [],
        hasNext: false,
      },
    ])
  })

  it('take out the fragment when null reaches an object that was delivered before', async () => {
    const deep = product(
      [
        id,
        field('name', PRODUCT, leaf(), { group: 1 }),
        field(
          'maker',
          PRODUCT,
          object(2, MAKER, [
            field('country', MAKER, leaf()),
            field('name', MAKER, leaf(), { nonNull: true, group: 1 }),
          ]),
        ),
      ],
      fragment(1, 1),
    )
    const run = await stream(graph, deep, [
      data({ product: { id: 'a', name: 'n', maker: { country: 'c', name: null } } }),
      data({ _entities: [{}] }),
    ])
    expect(run.initial[0]?.data).toEqual({ product: { id: 'a', maker: { country: 'c' } } })
    expect(run.parts[0]?.incremental).toEqual([])
    expect(run.parts[0]?.completed.errors).toEqual([
      {
        message: 'Cannot return null for non-nullable field Maker.name.',
        path: ['product', 'maker', 'name'],
      },
    ])
  })

  it('cancel without a word what is nested in an object that is null', async () => {
    const nested = product(
      [
        id,
        field(
          'maker',
          PRODUCT,
          object(2, MAKER, [
            field('name', MAKER, leaf(), { nonNull: true, group: 1 }),
            field('country', MAKER, leaf(), { group: 2 }),
          ]),
          { group: 1 },
        ),
      ],
      fragment(1, 1),
      fragment(2, 2, { parent: 1 }),
    )
    const run = await stream(graph, nested, [
      data({ product: { id: 'a', maker: { name: null, country: 'c' } } }),
      data({ _entities: [{}] }),
    ])
    expect(run.parts).toMatchObject([
      {
        incremental: [{ data: { maker: null }, errors: [{ path: ['product', 'maker', 'name'] }] }],
        completed: { id: '1' },
        pending: [],
        hasNext: false,
      },
    ])
  })

  it('cancel without a word what is nested in a fragment that failed, and leave those beside it alone', async () => {
    const nested = product(
      [
        id,
        later('price', 1, { nonNull: true }),
        later('stock', 2),
        field('name', PRODUCT, leaf(), { group: 3 }),
      ],
      fragment(1, 1),
      fragment(2, 1, { parent: 1 }),
      fragment(3, 1),
    )
    const run = await stream(graph, nested, [
      data({ product: { id: 'a', name: 'n' } }),
      data({ _entities: [{ price: null, stock: 1 }] }),
    ])
    expect(run.parts.map(({ completed, pending, hasNext }) => [completed.id, pending, hasNext])).toEqual([
      ['3', [], true],
      ['1', [], false],
    ])
  })
})

describe('a stream that is not read', () => {
  it('delivers nothing while it is paused, and all that has come when it goes on', async () => {
    const run = new Stream(graph, books)
    await Promise.resolve()
    run.answer(0, TWO_BOOKS)
    run.execution.pause()
    run.answer(1, TWO_STOCKS)
    expect(run.parts).toEqual([])
    run.execution.resume()
    expect(run.parts).toHaveLength(1)
  })

  it('starts no fetch of another fragment while it is paused', async () => {
    const run = new Stream(graph, books, ({ execution }) => execution.pause())
    await Promise.resolve()
    run.answer(0, TWO_BOOKS)
    expect(run.initial).toHaveLength(1)
    expect(run.requests).toEqual([0])
    run.execution.resume()
    expect(run.requests).toEqual([0, 1])
  })

  it('ends when it is aborted: nothing is started or delivered any more', async () => {
    const run = new Stream(graph, books, ({ execution }) => execution.abort())
    await Promise.resolve()
    run.answer(0, TWO_BOOKS)
    expect(run.initial).toHaveLength(1)
    expect(run.requests).toEqual([0])
    const controller = new AbortController()
    const other = new Stream(graph, books, () => {}, controller.signal)
    await Promise.resolve()
    other.answer(0, TWO_BOOKS)
    controller.abort()
    other.answer(1, TWO_STOCKS)
    expect(other.parts).toEqual([])
  })
})
