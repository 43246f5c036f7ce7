import { describe, expect, it } from 'vitest'
import type { LeafCoercion, Plan, ShapeField, ShapeNode } from '../../../src/plan/contract/plan.ts'
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
} from '../support/plans.ts'
import { body, data, run } from '../support/run.ts'
import { openShop } from '../support/shop.ts'

const { graph, type } = openShop()
const QUERY = type('Query')
const PRODUCT = type('Product')

function scalarPlan(name: string, node: ShapeNode): Plan {
  return plan({
    rootType: QUERY,
    fetches: [rootFetch(0)],
    positions: [rootPosition(QUERY, 0), position(1, 0, 'scalars', type('Scalars'), [inline(0, 'scalars')])],
    shape: object(0, QUERY, [
      field('scalars', QUERY, object(1, type('Scalars'), [field(name, type('Scalars'), node)])),
    ]),
  })
}

async function complete(coerce: LeafCoercion, value: unknown): Promise<unknown> {
  const node = coerce === 'enum' ? leaf('enum', type('Colour')) : leaf(coerce)
  const { result } = await run(graph, scalarPlan('x', node), [data({ scalars: { x: value } })])
  const scalars = result.data?.['scalars']
  const shown = typeof scalars === 'object' && scalars !== null && 'x' in scalars ? scalars.x : scalars
  return result.errors.length === 0 ? shown : result.errors[0]?.message
}

describe('leaf values', () => {
  it.each<[LeafCoercion, unknown, unknown]>([
    ['String', 'text', 'text'],
    ['String', 3, '3'],
    ['String', true, 'true'],
    ['Int', 7, 7],
    ['Int', -2_147_483_648, -2_147_483_648],
    ['Float', 3, 3],
    ['Float', 0.5, 0.5],
    ['Boolean', false, false],
    ['ID', 'x', 'x'],
    ['ID', 12, '12'],
    ['enum', 'RED', 'RED'],
    ['custom', { any: [1, null] }, { any: [1, null] }],
    ['Int', null, null],
    ['Int', undefined, null],
  ])('shows a %s sent as %j as %j', async (coerce, sent, shown) => {
    expect(await complete(coerce, sent)).toEqual(shown)
  })

  it.each<[LeafCoercion, unknown, RegExp]>([
    ['String', { a: 1 }, /^String cannot represent value/],
    ['Int', '7', /^Int cannot represent non-integer value: "7"/],
    ['Int', 1.5, /^Int cannot represent non-integer value: 1.5/],
    ['Int', 2_147_483_648, /^Int cannot represent non 32-bit signed integer value/],
    ['Float', '1', /^Float cannot represent non numeric value/],
    ['Boolean', 1, /^Boolean cannot represent a non boolean value/],
    ['ID', 1.5, /^ID cannot represent value/],
    ['ID', [], /^ID cannot represent value/],
    ['enum', 'GREEN', /^Enum "Colour" cannot represent value/],
    ['enum', 4, /^Enum "Colour" cannot represent value: 4/],
  ])('answers null with an error for a %s sent as %j', async (coerce, sent, message) => {
    expect(await complete(coerce, sent)).toMatch(message)
  })

  it('never names an inaccessible enum value to the client', async () => {
    expect(await complete('enum', 'HIDDEN')).toMatch(/^Enum "Colour" cannot represent value/)
    expect(await complete('enum', 'HIDDEN')).not.toMatch(/HIDDEN/)
  })
})

describe('lists', () => {
  const numbers = scalarPlan('numbers', list(list(leaf('Int'), true), true))

  it('completes nested lists', async () => {
    const { result } = await run(graph, numbers, [data({ scalars: { numbers: [[1, 2], []] } })])
    expect(result).toEqual({ data: { scalars: { numbers: [[1, 2], []] } }, errors: [] })
  })

  it('lets a null item go up to the nearest nullable place, with one error at the item', async () => {
    const { result } = await run(graph, numbers, [data({ scalars: { numbers: [[1, null], [null]] } })])
    expect(result).toEqual({
      data: { scalars: { numbers: null } },
      errors: [
        {
          message: 'Cannot return null for non-nullable field Scalars.numbers.',
          path: ['scalars', 'numbers', 0, 1],
          extensions: { code: 'SUBGRAPH_INVALID_VALUE', serviceName: 'a' },
        },
      ],
    })
  })

  it('answers null for a value that is not a list', async () => {
    const { result } = await run(graph, numbers, [data({ scalars: { numbers: 'many' } })])
    expect(result).toEqual({
      data: { scalars: { numbers: null } },
      errors: [
        {
          message: 'Expected Iterable, but did not find one for field "Scalars.numbers".',
          path: ['scalars', 'numbers'],
          extensions: { code: 'SUBGRAPH_INVALID_VALUE', serviceName: 'a' },
        },
      ],
    })
  })

  const grid = plan({
    rootType: QUERY,
    fetches: [rootFetch(0)],
    positions: [rootPosition(QUERY, 0), position(1, 0, 'grid', PRODUCT, [inline(0, 'grid')])],
    shape: object(0, QUERY, [
      field(
        'grid',
        QUERY,
        list(list(object(1, PRODUCT, [field('upc', PRODUCT, leaf(), { nonNull: true })]), true)),
      ),
    ]),
  })

  it('keeps the objects after a failed inner list apart', async () => {
    const sent = { grid: [[{ upc: 'a' }, { upc: null }, { upc: 'c' }], [{ upc: 'd' }], null, [{ upc: 'e' }]] }
    const { result } = await run(graph, grid, [data(sent)])
    expect(result.data).toEqual({ grid: [null, [{ upc: 'd' }], null, [{ upc: 'e' }]] })
    expect(result.errors).toEqual([
      {
        message: 'Cannot return null for non-nullable field Product.upc.',
        path: ['grid', 0, 1, 'upc'],
        extensions: { code: 'SUBGRAPH_INVALID_VALUE', serviceName: 'a' },
      },
    ])
  })

  it('passes over objects in places where the schema has something else', async () => {
    const sent = { grid: [{ upc: 'x' }, [{ upc: 'a' }], [[{ upc: 'y' }]], [{ upc: 'b' }]] }
    const { result } = await run(graph, grid, [data(sent)])
    expect(result.data).toEqual({ grid: [null, [{ upc: 'a' }], null, [{ upc: 'b' }]] })
    expect(result.errors.map(({ path }) => path)).toEqual([
      ['grid', 0],
      ['grid', 2, 0],
    ])
  })
})

describe('objects', () => {
  const shape = (nonNull: boolean) =>
    plan({
      rootType: QUERY,
      fetches: [rootFetch(0)],
      positions: [rootPosition(QUERY, 0), position(1, 0, 'product', PRODUCT, [inline(0, 'product')])],
      shape: object(0, QUERY, [
        field(
          'product',
          QUERY,
          object(1, PRODUCT, [
            typename('kind'),
            field('upc', PRODUCT, leaf(), { nonNull: true }),
            field('name', PRODUCT, leaf()),
          ]),
          { nonNull },
        ),
      ]),
    })

  it('are written in the order of the selection and hold nothing else', async () => {
    const { result } = await run(graph, shape(false), [
      data({ extra: 1, product: { secret: 1, name: 'Sofa', upc: 'u' } }),
    ])
    expect(JSON.stringify(result.data)).toBe('{"product":{"kind":"Product","upc":"u","name":"Sofa"}}')
  })

  it('become null, up to the root where everything above is non-null', async () => {
    const replies = [data({ product: { upc: null } })]
    expect((await run(graph, shape(false), replies)).result.data).toEqual({ product: null })
    const { result } = await run(graph, shape(true), replies)
    expect(result).toEqual({
      data: null,
      errors: [
        {
          message: 'Cannot return null for non-nullable field Product.upc.',
          path: ['product', 'upc'],
          extensions: { code: 'SUBGRAPH_INVALID_VALUE', serviceName: 'a' },
        },
      ],
    })
  })

  it.each([['text'], [7], [[{ upc: 'u' }]]])('are null with an error when %j is sent', async (sent) => {
    const { result } = await run(graph, shape(false), [data({ product: sent })])
    expect(result.data).toEqual({ product: null })
    expect(result.errors).toHaveLength(1)
    expect(result.errors[0]?.path).toEqual(['product'])
  })

  it('survive names that live on the prototype of every object', async () => {
    const keys = ['constructor', '__proto__', 'toString', 'hasOwnProperty']
    const names = plan({
      rootType: QUERY,
      fetches: [rootFetch(0)],
      positions: [rootPosition(QUERY, 0), position(1, 0, '__proto__', PRODUCT, [inline(0, '__proto__')])],
      shape: object(0, QUERY, [
        field(
          '__proto__',
          QUERY,
          object(
            1,
            PRODUCT,
            keys.map((key) => field(key, PRODUCT, leaf())),
          ),
        ),
      ]),
    })
    const empty: unknown = JSON.parse('{"data":{"__proto__":{}}}')
    expect(JSON.stringify((await run(graph, names, [body(empty)])).result.data)).toBe(
      '{"__proto__":{"constructor":null,"__proto__":null,"toString":null,"hasOwnProperty":null}}',
    )
    const full: unknown = JSON.parse('{"data":{"__proto__":{"constructor":"c","__proto__":"p"}}}')
    expect(JSON.stringify((await run(graph, names, [body(full)])).result.data)).toBe(
      '{"__proto__":{"constructor":"c","__proto__":"p","toString":null,"hasOwnProperty":null}}',
    )
    const missing: unknown = JSON.parse('{"data":{}}')
    expect(JSON.stringify((await run(graph, names, [body(missing)])).result.data)).toBe('{"__proto__":null}')
  })
})

describe('abstract types', () => {
  const NODE = type('Node')
  const nodes = plan({
    rootType: QUERY,
    fetches: [rootFetch(0)],
    positions: [
      rootPosition(QUERY, 0),
      position(1, 0, 'nodes', NODE, [inline(0, 'nodes')], {
        objectType: null,
        typename: [{ slot: 0, key: '__typename' }],
      }),
    ],
    shape: object(0, QUERY, [
      field(
        'nodes',
        QUERY,
        list({
          kind: 'object',
          position: 1,
          type: NODE,
          cases: [
            { types: [PRODUCT], fields: [typename(), field('upc', PRODUCT, leaf())] },
            { types: [type('Maker')], fields: [] },
          ],
        }),
      ),
    ]),
  })

  it('show the fields of the runtime type, and an empty object where none was selected', async () => {
    const sent = { nodes: [{ __typename: 'Product', upc: 'u' }, { __typename: 'Maker' }, null] }
    const { result } = await run(graph, nodes, [data(sent)])
    expect(result).toEqual({
      data: { nodes: [{ __typename: 'Product', upc: 'u' }, {}, null] },
      errors: [],
    })
  })

  it.each([['Secret'], ['Nowhere'], ['Node'], ['Scalars'], [undefined], [5]])(
    'are null with an error when the subgraph names the type %s',
    async (name) => {
      const sent = {
        nodes: [
          { __typename: name, upc: 'x' },
          { __typename: 'Product', upc: 'u' },
        ],
      }
      const { result } = await run(graph, nodes, [data(sent)])
      expect(result.data).toEqual({ nodes: [null, { __typename: 'Product', upc: 'u' }] })
      expect(result.errors).toHaveLength(1)
      expect(result.errors[0]?.path).toEqual(['nodes', 0])
      expect(JSON.stringify(result)).not.toMatch(/Secret/)
    },
  )
})

describe('interface objects', () => {
  const NODE = type('Node')
  const node = (
    typenames: readonly { slot: number; key: string }[],
    fields = [field('id', NODE, leaf('ID'))],
  ) =>
    plan({
      rootType: QUERY,
      fetches: [rootFetch(0)],
      positions: [
        rootPosition(QUERY, 0),
        position(1, 0, 'node', NODE, [inline(0, 'node')], { objectType: null, typename: typenames }),
      ],
      shape: object(0, QUERY, [field('node', QUERY, object(1, NODE, fields))]),
    })

  it('need no type where the plan asks for none', async () => {
    const { result } = await run(graph, node([]), [data({ node: { id: 1 } })])
    expect(result).toEqual({ data: { node: { id: '1' } }, errors: [] })
  })

  it.each([['Node'], [undefined]])('are null with an error where it asks and gets %s', async (name) => {
    const sent = data({ node: { __typename: name, id: 1 } })
    const { result } = await run(graph, node([{ slot: 0, key: '__typename' }]), [sent])
    expect(result.data).toEqual({ node: null })
    expect(result.errors.map(({ path }) => path)).toEqual([['node']])
  })

  describe('whose type another subgraph would know', () => {
    const lookedUp = (more: readonly ShapeField[] = []) =>
      plan({
        rootType: QUERY,
        fetches: [rootFetch(0), entityFetch(1, 1, 1, [NODE], 'Node', [keyField('id')])],
        positions: [
          rootPosition(QUERY, 0),
          position(1, 0, 'node', NODE, [inline(0, 'node'), entity(1)], {
            objectType: null,
            typename: [{ slot: 1, key: '__typename' }],
          }),
        ],
        shape: object(0, QUERY, [
          field(
            'node',
            QUERY,
            object(1, NODE, [
              field('id', NODE, leaf('ID')),
              field('name', NODE, leaf(), { source: { slot: 1, key: 'name' }, fetch: 1 }),
              ...more,
            ]),
          ),
        ]),
      })
    const sent = data({ node: { id: 1 } })

    it('keep the fields they have where it does not have the object, as every entity does', async () => {
      const { result } = await run(graph, lookedUp(), [sent, data({ _entities: [null] })])
      expect(result).toEqual({ data: { node: { id: '1', name: null } }, errors: [] })
    })

    it('are null with an error where it has the object and names no type', async () => {
      const { result } = await run(graph, lookedUp(), [sent, data({ _entities: [{ name: 'n' }] })])
      expect(result.data).toEqual({ node: null })
      expect(result.errors.map(({ path }) => path)).toEqual([['node']])
    })

    it('are null with an error where the client asks for the type and nobody knows it', async () => {
      const { result } = await run(graph, lookedUp([typename()]), [sent, data({ _entities: [null] })])
      expect(result.data).toEqual({ node: null })
      expect(result.errors.map(({ path }) => path)).toEqual([['node']])
    })
  })

  it('never show the name of the interface as a type', async () => {
    const { result } = await run(graph, node([], [typename()]), [data({ node: { __typename: 'Node' } })])
    expect(result.data).toEqual({ node: null })
    expect(result.errors).toHaveLength(1)
  })
})

describe('the query root', () => {
  it('can be entered again below a field', async () => {
    const again = plan({
      rootType: QUERY,
      fetches: [rootFetch(0), rootFetch(1, { parts: [{ kind: 'root', at: 1, slot: 0 }] })],
      positions: [
        rootPosition(QUERY, 0),
        position(1, 0, 'again', QUERY, [{ kind: 'root', fetch: 1 }]),
        position(2, 1, 'product', PRODUCT, [inline(0, 'product')]),
      ],
      shape: object(0, QUERY, [
        typename(),
        field(
          'again',
          QUERY,
          object(1, QUERY, [
            field('product', QUERY, object(2, PRODUCT, [field('upc', PRODUCT, leaf())]), { fetch: 1 }),
          ]),
          { source: null },
        ),
      ]),
    })
    const { result } = await run(graph, again, [data({}), data({ product: { upc: 'u' } })])
    expect(result).toEqual({
      data: { __typename: 'Query', again: { product: { upc: 'u' } } },
      errors: [],
    })
  })

  describe('below an object', () => {
    const below = (after: readonly number[]) =>
      plan({
        rootType: QUERY,
        fetches: [rootFetch(0), rootFetch(1, { after, parts: [{ kind: 'root', at: 2, slot: 0 }] })],
        positions: [
          rootPosition(QUERY, 0),
          position(1, 0, 'product', PRODUCT, [inline(0, 'product')]),
          position(2, 1, 'query', QUERY, [{ kind: 'root', fetch: 1 }]),
        ],
        shape: object(0, QUERY, [
          field(
            'product',
            QUERY,
            object(1, PRODUCT, [
              field(
                'query',
                PRODUCT,
                object(2, QUERY, [field('stats', QUERY, leaf('custom'), { fetch: 1 })]),
                {
                  source: null,
                },
              ),
            ]),
          ),
        ]),
      })

    it('is asked at once where the plan does not let it wait', async () => {
      const { result, requests } = await run(graph, below([]), [data({ product: {} }), data({ stats: 1 })])
      expect(requests).toHaveLength(2)
      expect(result).toEqual({ data: { product: { query: { stats: 1 } } }, errors: [] })
    })

    it('is not asked once it is known that the object is not there', async () => {
      const { result, requests } = await run(graph, below([0]), [data({ product: null })])
      expect(requests).toHaveLength(1)
      expect(result).toEqual({ data: { product: null }, errors: [] })
    })
  })

  it('answers unreachable fields with errors and without a fetch', async () => {
    const lost = plan({
      rootType: QUERY,
      fetches: [rootFetch(0)],
      positions: [rootPosition(QUERY, 0)],
      shape: object(0, QUERY, []),
      unreachable: [{ path: ['product', 'ghost'], coordinate: 'Product.ghost' }],
    })
    const { result, requests } = await run(graph, lost, [])
    expect(requests).toEqual([])
    expect(result.data).toBeNull()
    expect(result.errors).toMatchObject([
      { path: ['product', 'ghost'], extensions: { code: 'PLAN_UNREACHABLE' } },
    ])
  })

  it('needs no fetch when only __typename or nothing is selected', async () => {
    const empty = plan({
      rootType: QUERY,
      fetches: [],
      positions: [rootPosition(QUERY)],
      shape: object(0, QUERY, [typename('t')]),
    })
    expect((await run(graph, empty, [])).result).toEqual({ data: { t: 'Query' }, errors: [] })
  })

  it('is completed with the introspection of the API schema, in the order of the selection', async () => {
    const both = plan({
      rootType: QUERY,
      fetches: [rootFetch(0)],
      positions: [rootPosition(QUERY, 0), position(1, 0, 'product', PRODUCT, [inline(0, 'product')])],
      shape: object(0, QUERY, [
        { kind: 'introspection', key: 'secret', group: 0 },
        field('product', QUERY, object(1, PRODUCT, [field('upc', PRODUCT, leaf())])),
        { kind: 'introspection', key: 'named', group: 0 },
      ]),
      introspection: {
        document:
          'query ($n: String!) { secret: __type(name: "Secret") { name } named: __type(name: $n) { name } }',
        responseKeys: ['secret', 'named'],
        showsDefer: false,
        variables: ['n'],
      },
    })
    const replies = [data({ product: { upc: 'u' } })]
    const { result } = await run(graph, both, replies, new Map([['n', 'Product']]))
    expect(JSON.stringify(result)).toBe(
      '{"data":{"secret":null,"product":{"upc":"u"},"named":{"name":"Product"}},"errors":[]}',
    )
  })
})
