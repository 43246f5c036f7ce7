import { describe, expect, it } from 'vitest'
import type { SubgraphRequest } from '../../../src/execution/contract/subgraph-calls.ts'
import { execute } from '../../../src/execution/execute.ts'
import type { Plan, RepresentationField } from '../../../src/plan/contract/plan.ts'
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
} from '../support/plans.ts'
import { body, data, run } from '../support/run.ts'
import { openShop } from '../support/shop.ts'

const { graph, type } = openShop()
const QUERY = type('Query')
const PRODUCT = type('Product')
const MAKER = type('Maker')

/** `{ products { name stock } }` with the stock in the other subgraph. */
function stockPlan(fields: readonly Written<RepresentationField>[] = [keyField('id')]): Plan {
  return plan({
    rootType: QUERY,
    fetches: [rootFetch(0), entityFetch(1, 1, 1, [PRODUCT], 'Product', fields)],
    positions: [
      rootPosition(QUERY, 0),
      position(1, 0, 'products', PRODUCT, [inline(0, 'products'), entity(1)]),
    ],
    shape: object(0, QUERY, [
      field(
        'products',
        QUERY,
        list(
          object(1, PRODUCT, [
            field('name', PRODUCT, leaf()),
            field('stock', PRODUCT, leaf('Int'), { source: { slot: 1, key: 'stock' }, fetch: 1 }),
          ]),
        ),
      ),
    ]),
  })
}

const entities = (...list: unknown[]) => data({ _entities: list })

function representations(requests: readonly { body: unknown }[], index: number): unknown {
  const sent = requests[index]?.body
  return typeof sent === 'object' && sent !== null && 'variables' in sent ? sent.variables : undefined
}

describe('entities', () => {
  it('are asked for once each, and joined to every object that refers to them', async () => {
    const products = [
      { id: '1', name: 'A' },
      { id: '2', name: 'B' },
      { id: '1', name: 'C' },
    ]
    const { result, requests } = await run(graph, stockPlan(), [
      data({ products }),
      entities({ stock: 10 }, { stock: 20 }),
    ])
    expect(representations(requests, 1)).toEqual({
      representations: [
        { __typename: 'Product', id: '1' },
        { __typename: 'Product', id: '2' },
      ],
    })
    expect(result).toEqual({
      data: {
        products: [
          { name: 'A', stock: 10 },
          { name: 'B', stock: 20 },
          { name: 'C', stock: 10 },
        ],
      },
      errors: [],
    })
  })

  it('with the keys 1 and "1" are different entities, each sent as it came', async () => {
    const { requests } = await run(graph, stockPlan(), [
      data({ products: [{ id: 1 }, { id: '1' }, { id: 1 }] }),
      entities({ stock: 1 }, { stock: 2 }),
    ])
    expect(representations(requests, 1)).toEqual({
      representations: [
        { __typename: 'Product', id: 1 },
        { __typename: 'Product', id: '1' },
      ],
    })
  })

  it('without a key are not asked for, nor are null items of a list', async () => {
    const products = [{ id: null, name: 'A' }, null, { name: 'B' }, { id: '4', name: 'C' }]
    const { result, requests } = await run(graph, stockPlan(), [data({ products }), entities({ stock: 4 })])
    expect(representations(requests, 1)).toEqual({ representations: [{ __typename: 'Product', id: '4' }] })
    expect(result.data).toEqual({
      products: [{ name: 'A', stock: null }, null, { name: 'B', stock: null }, { name: 'C', stock: 4 }],
    })
    expect(result.errors).toEqual([])
  })

  it('are not asked for at all when there are none', async () => {
    const { result, requests } = await run(graph, stockPlan(), [data({ products: [] })])
    expect(requests).toHaveLength(1)
    expect(result).toEqual({ data: { products: [] }, errors: [] })
  })

  it('that are null leave nullable fields null without an error', async () => {
    const { result } = await run(graph, stockPlan(), [
      data({ products: [{ id: '1', name: 'A' }] }),
      entities(null),
    ])
    expect(result).toEqual({ data: { products: [{ name: 'A', stock: null }] }, errors: [] })
  })

  it.each([[[{ stock: 1 }]], [[]], [[{ stock: 1 }, { stock: 2 }, { stock: 3 }]], ['none'], [undefined]])(
    'that come in the wrong number (%j) are reported and never shifted',
    async (list) => {
      const { result } = await run(graph, stockPlan(), [
        data({ products: [{ id: '1' }, { id: '2' }] }),
        data({ _entities: list }),
      ])
      const stock = (index: number): unknown => (Array.isArray(list) ? (list[index]?.stock ?? null) : null)
      expect(result.data).toEqual({
        products: [
          { name: null, stock: stock(0) },
          { name: null, stock: stock(1) },
        ],
      })
      const given = Array.isArray(list) ? list.length : 0
      const paths = given > 2 ? [['products']] : [0, 1].slice(given).map((at) => ['products', at, 'stock'])
      expect(result.errors).toMatchObject(
        paths.map((path) => ({ path, extensions: { code: 'ENTITY_COUNT_MISMATCH', serviceName: 'b' } })),
      )
    },
  )

  it('that are missing from two lists of one answer are reported at the fields of each', async () => {
    const twoLists = plan({
      rootType: QUERY,
      fetches: [
        rootFetch(0),
        entityFetch(1, 1, 1, [PRODUCT], 'Product', [keyField('id')], {
          parts: [1, 2].map((slot) => ({
            kind: 'entities' as const,
            alias: `_e${slot}`,
            variable: `r${slot}`,
            inputs: [
              { at: 1, slot, cases: [{ types: [PRODUCT], typename: 'Product', fields: [keyField('id')] }] },
            ],
          })),
        }),
      ],
      positions: [
        rootPosition(QUERY, 0),
        position(1, 0, 'products', PRODUCT, [inline(0, 'products'), entity(1, 0), entity(1, 1)]),
      ],
      shape: object(0, QUERY, [
        field(
          'products',
          QUERY,
          list(
            object(1, PRODUCT, [
              field('stock', PRODUCT, leaf('Int'), { source: { slot: 1, key: 'stock' }, fetch: 1 }),
              field('name', PRODUCT, leaf(), { source: { slot: 2, key: 'name' }, fetch: 1 }),
            ]),
          ),
        ),
      ]),
    })
    const products = data({ products: [{ id: '1' }, { id: '2' }] })
    const asked = async (answer: Record<string, unknown>) =>
      (await run(graph, twoLists, [products, data(answer)])).result.errors.map(({ message, path }) => [
        message,
        path,
      ])
    const message = (received: string) =>
      `Subgraph "b" was asked for 2 entities and sent ${received}; what is missing is null.`
    expect(await asked({})).toEqual([
      [message('no list of entities'), ['products', 0, 'stock']],
      [message('no list of entities'), ['products', 1, 'stock']],
      [message('no list of entities'), ['products', 0, 'name']],
      [message('no list of entities'), ['products', 1, 'name']],
    ])
    expect(await asked({ _e1: [{}] })).toEqual([
      [message('1 entities'), ['products', 1, 'stock']],
      [message('no list of entities'), ['products', 0, 'name']],
      [message('no list of entities'), ['products', 1, 'name']],
    ])
  })

  it('of entities wait for the answer that holds their key, and are skipped with it', async () => {
    const chain = plan({
      rootType: QUERY,
      fetches: [
        rootFetch(0),
        entityFetch(1, 1, 1, [PRODUCT], 'Product', [keyField('id')]),
        entityFetch(2, 1, 2, [PRODUCT], 'Product', [keyField('id'), keyField('name', 'label', 1)], {
          after: [0, 1],
        }),
      ],
      positions: [
        rootPosition(QUERY, 0),
        position(1, 0, 'products', PRODUCT, [inline(0, 'products'), entity(1), entity(2)]),
      ],
      shape: object(0, QUERY, [
        field(
          'products',
          QUERY,
          list(
            object(1, PRODUCT, [
              field('stock', PRODUCT, leaf('Int'), { source: { slot: 2, key: 'stock' }, fetch: 2 }),
            ]),
          ),
        ),
      ]),
    })
    const first = await run(graph, chain, [
      data({ products: [{ id: '1' }, { id: '2' }] }),
      entities({ label: 'x' }, null),
      entities({ stock: 5 }),
    ])
    expect(first.result).toEqual({ data: { products: [{ stock: 5 }, { stock: null }] }, errors: [] })
    expect(representations(first.requests, 2)).toEqual({
      representations: [{ __typename: 'Product', id: '1', name: 'x' }],
    })
    const second = await run(graph, chain, [data({ products: [{ id: '1' }] }), entities(null)])
    expect(second.requests).toHaveLength(2)
    expect(second.result).toEqual({ data: { products: [{ stock: null }] }, errors: [] })
  })

  it('share one request from several places, without repeating what both refer to', async () => {
    const both = plan({
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
              variable: 'r',
              inputs: [1, 2].map((at) => ({
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
        position(1, 0, 'product', PRODUCT, [inline(0, 'product'), entity(1)]),
        position(2, 0, 'products', PRODUCT, [inline(0, 'products'), entity(1)]),
      ],
      shape: object(0, QUERY, [
        field(
          'product',
          QUERY,
          object(1, PRODUCT, [
            field('stock', PRODUCT, leaf('Int'), { source: { slot: 1, key: 'stock' }, fetch: 1 }),
          ]),
        ),
        field(
          'products',
          QUERY,
          list(
            object(2, PRODUCT, [
              field('stock', PRODUCT, leaf('Int'), { source: { slot: 1, key: 'stock' }, fetch: 1 }),
            ]),
          ),
        ),
      ]),
    })
    const { result, requests } = await run(graph, both, [
      data({ product: { id: '1' }, products: [{ id: '2' }, { id: '1' }] }),
      entities({ stock: 1 }, { stock: 2 }),
    ])
    expect(representations(requests, 1)).toEqual({
      r: [
        { __typename: 'Product', id: '1' },
        { __typename: 'Product', id: '2' },
      ],
    })
    expect(result.data).toEqual({ product: { stock: 1 }, products: [{ stock: 2 }, { stock: 1 }] })
  })
})

describe('representations', () => {
  const maker = (key: boolean, withTypename: boolean, fields: readonly Written<RepresentationField>[]) =>
    stockPlan([
      keyField('id'),
      {
        kind: 'object',
        name: 'makers',
        position: 2,
        key,
        withTypename,
        cases: [{ types: [MAKER], typename: 'Maker', fields }],
      },
    ])
  const nested = (base: Plan, withTypes: boolean): Plan => ({
    ...base,
    positions: [
      ...base.positions,
      withTypes
        ? position(2, 1, null, type('Node'), [inline(0, '_m')], {
            objectType: null,
            typename: [{ slot: 0, key: '__typename' }],
          })
        : position(2, 1, null, MAKER, [inline(0, '_m')]),
    ],
  })

  async function sent(base: Plan, product: unknown): Promise<unknown> {
    const { requests } = await run(graph, base, [data({ products: [product] }), entities({ stock: 1 })])
    return representations(requests, 1)
  }

  it('send a required input that is null, and one that is missing, as null', async () => {
    const required: RepresentationField = {
      kind: 'leaf',
      name: 'name',
      source: { slot: 0, key: '_s0' },
      key: false,
    }
    const base = stockPlan([keyField('id'), required])
    expect(await sent(base, { id: '1', _s0: null })).toEqual({
      representations: [{ __typename: 'Product', id: '1', name: null }],
    })
    expect(await sent(base, { id: '1' })).toEqual({
      representations: [{ __typename: 'Product', id: '1', name: null }],
    })
  })

  it('follow the lists of nested objects, nulls included', async () => {
    const base = nested(maker(false, false, [keyField('id'), keyField('name', 'n')]), false)
    const product = { id: '1', _m: [{ id: 'a', n: 'A' }, null, [{ id: 'b', n: 'B' }]] }
    expect(await sent(base, product)).toEqual({
      representations: [
        {
          __typename: 'Product',
          id: '1',
          makers: [{ id: 'a', name: 'A' }, null, [{ id: 'b', name: 'B' }]],
        },
      ],
    })
  })

  it('are left out when a key inside a nested object is null', async () => {
    const base = nested(maker(true, false, [keyField('id')]), false)
    const { requests } = await run(graph, base, [
      data({
        products: [
          { id: '1', _m: { id: null } },
          { id: '2', _m: null },
          { id: '3', _m: { id: 'x' } },
        ],
      }),
      entities({ stock: 1 }),
    ])
    expect(representations(requests, 1)).toEqual({
      representations: [{ __typename: 'Product', id: '3', makers: { id: 'x' } }],
    })
  })

  it('name the type of abstract values, and nothing more where the type was not asked for', async () => {
    const base = nested(maker(false, true, [keyField('id')]), true)
    const product = {
      id: '1',
      _m: [
        { __typename: 'Maker', id: 'a' },
        { __typename: 'Secret', id: 'b' },
        { __typename: 'Elsewhere', id: 'c' },
      ],
    }
    expect(await sent(base, product)).toEqual({
      representations: [
        {
          __typename: 'Product',
          id: '1',
          makers: [{ __typename: 'Maker', id: 'a' }, { __typename: 'Secret' }, { __typename: 'Elsewhere' }],
        },
      ],
    })
  })

  it('that are equal are sent once, whatever they hold', async () => {
    const base = nested(maker(true, false, [keyField('id')]), false)
    const { requests, result } = await run(graph, base, [
      data({
        products: [
          { id: '1', _m: { id: 'a' } },
          { id: '1', _m: { id: 'b' } },
          { id: '1', _m: { id: 'a' } },
        ],
      }),
      entities({ stock: 1 }, { stock: 2 }),
    ])
    expect(representations(requests, 1)).toMatchObject({ representations: { length: 2 } })
    expect(result.data).toEqual({
      products: [
        { name: null, stock: 1 },
        { name: null, stock: 2 },
        { name: null, stock: 1 },
      ],
    })
  })

  it('that nest deeper than can be written end that fetch, not the process', async () => {
    let deep: unknown = 'bottom'
    for (let i = 0; i < 100_000; i++) deep = [deep]
    const results: unknown[] = []
    const base = nested(maker(true, false, [keyField('id')]), false)
    await new Promise<void>((resolve) => {
      execute(
        graph,
        {
          plan: base,
          variables: new Map(),
          fetch: (_request, done) =>
            queueMicrotask(() => done(data({ products: [{ id: '1', _m: deep, name: 'A' }] }))),
        },
        (result) => {
          results.push(result)
          resolve()
        },
      )
    })
    expect(results).toMatchObject([
      {
        data: { products: [{ name: 'A', stock: null }] },
        errors: [{ extensions: { code: 'SUBGRAPH_REQUEST_INVALID' } }],
      },
    ])
  })
})

describe('split values', () => {
  const ROW = type('Row')
  const STATS = type('Stats')
  const split = plan({
    rootType: QUERY,
    fetches: [rootFetch(0), rootFetch(1, { subgraph: 1, parts: [{ kind: 'root', at: 0, slot: 1 }] })],
    positions: [
      rootPosition(QUERY, 0, 1),
      position(1, 0, 'stats', STATS, [inline(0, 'stats'), inline(1, 'stats')]),
      position(2, 1, 'rows', ROW, [inline(0, 'rows'), inline(1, 'rows')]),
    ],
    shape: object(0, QUERY, [
      field(
        'stats',
        QUERY,
        object(1, STATS, [
          field(
            'rows',
            STATS,
            list(
              object(2, ROW, [
                field('left', ROW, leaf('Int')),
                field('right', ROW, leaf('Int'), { source: { slot: 1, key: 'right' }, fetch: 1 }),
              ]),
            ),
          ),
        ]),
      ),
    ]),
  })

  it('are put together by place, also around nulls', async () => {
    const { result } = await run(graph, split, [
      data({ stats: { rows: [{ left: 1 }, null, { left: 3 }, { left: 4 }] } }),
      data({ stats: { rows: [{ right: 1 }, { right: 2 }, null, { right: 4 }] } }),
    ])
    expect(result).toEqual({
      data: {
        stats: {
          rows: [{ left: 1, right: 1 }, null, { left: 3, right: null }, { left: 4, right: 4 }],
        },
      },
      errors: [],
    })
  })

  it('of different lengths lack what one subgraph did not send, and say so', async () => {
    const { result } = await run(graph, split, [
      data({ stats: { rows: [{ left: 1 }, { left: 2 }] } }),
      data({ stats: { rows: [{ right: 1 }] } }),
    ])
    expect(result.data).toEqual({
      stats: {
        rows: [
          { left: 1, right: 1 },
          { left: 2, right: null },
        ],
      },
    })
    expect(result.errors).toMatchObject([{ path: ['stats', 'rows'], extensions: { code: 'SHAPE_MISMATCH' } }])
  })
})

describe('requests', () => {
  const withVariables = plan({
    rootType: QUERY,
    fetches: [
      rootFetch(0, {
        document: 'query N($a: Int, $b: JSON, $c: Int) {…}',
        operationName: 'N',
        variables: ['a', 'b', 'c'],
      }),
    ],
    positions: [rootPosition(QUERY, 0)],
    shape: object(0, QUERY, []),
  })

  it('hold the document, the operation name and the variables it uses, and not those that are absent', async () => {
    const { requests } = await run(
      graph,
      withVariables,
      [data({})],
      new Map<string, unknown>([
        ['a', null],
        ['b', { x: ['"', 1] }],
        ['z', 1],
      ]),
    )
    expect(requests).toEqual([
      {
        fetch: 0,
        subgraph: 'a',
        body: {
          query: 'query N($a: Int, $b: JSON, $c: Int) {…}',
          operationName: 'N',
          variables: { a: null, b: { x: ['"', 1] } },
        },
      },
    ])
  })

  it('start as soon as what they wait for is there, not in waves', () => {
    const parallel = plan({
      rootType: QUERY,
      fetches: [
        rootFetch(0),
        rootFetch(1, { parts: [{ kind: 'root', at: 0, slot: 1 }] }),
        rootFetch(2, { parts: [{ kind: 'root', at: 0, slot: 2 }], after: [1] }),
      ],
      positions: [rootPosition(QUERY, 0, 1, 2)],
      shape: object(0, QUERY, []),
    })
    const pending = new Map<number, () => void>()
    const results: unknown[] = []
    execute(
      graph,
      {
        plan: parallel,
        variables: new Map(),
        fetch: ({ fetch }, done) => pending.set(fetch.id, () => done(data({}))),
      },
      (result) => results.push(result),
    )
    expect([...pending.keys()]).toEqual([0, 1])
    pending.get(1)?.()
    expect([...pending.keys()]).toEqual([0, 1, 2])
    pending.get(2)?.()
    expect(results).toEqual([])
    pending.get(0)?.()
    pending.get(0)?.()
    expect(results).toEqual([{ data: {}, errors: [] }])
  })

  it.each(['abort', 'signal'])('stop after %s, and the result is not delivered', (how) => {
    const pending: { request: SubgraphRequest; reply: () => void }[] = []
    const results: unknown[] = []
    const controller = new AbortController()
    const running = execute(
      graph,
      {
        plan: stockPlan(),
        variables: new Map(),
        signal: controller.signal,
        fetch: (request, done) =>
          pending.push({ request, reply: () => done(data({ products: [{ id: '1' }] })) }),
      },
      (result) => results.push(result),
    )
    if (how === 'abort') running.abort()
    else controller.abort()
    pending[0]?.reply()
    expect(pending).toHaveLength(1)
    expect(results).toEqual([])
  })

  it('are not made for a signal that is aborted already', () => {
    const requests: unknown[] = []
    execute(
      graph,
      {
        plan: stockPlan(),
        variables: new Map(),
        signal: AbortSignal.abort(),
        fetch: (request) => requests.push(request),
      },
      () => requests.push('done'),
    )
    expect(requests).toEqual([])
  })
})

describe('mutations', () => {
  const MUTATION = type('Mutation')
  const serial = plan({
    kind: 'mutation',
    rootType: MUTATION,
    fetches: [
      rootFetch(0, { operation: 'mutation' }),
      rootFetch(1, {
        operation: 'mutation',
        subgraph: 1,
        after: [0],
        parts: [{ kind: 'root', at: 0, slot: 1 }],
      }),
    ],
    positions: [rootPosition(MUTATION, 0, 1)],
    shape: object(0, MUTATION, [
      field('first', MUTATION, leaf('Int'), { nonNull: true }),
      field('second', MUTATION, leaf('Int'), { source: { slot: 1, key: 'second' }, fetch: 1 }),
    ]),
  })

  it('run one after the other', async () => {
    const { result, requests } = await run(graph, serial, [data({ first: 1 }), data({ second: 2 })])
    expect(requests.map(({ fetch }) => fetch)).toEqual([0, 1])
    expect(result).toEqual({ data: { first: 1, second: 2 }, errors: [] })
  })

  it('stop when a non-null field fails, and answer null', async () => {
    const failing = body({ data: null, errors: [{ message: 'Out of paper', path: ['first'] }] })
    const { result, requests } = await run(graph, serial, [failing])
    expect(requests).toHaveLength(1)
    expect(result).toEqual({
      data: null,
      errors: [{ message: 'Out of paper', path: ['first'], extensions: { serviceName: 'a' } }],
    })
  })

  it('stop when a non-null field is of the wrong type', async () => {
    const { result, requests } = await run(graph, serial, [data({ first: 'x' })])
    expect(requests).toHaveLength(1)
    expect(result).toEqual({
      data: null,
      errors: [
        {
          message: 'Int cannot represent non-integer value: "x"',
          path: ['first'],
          extensions: { code: 'SUBGRAPH_INVALID_VALUE', serviceName: 'a' },
        },
      ],
    })
  })

  it('go on after a nullable field fails', async () => {
    const nullable: Plan = {
      ...serial,
      shape: object(0, MUTATION, [
        field('first', MUTATION, leaf('Int')),
        field('second', MUTATION, leaf('Int'), { source: { slot: 1, key: 'second' }, fetch: 1 }),
      ]),
    }
    const failing = body({ data: null, errors: [{ message: 'Out of paper', path: ['first'] }] })
    const { result, requests } = await run(graph, nullable, [failing, data({ second: 2 })])
    expect(requests).toHaveLength(2)
    expect(result.data).toEqual({ first: null, second: 2 })
  })
})
