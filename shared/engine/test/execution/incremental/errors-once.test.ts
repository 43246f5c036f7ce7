/** Errors of what a client never gets, and of what several calls have failed at. */
import { describe, expect, it } from 'vitest'
import {
  graph,
  QUERY,
  PRODUCT,
  MAKER,
  deferred,
  later,
  id,
  books,
  PRODUCT_A,
  productFetch,
  inBooks,
  inProduct,
} from '../support/deferred-products.ts'
import { fragment, initialGroup, stream } from '../support/incremental.ts'
import { entity, field, inline, leaf, object, position, rootFetch, rootPosition } from '../support/plans.ts'
import { body, data } from '../support/run.ts'

describe('errors of fragments', () => {
  it('are not told about objects that an earlier part has made null', async () => {
    const upc = field('upc', PRODUCT, leaf(), { nonNull: true })
    const strictUpc = {
      ...books,
      shape: inBooks([id, upc, field('stock', PRODUCT, leaf('Int'), { group: 1 })]),
    }
    const run = await stream(graph, strictUpc, [
      body({
        data: {
          books: [
            { id: 'a', upc: null, stock: null },
            { id: 'b', upc: 'u', stock: 1 },
          ],
        },
        errors: [{ message: 'no stock', path: ['books', 0, 'stock'] }],
      }),
      data({ _entities: [{}] }),
    ])
    expect(run.initial[0]?.data).toEqual({ books: [null, { id: 'b', upc: 'u' }] })
    expect(run.parts).toEqual([
      {
        incremental: [{ data: { stock: 1 }, id: '1', subPath: [1] }],
        completed: [{ id: '1' }],
        pending: [],
        hasNext: false,
      },
    ])
  })

  it('are not told of an object into which the fragment around the one that selects their field was not delivered', async () => {
    const upc = { source: { slot: 2, key: 'upc' }, fetch: 2, group: 2, nonNull: true } as const
    const nested = {
      ...books,
      fetches: [rootFetch(0), productFetch(1), productFetch(2, { after: [0, 1] })],
      positions: [
        rootPosition(QUERY, 0),
        position(1, 0, 'books', PRODUCT, [inline(0, 'books'), entity(1), entity(2)]),
      ],
      groups: [initialGroup, fragment(1, 1), fragment(2, 1), fragment(3, 1, { parent: 2 })],
      shape: inBooks([id, later('stock', 1), later('inside', 3), field('upc', PRODUCT, leaf(), upc)]),
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
        completed[0]?.id,
        errorsOf(completed[0]?.errors),
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
      fetches: [1, 2].reduce((fetches, n) => [...fetches, productFetch(n)], [rootFetch(0)]),
      positions: [
        rootPosition(QUERY, 0),
        position(1, 0, 'books', PRODUCT, [inline(0, 'books'), entity(1), entity(2)]),
        position(2, 1, 'cover', MAKER, [inline(1, 'cover'), inline(2, 'cover')]),
      ],
      groups: [initialGroup, fragment(1, 1), fragment(2, 2, { parent: 1 })],
      shape: inBooks([
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
    expect(run.parts.map(({ completed }) => completed[0]?.errors?.map(({ message }) => message))).toEqual([
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
        fetches: [rootFetch(0), ...[1, 2].map((n) => productFetch(n))],
        positions: [
          rootPosition(QUERY, 0),
          position(1, 0, 'product', PRODUCT, [inline(0, 'product'), entity(1), entity(2)]),
          position(2, 1, 'badge', MAKER, [inline(1, 'badge'), inline(2, 'badge')]),
        ],
        shape: inProduct([
          id,
          field('badge', PRODUCT, object(2, MAKER, parts), {
            source: { slot: 1, key: 'badge' },
            fetch: 1,
            group: 1,
            fallbackGroups: [2],
          }),
        ]),
      },
      fragment(1, 1),
      fragment(2, 1, { completedAfter: [1] }),
    )
    const failing = body({
      data: { _entities: [{ badge: null }] },
      errors: [{ message: 'no badge', path: ['_entities', 0, 'badge'] }],
    })
    const run = await stream(graph, shared, [PRODUCT_A, failing, failing])
    expect(run.payloads.slice(1)).toEqual([
      '{"incremental":[{"data":{"badge":null},"id":"1",' +
        '"errors":[{"message":"no badge","path":["product","badge"],"extensions":{"serviceName":"b"}}]}],"completed":[{"id":"1"}],"hasNext":true}',
      '{"completed":[{"id":"2"}],"hasNext":false}',
    ])
  })

  it('are told for each call where two calls of one subgraph fail at an object in the same words', async () => {
    const twoCalls = deferred(
      {
        rootType: QUERY,
        fetches: [rootFetch(0), ...[1, 2].map((n) => productFetch(n, { group: 1 }))],
        positions: [
          rootPosition(QUERY, 0),
          position(1, 0, 'product', PRODUCT, [inline(0, 'product'), entity(1), entity(2)]),
        ],
        shape: inProduct([
          id,
          later('price', 1),
          later('stock', 1, { source: { slot: 2, key: 'stock' }, fetch: 2 }),
        ]),
      },
      fragment(1, 1),
    )
    const run = await stream(graph, twoCalls, [PRODUCT_A, data({}), data({})])
    const errorAt = (key: string) => ({
      message: 'Subgraph "b" was asked for 1 entities and sent no list of entities; what is missing is null.',
      path: ['product', key],
      extensions: { code: 'ENTITY_COUNT_MISMATCH', serviceName: 'b' },
    })
    expect(run.parts.map(({ incremental }) => incremental)).toEqual([
      [{ data: { price: null, stock: null }, id: '1', errors: [errorAt('price'), errorAt('stock')] }],
    ])
  })
})
