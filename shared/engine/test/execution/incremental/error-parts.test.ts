/** Which part tells of an error. */
import { describe, expect, it } from 'vitest'
import type { ShapeField } from '../../../src/plan/contract/plan.ts'
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
  TIMEOUT,
  UNREACHABLE,
} from '../support/deferred-products.ts'
import { fragment, stream } from '../support/incremental.ts'
import {
  entity,
  entityFetch,
  field,
  inline,
  keyField,
  leaf,
  object,
  position,
  rootFetch,
  rootPosition,
  typename,
  type Written,
} from '../support/plans.ts'
import { body, data } from '../support/run.ts'

describe('errors of fragments', () => {
  const nullable = product([id, later('stock', 1)], fragment(1, 1))
  const strict = product([id, later('price', 1, { nonNull: true })], fragment(1, 1))

  it('go with the object that contains their path', async () => {
    const run = await stream(graph, books, [
      TWO_BOOKS,
      body({
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
      }),
    ])
    const extensions = { serviceName: 'b' }
    expect(run.initial[0]?.errors).toEqual([])
    expect(run.parts[0]?.completed).toEqual([{ id: '1' }])
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
        body({
          data: { product: { id: 'a', name: null } },
          errors: [{ message: 'no name', path: ['product', 'name'] }],
        }),
      ],
    )
    expect(run.initial[0]?.errors).toEqual([])
    expect(run.parts).toMatchObject([
      {
        incremental: [{ data: { name: null }, errors: [{ path: ['product', 'name'] }] }],
        completed: [{ id: '1' }],
      },
    ])
  })

  it('are told at the field when a subgraph fails as a whole', async () => {
    const run = await stream(graph, nullable, [PRODUCT_A, UNREACHABLE])
    const error = {
      message: 'b is away',
      path: ['product', 'stock'],
      extensions: { code: 'SUBGRAPH_UNREACHABLE', serviceName: 'b' },
    }
    expect(run.parts).toEqual([
      {
        incremental: [{ data: { stock: null }, id: '1', errors: [error] }],
        completed: [{ id: '1' }],
        pending: [],
        hasNext: false,
      },
    ])
    const failed = await stream(graph, strict, [PRODUCT_A, UNREACHABLE])
    expect(failed.parts).toEqual([
      {
        incremental: [],
        completed: [{ id: '1', errors: [{ ...error, path: ['product', 'price'] }] }],
        pending: [],
        hasNext: false,
      },
    ])
  })

  it('go with every object of a list when what failed was fetched for all of them', async () => {
    const run = await stream(graph, books, [TWO_BOOKS, UNREACHABLE])
    expect(run.parts[0]?.completed).toEqual([{ id: '1' }])
    expect(
      run.parts[0]?.incremental.map(({ subPath, errors }) => [subPath, errors?.map(({ path }) => path)]),
    ).toEqual([
      [[0], [['books', 0, 'stock']]],
      [[0, 'cover'], [['books', 0, 'cover', 'h']]],
      [[1], [['books', 1, 'stock']]],
      [[1, 'cover'], [['books', 1, 'cover', 'h']]],
    ])
  })

  it('are told at once where the subgraph made something null that is not deferred', async () => {
    const early = {
      ...books,
      fetches: [rootFetch(0)],
      positions: [rootPosition(QUERY, 0), position(1, 0, 'books', PRODUCT, [inline(0, 'books')])],
      shape: inBooks([field('name', PRODUCT, leaf(), { group: 1 })]),
    }
    const errors = [{ message: 'no name', path: ['books', 1, 'name'] }]
    const run = await stream(graph, early, [body({ data: { books: null }, errors })])
    expect(run.initial).toMatchObject([{ data: { books: null }, errors, pending: [], hasNext: false }])
  })

  it('are told with the first part that lacks something, where a subgraph nulls its part of an object', async () => {
    const ofCover = (key: string, more: Partial<Written<Extract<ShapeField, { kind: 'field' }>>> = {}) =>
      field(key, MAKER, leaf('Int'), { source: { slot: 1, key }, fetch: 1, ...more })
    const split = deferred(
      {
        rootType: QUERY,
        fetches: [rootFetch(0), productFetch(1, { group: 0 })],
        positions: [
          rootPosition(QUERY, 0),
          position(1, 0, 'product', PRODUCT, [inline(0, 'product'), entity(1)]),
          position(2, 1, 'cover', MAKER, [inline(0, 'cover'), inline(1, 'cover')]),
        ],
        shape: inProduct([
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
      '{"completed":[{"id":"1","errors":[{"message":"Cannot return null for non-nullable field Maker.d.","path":["product","cover","d"],"extensions":{"code":"SUBGRAPH_INVALID_VALUE","serviceName":"b"}}]}],"hasNext":false}',
    ])
  })

  it('are told where something is null because a call that others waited for has failed, though it was made for a fragment that never comes', async () => {
    const chain = deferred(
      {
        rootType: QUERY,
        fetches: [
          rootFetch(0),
          productFetch(1),
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
        shape: inProduct([
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
      },
      fragment(1, 1),
      fragment(2, 2, { parent: 1 }),
    )
    const run = await stream(graph, chain, [PRODUCT_A, TIMEOUT])
    expect(run.payloads.slice(1)).toEqual([
      '{"incremental":[{"data":{"maker":null},"id":"1",' +
        '"errors":[{"message":"No answer came in time.","path":["product","maker"],"extensions":{"code":"SUBGRAPH_TIMEOUT","serviceName":"b"}}]}],' +
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
    const run = await stream(graph, typed, [data({ node: { id: 'a' } }), TIMEOUT])
    expect(run.payloads).toEqual([
      '{"errors":[{"message":"No answer came in time.","path":["node"],"extensions":{"code":"SUBGRAPH_TIMEOUT","serviceName":"b"}}],' +
        '"data":{"node":null},"hasNext":false}',
    ])
  })
})
