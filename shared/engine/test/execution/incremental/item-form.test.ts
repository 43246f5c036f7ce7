/** Fragments that are announced once for each object they are on. */
import { describe, expect, it } from 'vitest'
import type { SubgraphReply } from '../../../src/execution/contract/subgraph-calls.ts'
import type { Plan } from '../../../src/plan/contract/plan.ts'
import {
  books,
  deferred,
  graph,
  id,
  inBooks,
  later,
  MAKER,
  PRODUCT,
  product,
  PRODUCT_A,
  productFetch,
  QUERY,
  TWO_BOOKS,
  TWO_STOCKS,
  UNREACHABLE,
} from '../support/deferred-products.ts'
import { fragment, initialGroup, stream } from '../support/incremental.ts'
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
import { body, data } from '../support/run.ts'

const byItem = (plan: Plan, answers: readonly SubgraphReply[]) =>
  stream(graph, plan, answers, undefined, 'item')

const strictBooks = { ...books, shape: inBooks([id, later('stock', 1, { nonNull: true })]) }

/** `books{id ...@defer{stock ...@defer(label:"inner"){price}}}` */
const nestedBooks = deferred(
  {
    rootType: QUERY,
    fetches: [rootFetch(0), productFetch(1), productFetch(2)],
    positions: [
      rootPosition(QUERY, 0),
      position(1, 0, 'books', PRODUCT, [inline(0, 'books'), entity(1), entity(2)]),
    ],
    shape: inBooks([
      id,
      later('stock', 1, { nonNull: true }),
      later('price', 2, { source: { slot: 2, key: 'price' }, fetch: 2 }),
    ]),
  },
  fragment(1, 1),
  fragment(2, 1, { parent: 1, label: 'inner' }),
)

describe('announced object by object, a fragment', () => {
  it('has an id for each item, with the whole path, and subPath leads on from there', async () => {
    const run = await byItem(books, [TWO_BOOKS, TWO_STOCKS])
    expect(run.payloads).toEqual([
      '{"data":{"books":[{"id":"a","cover":{"w":1}},{"id":"b","cover":{"w":2}}]},' +
        '"pending":[{"id":"1.1","path":["books",0],"label":"extra"},{"id":"1.2","path":["books",1],"label":"extra"}],"hasNext":true}',
      '{"incremental":[{"data":{"stock":3},"id":"1.1"},{"data":{"h":9},"id":"1.1","subPath":["cover"]},' +
        '{"data":{"stock":0},"id":"1.2"},{"data":{"h":8},"id":"1.2","subPath":["cover"]}],' +
        '"completed":[{"id":"1.1"},{"id":"1.2"}],"hasNext":false}',
    ])
  })

  it('keeps the indices of an item among nulls', async () => {
    const run = await byItem(books, [
      data({ books: [null, { id: 'a', cover: null }, null] }),
      data({ _entities: [{ stock: 3, cover: null }] }),
    ])
    expect(run.initial[0]?.pending).toEqual([{ id: '1.1', path: ['books', 1], label: 'extra' }])
    expect(run.parts[0]?.incremental).toEqual([{ data: { stock: 3 }, id: '1.1' }])
  })

  it('is not announced for an empty list, and nothing is fetched for it', async () => {
    const run = await byItem(nestedBooks, [data({ books: [] })])
    expect(run.payloads).toEqual(['{"data":{"books":[]},"hasNext":false}'])
    expect(run.requests).toEqual([0])
  })

  it('is not announced for a list in which every item is null', async () => {
    const run = await byItem(nestedBooks, [data({ books: [null, null] })])
    expect(run.payloads).toEqual(['{"data":{"books":[null,null]},"hasNext":false}'])
  })

  it('is announced once where its object is in no list, as it is fragment by fragment', async () => {
    const plan = product([id, later('stock', 1)], fragment(1, 1, { label: 'extra' }))
    const answers = [PRODUCT_A, data({ _entities: [{ stock: 3 }] })]
    expect((await byItem(plan, answers)).payloads).toEqual((await stream(graph, plan, answers)).payloads)
  })

  it('is announced for each item with the part that delivers the item of the fragment around it', async () => {
    const run = await byItem(nestedBooks, [
      data({ books: [{ id: 'a' }, { id: 'b' }] }),
      data({ _entities: [{ stock: 1 }, { stock: 2 }] }),
      data({ _entities: [{ price: 5 }, { price: 6 }] }),
    ])
    expect(run.payloads.slice(1)).toEqual([
      '{"incremental":[{"data":{"stock":1},"id":"1.1"},{"data":{"stock":2},"id":"1.2"}],"completed":[{"id":"1.1"},{"id":"1.2"}],' +
        '"pending":[{"id":"2.1","path":["books",0],"label":"inner"},{"id":"2.2","path":["books",1],"label":"inner"}],"hasNext":true}',
      '{"incremental":[{"data":{"price":5},"id":"2.1"},{"data":{"price":6},"id":"2.2"}],"completed":[{"id":"2.1"},{"id":"2.2"}],"hasNext":false}',
    ])
  })

  it('on the items of lists in lists has all indices in its path', async () => {
    const shelves = deferred(
      {
        rootType: QUERY,
        fetches: [rootFetch(0), productFetch(1)],
        positions: [
          rootPosition(QUERY, 0),
          position(1, 0, 'shelves', PRODUCT, [inline(0, 'shelves'), entity(1)]),
        ],
        shape: object(0, QUERY, [
          field('shelves', QUERY, list(list(object(1, PRODUCT, [id, later('stock', 1)])))),
        ]),
      },
      fragment(1, 1),
    )
    const run = await byItem(shelves, [
      data({ shelves: [[{ id: 'a' }], null, [null, { id: 'b' }]] }),
      data({ _entities: [{ stock: 1 }, { stock: 2 }] }),
    ])
    expect(run.initial[0]?.pending.map(({ path }) => path)).toEqual([
      ['shelves', 0, 0],
      ['shelves', 2, 1],
    ])
  })
})

describe('where an item of a list fails, a fragment', () => {
  it('is completed with errors for that item alone, and announces nothing in it', async () => {
    const run = await byItem(nestedBooks, [
      data({ books: [{ id: 'a' }, { id: 'b' }] }),
      data({ _entities: [{ stock: null }, { stock: 2 }] }),
      data({ _entities: [{ price: 6 }] }),
    ])
    expect(run.payloads.slice(1)).toEqual([
      '{"incremental":[{"data":{"stock":2},"id":"1.2"}],"completed":[{"id":"1.1","errors":[{"message":' +
        '"Cannot return null for non-nullable field Product.stock.","path":["books",0,"stock"],"extensions":{"code":"SUBGRAPH_INVALID_VALUE","serviceName":"b"}}]},{"id":"1.2"}],' +
        '"pending":[{"id":"2.1","path":["books",1],"label":"inner"}],"hasNext":true}',
      '{"incremental":[{"data":{"price":6},"id":"2.1"}],"completed":[{"id":"2.1"}],"hasNext":false}',
    ])
  })

  it('tells an error about one item of nobody else', async () => {
    const run = await byItem(strictBooks, [
      TWO_BOOKS,
      body({
        data: { _entities: [{ stock: null }, { stock: 2 }] },
        errors: [{ message: 'no stock', path: ['_entities', 0, 'stock'] }],
      }),
    ])
    expect(run.parts[0]?.completed).toMatchObject([
      { id: '1.1', errors: [{ message: 'no stock', path: ['books', 0, 'stock'] }] },
      { id: '1.2' },
    ])
    expect(run.parts[0]?.completed[1]).toEqual({ id: '1.2' })
  })

  it('tells each item why when the subgraph of all of them is away', async () => {
    const run = await byItem(strictBooks, [TWO_BOOKS, UNREACHABLE])
    expect(run.parts).toHaveLength(1)
    for (const { errors } of run.parts[0]?.completed ?? []) expect(errors?.length).toBeGreaterThan(0)
    expect(run.parts[0]?.completed.map((one) => one.id)).toEqual(['1.1', '1.2'])
    expect(run.parts[0]?.hasNext).toBe(false)
  })

  it('tells so of thousands of items without repeating a long message for each', async () => {
    const message = 'x'.repeat(10_000)
    const run = await byItem(strictBooks, [
      data({ books: Array.from({ length: 3_000 }, (_, index) => ({ id: String(index) })) }),
      { kind: 'failure', code: 'SUBGRAPH_UNREACHABLE', message },
    ])
    const completed = run.parts[0]?.completed ?? []
    expect(completed).toHaveLength(3_000)
    expect(completed.every(({ errors = [] }) => errors.length > 0)).toBe(true)
    expect(JSON.stringify(completed).length).toBeLessThan(3_000 * 250 + 100 * message.length)
  })
})

describe('what is announced object by object', () => {
  const items = (count: number) => Array.from({ length: count }, (_, index) => ({ id: String(index) }))

  it('is announced as a whole, with the path of the list, where it would be very much', async () => {
    const plain = { ...books, shape: inBooks([id, later('stock', 1)]) }
    const run = await byItem(plain, [
      data({ books: items(30_000) }),
      data({ _entities: items(30_000).map((_, stock) => ({ stock })) }),
    ])
    expect(run.initial[0]?.pending).toEqual([{ id: '1', path: ['books'], label: 'extra' }])
    expect(run.parts[0]?.incremental[7]).toEqual({ data: { stock: 7 }, id: '1', subPath: [7] })
    expect(run.parts[0]?.completed).toEqual([{ id: '1' }])
  })

  it('is counted over all fragments of a response', async () => {
    const groups = Array.from({ length: 40 }, (_, index) => fragment(index + 1, 1))
    const many = {
      ...books,
      groups: [initialGroup, ...groups],
      shape: inBooks([id, ...groups.map((group) => later(`stock${group.id}`, group.id, { fetch: 1 }))]),
    }
    const run = await byItem(many, [
      data({ books: items(1_000) }),
      data({ _entities: items(1_000).map(() => ({})) }),
    ])
    const paths = run.initial[0]?.pending.map(({ path }) => path.length) ?? []
    const alone = paths.filter((length) => length === 2).length
    expect(alone).toBeGreaterThan(10_000)
    expect(alone).toBeLessThanOrEqual(20_000)
    expect(paths.length - alone).toBe(40 - alone / 1_000)
    expect(run.parts).toHaveLength(40)
    expect(run.parts.at(-1)?.hasNext).toBe(false)
  })

  it('repeats a label or a response name of any length only so often', async () => {
    const label = 'l'.repeat(100_000)
    const run = await byItem({ ...books, groups: [initialGroup, fragment(1, 1, { label })] }, [
      data({ books: items(1_000) }),
      data({ _entities: items(1_000).map(() => ({ stock: 1 })) }),
    ])
    expect(run.initial[0]?.pending).toEqual([{ id: '1', path: ['books'], label }])
  })

  it('is in the order of the fragments, and of the objects of each', async () => {
    const plan = {
      ...books,
      groups: [initialGroup, fragment(1, 1), fragment(2, 2)],
      shape: inBooks([
        id,
        field(
          'cover',
          PRODUCT,
          object(2, MAKER, [
            field('h', MAKER, leaf('Int'), { source: { slot: 1, key: 'h' }, fetch: 1, group: 2 }),
          ]),
        ),
        later('stock', 1),
      ]),
    }
    const run = await byItem(plan, [TWO_BOOKS, TWO_STOCKS])
    expect(run.initial[0]?.pending.map(({ id: announced, path }) => [announced, path])).toEqual([
      ['1.1', ['books', 0]],
      ['1.2', ['books', 1]],
      ['2.1', ['books', 0, 'cover']],
      ['2.2', ['books', 1, 'cover']],
    ])
    expect(run.parts.flatMap(({ incremental }) => incremental)).toEqual([
      { data: { stock: 3 }, id: '1.1' },
      { data: { stock: 0 }, id: '1.2' },
      { data: { h: 9 }, id: '2.1' },
      { data: { h: 8 }, id: '2.2' },
    ])
  })
})
