import { describe, expect, it } from 'vitest'
import type { SubgraphReply } from '../../../src/execution/contract/subgraph-calls.ts'
import type { Plan } from '../../../src/plan/contract/plan.ts'
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
} from '../support/plans.ts'
import { body, data, run } from '../support/run.ts'
import { openShop } from '../support/shop.ts'

const { graph, type } = openShop()
const QUERY = type('Query')
const PRODUCT = type('Product')
const MAKER = type('Maker')

/**
 * `{ goods: products { title: name cost: price made: maker { name } } }`: names in the subgraph's document
 * are those of the schema or internal aliases, the price comes from the other subgraph, `id` and `_s0` only
 * serve representations.
 */
function goods(priceNonNull: boolean): Plan {
  return plan({
    rootType: QUERY,
    fetches: [rootFetch(0), entityFetch(1, 1, 1, [PRODUCT], 'Product', [keyField('id')])],
    positions: [
      rootPosition(QUERY, 0),
      position(1, 0, 'goods', PRODUCT, [inline(0, 'goods'), entity(1)]),
      position(2, 1, 'made', MAKER, [inline(0, '_s1')]),
      position(3, 1, null, MAKER, [inline(0, '_s2')]),
    ],
    shape: object(0, QUERY, [
      field(
        'goods',
        QUERY,
        list(
          object(1, PRODUCT, [
            field('title', PRODUCT, leaf(), { name: 'name', source: { slot: 0, key: 'title' } }),
            field('cost', PRODUCT, leaf('Int'), {
              name: 'price',
              nonNull: priceNonNull,
              source: { slot: 1, key: '_s5' },
              fetch: 1,
            }),
            field('made', PRODUCT, object(2, MAKER, [field('name', MAKER, leaf(), { nonNull: true })]), {
              source: { slot: 0, key: '_s1' },
            }),
          ]),
        ),
        { name: 'products' },
      ),
    ]),
  })
}

const made = (id: string) => ({ id, title: `T${id}`, _s1: { name: 'M' } })
const failure: SubgraphReply = { kind: 'failure', code: 'SUBGRAPH_TIMEOUT', message: 'Too slow.' }

describe('errors of root fields', () => {
  it.each([
    [
      ['goods', 1, 'title'],
      ['goods', 1, 'title'],
    ],
    [
      ['goods', 0, '_s1', 'name'],
      ['goods', 0, 'made', 'name'],
    ],
    [
      ['goods', 0, '_s0'],
      ['goods', 0],
    ],
    [
      ['goods', 0, '_s2', 'country'],
      ['goods', 0],
    ],
    [['goods'], ['goods']],
    [
      ['goods', 9, 'title'],
      ['goods', 9, 'title'],
    ],
  ])('are moved from %j to %j, as the client sees it', async (sent, shown) => {
    const { result } = await run(graph, goods(false), [
      body({
        data: { goods: [made('1'), made('2')] },
        errors: [
          {
            message: 'Oh',
            path: sent,
            locations: [{ line: 1, column: 1 }],
            extensions: { code: 'X', detail: 1 },
          },
        ],
      }),
      data({ _entities: [{ _s5: 1 }, { _s5: 2 }] }),
    ])
    expect(result.errors).toEqual([
      { message: 'Oh', path: shown, extensions: { code: 'X', detail: 1, serviceName: 'a' } },
    ])
  })

  it.each([[undefined], ['goods'], [[]], [[{}]], [['_entities', 0]]])(
    'with the path %j are placed at the root field of the fetch',
    async (path) => {
      const { result } = await run(graph, goods(false), [
        body({ data: { goods: [] }, errors: [{ message: 'Oh', path }] }),
      ])
      expect(result.errors).toEqual([{ message: 'Oh', path: ['goods'], extensions: { serviceName: 'a' } }])
    },
  )

  it('explain a null that went up in the subgraph, which gives no second error', async () => {
    const must = plan({
      rootType: QUERY,
      fetches: [rootFetch(0)],
      positions: [rootPosition(QUERY, 0), position(1, 0, 'must', PRODUCT, [inline(0, 'must')])],
      shape: object(0, QUERY, [
        field('must', QUERY, object(1, PRODUCT, [field('upc', PRODUCT, leaf(), { nonNull: true })]), {
          nonNull: true,
        }),
      ]),
    })
    const explained = { message: 'No upc', path: ['must', 'upc'] }
    const shown = [{ ...explained, extensions: { serviceName: 'a' } }]
    for (const reply of [{ must: { upc: null } }, { must: null }, null]) {
      const { result } = await run(graph, must, [body({ data: reply, errors: [explained] })])
      expect(result).toEqual({ data: null, errors: shown })
    }
    const { result } = await run(graph, must, [data({ must: { upc: null } })])
    expect(result.errors).toHaveLength(1)
  })
})

describe('errors of a query root that was entered again', () => {
  it('are placed at the fields of each place that it was entered from, where the whole call failed', async () => {
    const again = plan({
      rootType: QUERY,
      fetches: [rootFetch(0), rootFetch(1, { parts: [{ kind: 'root', at: 2, slot: 0 }] })],
      positions: [
        rootPosition(QUERY, 0),
        position(1, 0, 'products', PRODUCT, [inline(0, 'products')]),
        position(2, 1, 'query', QUERY, [{ kind: 'root', fetch: 1 }]),
      ],
      shape: object(0, QUERY, [
        field(
          'products',
          QUERY,
          list(
            object(1, PRODUCT, [
              field('query', PRODUCT, object(2, QUERY, [field('a', QUERY, leaf(), { fetch: 1 })]), {
                source: null,
              }),
            ]),
          ),
        ),
      ]),
    })
    const { result } = await run(graph, again, [
      data({ products: [{}, {}] }),
      { kind: 'failure', code: 'SUBGRAPH_TIMEOUT', message: 'Too late.' },
    ])
    expect(result.errors).toMatchObject([
      { message: 'Too late.', path: ['products', 0, 'query', 'a'] },
      { message: 'Too late.', path: ['products', 1, 'query', 'a'] },
    ])
  })

  it('are placed at every field through which it was entered', async () => {
    const again = plan({
      rootType: QUERY,
      fetches: [
        rootFetch(0),
        rootFetch(1, {
          parts: [
            { kind: 'root', at: 2, slot: 0 },
            { kind: 'root', at: 3, slot: 0 },
          ],
        }),
      ],
      positions: [
        rootPosition(QUERY, 0),
        position(1, 0, 'products', PRODUCT, [inline(0, 'products')]),
        position(2, 1, 'query', QUERY, [{ kind: 'root', fetch: 1 }]),
        position(3, 0, 'again', QUERY, [{ kind: 'root', fetch: 1 }]),
      ],
      shape: object(0, QUERY, [
        field(
          'products',
          QUERY,
          list(
            object(1, PRODUCT, [
              field('query', PRODUCT, object(2, QUERY, [field('a', QUERY, leaf(), { fetch: 1 })]), {
                source: null,
              }),
            ]),
          ),
        ),
        field('again', QUERY, object(3, QUERY, [field('b', QUERY, leaf(), { fetch: 1 })]), { source: null }),
      ]),
    })
    const { result } = await run(graph, again, [
      data({ products: [{}, null, {}] }),
      body({
        data: { a: null, b: null },
        errors: [
          { message: 'A', path: ['a'] },
          { message: 'B', path: ['b'] },
        ],
      }),
    ])
    expect(result.errors.map(({ message, path }) => [message, path])).toEqual([
      ['A', ['products', 0, 'query', 'a']],
      ['A', ['products', 2, 'query', 'a']],
      ['B', ['again', 'b']],
    ])
  })
})

describe('errors of entities', () => {
  it('are repeated at every object that refers to the entity', async () => {
    const { result } = await run(graph, goods(false), [
      data({ goods: [made('1'), made('2'), null, made('1')] }),
      body({
        data: { _entities: [null, { _s5: 2 }] },
        errors: [{ message: 'No price', path: ['_entities', 0, '_s5'] }],
      }),
    ])
    expect(result.errors).toEqual(
      [0, 3].map((index) => ({
        message: 'No price',
        path: ['goods', index, 'cost'],
        extensions: { serviceName: 'b' },
      })),
    )
    expect(result.data).toEqual({
      goods: [
        { title: 'T1', cost: null, made: { name: 'M' } },
        { title: 'T2', cost: 2, made: { name: 'M' } },
        null,
        { title: 'T1', cost: null, made: { name: 'M' } },
      ],
    })
  })

  it('are repeated at fifty objects at most', async () => {
    const { result } = await run(graph, goods(false), [
      data({ goods: Array.from({ length: 80 }, () => made('1')) }),
      body({ data: { _entities: [null] }, errors: [{ message: 'No price', path: ['_entities', 0] }] }),
    ])
    expect(result.errors).toHaveLength(50)
    expect(result.errors[49]?.path).toEqual(['goods', 49])
  })

  it('explain the null of a non-null field of the same entity, which gives no second error', async () => {
    const { result } = await run(graph, goods(true), [
      data({ goods: [made('1'), made('2')] }),
      body({
        data: { _entities: [null, { _s5: 2 }] },
        errors: [{ message: 'No stock', path: ['_entities', 0, 'stock'] }],
      }),
    ])
    expect(result).toEqual({
      data: { goods: [null, { title: 'T2', cost: 2, made: { name: 'M' } }] },
      errors: [{ message: 'No stock', path: ['goods', 0], extensions: { serviceName: 'b' } }],
    })
  })

  it('are made for a non-null field of an entity that is null without an explanation', async () => {
    const { result } = await run(graph, goods(true), [
      data({ goods: [made('1')] }),
      data({ _entities: [null] }),
    ])
    expect(result).toEqual({
      data: { goods: [null] },
      errors: [
        {
          message: 'Cannot return null for non-nullable field Product.price.',
          path: ['goods', 0, 'cost'],
          extensions: { code: 'SUBGRAPH_INVALID_VALUE', serviceName: 'b' },
        },
      ],
    })
  })
})

describe('failed fetches', () => {
  const CODE = 'SUBGRAPH_INVALID_RESPONSE'

  it('are an error at each field that is null, with its index, and the rest of the response stands', async () => {
    const { result } = await run(graph, goods(false), [data({ goods: [made('1'), made('2')] }), failure])
    expect(result).toEqual({
      data: {
        goods: [
          { title: 'T1', cost: null, made: { name: 'M' } },
          { title: 'T2', cost: null, made: { name: 'M' } },
        ],
      },
      errors: [0, 1].map((index) => ({
        message: 'Too slow.',
        path: ['goods', index, 'cost'],
        extensions: { code: 'SUBGRAPH_TIMEOUT', serviceName: 'b' },
      })),
    })
  })

  it('stand at the fields also where these are non-null, and null reaches the objects', async () => {
    const { result } = await run(graph, goods(true), [data({ goods: [made('1'), made('2')] }), failure])
    expect(result.data).toEqual({ goods: [null, null] })
    expect(result.errors.map(({ path }) => path)).toEqual([
      ['goods', 0, 'cost'],
      ['goods', 1, 'cost'],
    ])
  })

  it('are told for 50 fields of a long list, the last of which says that there are more', async () => {
    const items = Array.from({ length: 10_000 }, (_, index) => made(String(index)))
    const { result } = await run(graph, goods(false), [data({ goods: items }), failure])
    expect(result.errors.map(({ path }) => path)).toEqual(
      Array.from({ length: 50 }, (_, index) => ['goods', index, 'cost']),
    )
    expect(result.errors.map(({ message }) => message)).toEqual([
      ...Array.from({ length: 49 }, () => 'Too slow.'),
      'Too slow. More is null because of it than has an error of its own.',
    ])
  })

  it('are an error at every field of every place that they leave without something', async () => {
    const lamps = plan({
      rootType: QUERY,
      fetches: [
        rootFetch(0),
        rootFetch(1, {
          subgraph: 1,
          after: [0],
          parts: [
            {
              kind: 'entities',
              alias: '_entities',
              variable: 'r0',
              inputs: [1, 2, 3].map((at) => ({
                at,
                slot: 1,
                cases: [{ types: [PRODUCT], typename: 'Product', fields: [keyField('id')] }],
              })),
            },
          ],
        }),
      ],
      positions: [
        rootPosition(QUERY, 0),
        ...['product', 'products', 'must'].map((key, index) =>
          position(index + 1, 0, key, PRODUCT, [inline(0, key), entity(1)]),
        ),
      ],
      shape: object(
        0,
        QUERY,
        ['product', 'products', 'must'].map((key, index) => {
          const stock = field('stock', PRODUCT, leaf('Int'), { source: { slot: 1, key: 'stock' }, fetch: 1 })
          const item = object(index + 1, PRODUCT, [stock])
          return field(key, QUERY, key === 'products' ? list(item) : item)
        }),
      ),
    })
    const { result } = await run(graph, lamps, [
      data({ product: { id: '1' }, products: [{ id: '1' }, { id: '2' }], must: null }),
      failure,
    ])
    expect(result.data).toEqual({
      product: { stock: null },
      products: [{ stock: null }, { stock: null }],
      must: null,
    })
    expect(result.errors.map(({ path }) => path)).toEqual([
      ['product', 'stock'],
      ['products', 0, 'stock'],
      ['products', 1, 'stock'],
    ])
  })

  it('take with them what waits for them, without errors of its own', async () => {
    const { result, requests } = await run(graph, goods(true), [failure])
    expect(requests).toHaveLength(1)
    expect(result).toEqual({
      data: { goods: null },
      errors: [
        {
          message: 'Too slow.',
          path: ['goods'],
          extensions: { code: 'SUBGRAPH_TIMEOUT', serviceName: 'a' },
        },
      ],
    })
  })

  it.each<[string, unknown, number, string]>([
    ['text', 'hello', 200, CODE],
    ['null', null, 200, CODE],
    ['a list', [], 200, CODE],
    ['an object without data', {}, 200, CODE],
    ['data of the wrong kind', { data: [1] }, 200, CODE],
    ['null data without errors', { data: null }, 200, CODE],
    ['an empty list of errors', { errors: [] }, 200, CODE],
    ['errors of the wrong kind', { errors: 'many' }, 200, CODE],
    ['an error page', { title: 'Bad gateway' }, 502, 'SUBGRAPH_HTTP_ERROR'],
  ])('are answers that are no GraphQL response: %s', async (_name, sent, status, code) => {
    const { result } = await run(graph, goods(true), [body(sent, status)])
    expect(result.data).toEqual({ goods: null })
    expect(result.errors).toMatchObject([{ path: ['goods'], extensions: { code, serviceName: 'a' } }])
  })

  it('are not those whose error status comes with a GraphQL body', async () => {
    const { result } = await run(graph, goods(false), [body({ data: { goods: [] } }, 500)])
    expect(result).toEqual({ data: { goods: [] }, errors: [] })
    const errors = await run(graph, goods(false), [
      body({ errors: [{ message: 'No', path: ['goods'] }] }, 400),
    ])
    expect(errors.result).toEqual({
      data: { goods: null },
      errors: [{ message: 'No', path: ['goods'], extensions: { serviceName: 'a' } }],
    })
  })

  it('hide nothing of malformed errors but their shape', async () => {
    const { result } = await run(graph, goods(false), [
      body({
        data: { goods: [] },
        errors: [7, { message: '' }, { message: 7, path: ['goods', -1], extensions: 'x' }],
      }),
    ])
    expect(result.errors).toHaveLength(3)
    for (const error of result.errors) {
      expect(error.message).toMatch(/without a message/)
      expect(error.path).toEqual(['goods'])
      expect(error.extensions).toEqual({ serviceName: 'a' })
    }
  })
})
