/** What becomes of a fragment that null takes out, and of those in it. */
import { describe, expect, it } from 'vitest'
import {
  graph,
  PRODUCT,
  MAKER,
  later,
  id,
  books,
  TWO_BOOKS,
  product,
  PRODUCT_A,
  inBooks,
  UNREACHABLE,
} from '../support/deferred-products.ts'
import { fragment, stream } from '../support/incremental.ts'
import { field, leaf, object } from '../support/plans.ts'
import { data } from '../support/run.ts'

describe('fragments that fail', () => {
  const strict = product([id, later('price', 1, { nonNull: true })], fragment(1, 1))

  it('say why a fragment is not delivered when null reaches its object', async () => {
    const run = await stream(graph, strict, [PRODUCT_A, data({ _entities: [{ price: null }] })])
    expect(run.payloads[1]).toBe(
      '{"completed":[{"id":"1","errors":[{"message":"Cannot return null for non-nullable field Product.price.","path":["product","price"],"extensions":{"code":"SUBGRAPH_INVALID_VALUE","serviceName":"b"}}]}],"hasNext":false}',
    )
  })

  describe('whose fetch is for the initial result, too', () => {
    const both = product([id, later('stock', 0), later('price', 1, { nonNull: true })], fragment(1, 1))
    const shared = { ...both, fetches: both.fetches.map((fetch) => ({ ...fetch, group: 0 })) }
    const failed = (message: string, code: string) => [
      {
        incremental: [],
        completed: [
          {
            id: '1',
            errors: [{ message, path: ['product', 'price'], extensions: { code, serviceName: 'b' } }],
          },
        ],
        pending: [],
        hasNext: false,
      },
    ]

    it('tell a lost call at their own field, as the initial result does', async () => {
      const run = await stream(graph, shared, [PRODUCT_A, UNREACHABLE])
      expect(run.initial[0]?.errors).toMatchObject([{ message: 'b is away', path: ['product', 'stock'] }])
      expect(run.parts).toEqual(failed('b is away', 'SUBGRAPH_UNREACHABLE'))
    })

    it('say so again where another part has told the cause', async () => {
      const reply = { data: { _entities: [null] }, errors: [{ message: 'lost it', path: ['_entities', 0] }] }
      const run = await stream(graph, shared, [PRODUCT_A, { kind: 'answer', status: 200, body: reply }])
      expect(run.initial[0]?.errors).toMatchObject([{ message: 'lost it', path: ['product'] }])
      expect(run.parts).toEqual(
        failed('Cannot return null for non-nullable field Product.price.', 'SUBGRAPH_INVALID_VALUE'),
      )
    })
  })

  it('take out only the item of a list whose object null reaches', async () => {
    const strictBooks = {
      ...books,
      shape: inBooks([id, later('stock', 1, { nonNull: true })]),
    }
    const run = await stream(graph, strictBooks, [
      TWO_BOOKS,
      data({ _entities: [{ stock: null }, { stock: 4 }] }),
    ])
    expect(run.parts).toEqual([
      {
        incremental: [{ data: { stock: 4 }, id: '1', subPath: [1] }],
        completed: [
          {
            id: '1',
            errors: [
              {
                message: 'Cannot return null for non-nullable field Product.stock.',
                path: ['books', 0, 'stock'],
                extensions: { code: 'SUBGRAPH_INVALID_VALUE', serviceName: 'b' },
              },
            ],
          },
        ],
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
    expect(run.parts[0]?.completed[0]?.errors).toEqual([
      {
        message: 'Cannot return null for non-nullable field Maker.name.',
        path: ['product', 'maker', 'name'],
        extensions: { code: 'SUBGRAPH_INVALID_VALUE', serviceName: 'a' },
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
        completed: [{ id: '1' }],
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
    expect(run.parts.map(({ completed, pending, hasNext }) => [completed[0]?.id, pending, hasNext])).toEqual([
      ['3', [], true],
      ['1', [], false],
    ])
  })
})
