import { describe, expect, it } from 'vitest'
import { graph, PRODUCT, MAKER, later, id, books, product, inBooks } from '../support/deferred-products.ts'
import { fragment, initialGroup, Stream, stream } from '../support/incremental.ts'
import { field, leaf, object } from '../support/plans.ts'
import { body, data } from '../support/run.ts'

describe('fields that several fragments share', () => {
  /** `product{id ...@defer{stock} ...@defer{stock name}}` */
  const shared = product(
    [id, later('stock', 1, { fallbackGroups: [2] }), field('name', PRODUCT, leaf(), { group: 2 })],
    fragment(1, 1),
    fragment(2, 1, { completedAfter: [1] }),
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
      field('name', MAKER, leaf(), { group: 2, fallbackGroups: [3] }),
    ]
    const nested = product(
      [
        id,
        field('upc', PRODUCT, leaf(), { nonNull: true, group: 1 }),
        field('maker', PRODUCT, object(2, MAKER, fields), { group: 1, fallbackGroups: [3] }),
      ],
      fragment(1, 1),
      fragment(2, 2, { parent: 1 }),
      fragment(3, 1, { completedAfter: [1, 2] }),
    )
    const run = await stream(graph, nested, [
      data({ product: { id: 'a', upc: null, maker: { country: 'c', name: 'n' } } }),
      data({ _entities: [{}] }),
    ])
    expect(run.parts.map(({ incremental, completed }) => [completed[0]?.id, incremental])).toEqual([
      ['1', []],
      ['3', [{ data: { maker: { name: 'n' } }, id: '3' }]],
    ])
  })

  it('does not wait for one that is cancelled', async () => {
    // `product{id ...@defer{maker{country ...@defer{name}}} ...@defer{maker{name}}}`
    const fields = [
      field('country', MAKER, leaf(), { group: 1 }),
      field('name', MAKER, leaf(), { group: 2, fallbackGroups: [3] }),
    ]
    const nested = product(
      [
        id,
        field('maker', PRODUCT, object(2, MAKER, fields), { group: 1, fallbackGroups: [3] }),
        later('stock', 3),
      ],
      fragment(1, 1),
      fragment(2, 2, { parent: 1 }),
      fragment(3, 1, { completedAfter: [1, 2] }),
    )
    const run = await stream(graph, nested, [
      data({ product: { id: 'a', maker: null } }),
      data({ _entities: [{ stock: 1 }] }),
    ])
    expect(run.parts).toEqual([
      {
        incremental: [{ data: { maker: null }, id: '1' }],
        completed: [{ id: '1' }],
        pending: [],
        hasNext: true,
      },
      {
        incremental: [{ data: { stock: 1 }, id: '3' }],
        completed: [{ id: '3' }],
        pending: [],
        hasNext: false,
      },
    ])
  })

  /** `product{id ...@defer{stock bad!} ...@defer{stock name} ...@defer{bad!}}`, all from `b` but the name. */
  const failing = product(
    [
      id,
      later('stock', 1, { fallbackGroups: [2] }),
      later('price', 1, { fallbackGroups: [3], nonNull: true }),
      field('name', PRODUCT, leaf(), { group: 2 }),
      field('upc', PRODUCT, leaf(), { group: 3 }),
    ],
    fragment(1, 1),
    fragment(2, 1, { completedAfter: [1] }),
    fragment(3, 1, { completedAfter: [1] }),
  )

  it('lets a fragment deliver what it shares with one that failed, unless that is what failed', async () => {
    const run = await stream(graph, failing, [
      data({ product: { id: 'a', name: 'n', upc: 'u' } }),
      data({ _entities: [{ stock: 2, price: null }] }),
    ])
    const violation = {
      message: 'Cannot return null for non-nullable field Product.price.',
      path: ['product', 'price'],
      extensions: { code: 'SUBGRAPH_INVALID_VALUE', serviceName: 'b' },
    }
    expect(run.parts).toEqual([
      { incremental: [], completed: [{ id: '1', errors: [violation] }], pending: [], hasNext: true },
      {
        incremental: [{ data: { stock: 2, name: 'n' }, id: '2' }],
        completed: [{ id: '2' }],
        pending: [],
        hasNext: true,
      },
      { incremental: [], completed: [{ id: '3', errors: [violation] }], pending: [], hasNext: false },
    ])
  })

  it('tells of each object that fails in several fragments the same reason with each of them', async () => {
    const price = later('price', 1, { fallbackGroups: [2], nonNull: true })
    const priced = {
      ...books,
      groups: [initialGroup, fragment(1, 1), fragment(2, 1, { completedAfter: [1] })],
      shape: inBooks([id, price, field('name', PRODUCT, leaf(), { group: 2 })]),
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
      body({ data: { _entities: [{ price: null }, { price: null }] }, errors: reported }),
    ])
    expect(run.parts.flatMap(({ completed }) => completed)).toEqual([
      { id: '1', errors: [reason(0), reason(1)] },
      { id: '2', errors: [reason(0), reason(1)] },
    ])
  })
})
