import { describe, expect, it } from 'vitest'
import type { SubgraphReply } from '../../../src/execution/contract/subgraph-calls.ts'
import { execute } from '../../../src/execution/execute.ts'
import { type FetchTree, fetchTree } from '../../../src/execution/fetching/fetch-tree.ts'
import { planIn, worldOf } from '../../plan/support/planned.ts'
import { body, data } from '../support/run.ts'
import { prepareOperation } from '../../../src/operation/operation.ts'
import { planOperation } from '../../../src/plan/plan-operation.ts'

const { graph } = worldOf({
  shop: `
    type Query { products: [Product] grid: [[Product]] top: Product now: Int }
    type Mutation { first: Product second: Int! }
    type Product @key(fields: "id") { id: ID! name: String similar: [Product] }`,
  stock:
    'type Product @key(fields: "id") { id: ID! count: Int crate: Crate } type Crate @key(fields: "id") { id: ID! }',
  depot: 'type Crate @key(fields: "id") { id: ID! weight: Int } type Query { open: Boolean }',
})

type Told = { readonly rendered: unknown[]; readonly settled: unknown[] }

/** What a recorder is told, with replies by fetch. */
function told(query: string, replies: readonly SubgraphReply[]): Promise<Told> {
  const rendered: unknown[] = []
  const settled: unknown[] = []
  return new Promise((resolve) => {
    execute(
      graph,
      {
        plan: planIn(graph, query),
        variables: new Map(),
        fetch: ({ fetch }, done) => {
          const reply = replies[fetch.id]
          if (reply !== undefined) queueMicrotask(() => done(reply))
        },
        recorder: {
          rendered: ({ id }, text, from) =>
            rendered.push([id, JSON.parse(text).variables, Object.fromEntries(from)]),
          settled: ({ id }, failure) => settled.push([id, failure?.code ?? null]),
        },
      },
      () => resolve({ rendered, settled }),
    )
  })
}

describe('a recorder of fetches', () => {
  it('hears what each request was made from: for each representation the first object that it stands for', async () => {
    const a = { id: 'a', name: 'Table' }
    const b = { id: 'b', name: 'Couch' }
    const answer = await told('{ products { name count } }', [
      data({ products: [a, null, b, { ...a, name: 'again' }] }),
      data({ _entities: [{ count: 1 }, { count: 2 }] }),
    ])
    const representations = [
      { __typename: 'Product', id: 'a' },
      { __typename: 'Product', id: 'b' },
    ]
    expect(answer).toEqual({
      rendered: [
        [0, {}, {}],
        [1, { r0: representations }, { r0: [a, b] }],
      ],
      settled: [
        [0, null],
        [1, null],
      ],
    })
  })

  it('hears of what was not asked, and of what has no answer that can be used', async () => {
    const none = await told('{ top { count } }', [data({ top: null })])
    expect(none.rendered).toHaveLength(1)
    expect(none.settled).toEqual([
      [0, null],
      [1, null],
    ])
    const failed = await told('{ top { count } }', [data({ top: { id: 'a' } }), body({}, 500)])
    expect(failed.rendered).toHaveLength(2)
    expect(failed.settled).toEqual([
      [0, null],
      [1, 'SUBGRAPH_HTTP_ERROR'],
    ])
  })

  it('is not told of later fields of a mutation that are not executed any more', async () => {
    const { rendered, settled } = await told('mutation { second first { count } }', [data({ second: null })])
    expect(rendered).toHaveLength(1)
    expect(settled.slice(1)).toEqual(settled.slice(1).map((_, index) => [index + 1, null]))
  })
})

function drawn(node: FetchTree): string {
  if (node.kind !== 'Single') return `${node.kind}(${node.children.map(drawn).join(' | ')})`
  const { kind, path, dependsOn, group } = node.place
  return `${kind} ${path}${dependsOn.length === 0 ? '' : ` <${dependsOn.join()}>`}${group === 0 ? '' : ` @${group}`}`
}

describe('the tree of fetches', () => {
  it.each([
    ['{ now }', ['Single ']],
    ['{ top { count } }', ['Single ', 'Entity top <0>']],
    ['{ products { count } }', ['Single ', 'BatchEntity products.@ <0>']],
    ['{ grid { count } }', ['Single ', 'BatchEntity grid.@.@ <0>']],
    ['{ it: products { like: similar { count } } }', ['Single ', 'BatchEntity it.@.like.@ <0>']],
    ['{ now open }', ['Parallel(Single  | Single )']],
    ['{ top { crate { weight } } }', ['Single ', 'Entity top <0>', 'Entity top.crate <0,1>']],
    ['{ top { count } products { count } }', ['Single ', 'MultiEntity top, products.@ <0>']],
  ])('of %s', (query, expected) => {
    expect(fetchTree(graph, planIn(graph, query)).map(drawn)).toEqual(expected)
  })

  it('says for which fragment a fetch is made, and is derived once', () => {
    const document = '{ top { name ...@defer { count } } }'
    const plan = planOperation(prepareOperation(graph, { document, defer: true }), new Map())
    expect(fetchTree(graph, plan).map(drawn)).toEqual(['Single ', 'Entity top <0> @1'])
    expect(fetchTree(graph, plan)).toBe(fetchTree(graph, plan))
  })
})
