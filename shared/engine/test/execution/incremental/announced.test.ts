import { describe, expect, it } from 'vitest'
import {
  graph,
  QUERY,
  PRODUCT,
  MAKER,
  NODE,
  deferred,
  later,
  id,
  books,
  TWO_BOOKS,
  product,
  PRODUCT_A,
  productFetch,
  inBooks,
  inProduct,
} from '../support/deferred-products.ts'
import { fragment, initialGroup, Stream, stream } from '../support/incremental.ts'
import {
  entity,
  field,
  inline,
  leaf,
  list,
  object,
  position,
  rootFetch,
  rootPosition,
} from '../support/plans.ts'
import { data } from '../support/run.ts'

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
        fetches: [rootFetch(0), productFetch(1), productFetch(2)],
        positions: [
          rootPosition(QUERY, 0),
          position(1, 0, 'product', PRODUCT, [inline(0, 'product'), entity(1), entity(2)]),
        ],
        shape: inProduct([id, later('stock', 1), priced]),
      },
      fragment(1, 1),
      fragment(2, 1, { parent: 1 }),
    )
    const run = new Stream(graph, nested)
    await Promise.resolve()
    run.answer(0, PRODUCT_A)
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
          {
            message: 'Cannot return null for non-nullable field Product.upc.',
            path: ['product', 'upc'],
            extensions: { code: 'SUBGRAPH_INVALID_VALUE', serviceName: 'a' },
          },
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
    expect(run.parts).toEqual([{ incremental: [], completed: [{ id: '1' }], pending: [], hasNext: false }])
  })

  it('does not ask for items of a list that became null', async () => {
    const strictBooks = {
      ...books,
      shape: inBooks([id, field('upc', PRODUCT, leaf(), { nonNull: true }), later('stock', 1)]),
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
        completed: [{ id: '1' }],
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
        fetches: [rootFetch(0), productFetch(1), productFetch(2)],
        positions: [
          rootPosition(QUERY, 0),
          position(1, 0, 'books', PRODUCT, [inline(0, 'books'), entity(1), entity(2)]),
        ],
        shape: inBooks([id, later('stock', 1, { nonNull: true }), later('price', 2, priceOfAnother)]),
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
      completed: [{ id: '2' }],
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
