import { describe, expect, it } from 'vitest'
import {
  graph,
  QUERY,
  PRODUCT,
  deferred,
  later,
  id,
  books,
  TWO_BOOKS,
  TWO_STOCKS,
  product,
  PRODUCT_A,
  productFetch,
} from '../support/deferred-products.ts'
import { fragment, initialGroup, Stream, stream } from '../support/incremental.ts'
import { entity, inline, object, position, rootFetch, rootPosition } from '../support/plans.ts'
import { data } from '../support/run.ts'

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
    const run = await stream(graph, product([id], fragment(1, 1, { isLive: false })), [PRODUCT_A])
    expect(run.payloads).toEqual(['{"data":{"product":{"id":"a"}},"hasNext":false}'])
  })

  it('shows an object all of whose fields are deferred as an empty one', async () => {
    const run = await stream(graph, product([later('stock', 1)], fragment(1, 1)), [
      PRODUCT_A,
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
      fetches: [rootFetch(0), productFetch(1), productFetch(2)],
      positions: [
        rootPosition(QUERY, 0),
        position(1, 0, 'product', PRODUCT, [inline(0, 'product'), entity(1), entity(2)]),
      ],
    }
    const answers = [PRODUCT_A, data({ _entities: [{ stock: 3 }] }), data({ _entities: [{ price: 4 }] })]
    const run = await stream(graph, both, answers, (open) => open.at(-1) ?? -1)
    expect(run.parts.map(({ completed, hasNext }) => [completed[0]?.id, hasNext])).toEqual([
      ['2', true],
      ['1', false],
    ])
  })
})
