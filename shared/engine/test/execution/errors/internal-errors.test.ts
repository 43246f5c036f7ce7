import { compose } from '@switchyard/composition'
import { describe, expect, it } from 'vitest'
import {
  compileSupergraph,
  execute,
  type ExecutionResult,
  openGraph,
  prepareOperation,
} from '../../../src/index.ts'
import { planOperation } from '../../../src/plan/plan-operation.ts'

const LINK = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@external", "@requires"])\n`

const SDL = {
  goods: `${LINK}
    type Query { items: [Item!] }
    type Item @key(fields: "id") { id: ID! weight: Int size: Size code: ID maker: Maker title: String }
    type Size { width: Int depth: Int }
    type Maker { country: String name: String }
  `,
  codes: `${LINK}
    type Item @key(fields: "id") @key(fields: "sku") { id: ID! sku: ID }
  `,
  shipping: `${LINK}
    type Item @key(fields: "id") {
      id: ID! weight: Int @external size: Size @external maker: Maker @external
      cost: Int @requires(fields: "weight")
      fast: Int @requires(fields: "weight size { width }")
      box: String @requires(fields: "size { depth }")
      duty: Int! @requires(fields: "maker { country }")
      plain: String
    }
    type Size @key(fields: "width", resolvable: false) { width: Int @external depth: Int @external }
    type Maker { country: String @external }
  `,
  stock: `${LINK}
    type Item @key(fields: "sku") { sku: ID count: Int shelf: String }
  `,
}

const composed = compose({
  subgraphs: Object.entries(SDL).map(([name, sdl]) => ({ name, routingUrl: `http://${name}.test/`, sdl })),
})
if (composed.kind === 'failed') throw new Error(JSON.stringify(composed))
const graph = openGraph(compileSupergraph(composed.supergraphSdl))

type Answers = Readonly<Record<string, { readonly data: unknown; readonly errors?: readonly unknown[] }>>

async function ask(query: string, answers: Answers): Promise<ExecutionResult> {
  const plan = planOperation(prepareOperation(graph, { document: query }), new Map())
  return new Promise<ExecutionResult>((resolve) => {
    const fetch: Parameters<typeof execute>[1]['fetch'] = ({ subgraph }, done) => {
      setImmediate(() => done({ kind: 'answer', status: 200, body: answers[subgraph] ?? { data: null } }))
    }
    execute(graph, { plan, variables: new Map(), fetch }, resolve)
  })
}

const failing = (...path: (string | number)[]) => [{ message: 'Oh', path }]
const pathsOf = ({ errors }: ExecutionResult) => errors.map(({ path }) => path)

describe('an error in what only the router asked for', () => {
  it('stands at the field that requires it', async () => {
    const result = await ask('{ items { price: cost plain } }', {
      goods: { data: { items: [{ id: '1', weight: null }] }, errors: failing('items', 0, 'weight') },
      shipping: { data: { _entities: [{ price: null, plain: 'p' }] } },
    })
    expect(result.data).toEqual({ items: [{ price: null, plain: 'p' }] })
    expect(pathsOf(result)).toEqual([['items', 0, 'price']])
  })

  it('stands at every field that requires it', async () => {
    const result = await ask('{ items { cost fast plain } }', {
      goods: {
        data: { items: [{ id: '1', weight: null, size: { width: 1 } }] },
        errors: failing('items', 0, 'weight'),
      },
      shipping: { data: { _entities: [{ cost: null, fast: null, plain: 'p' }] } },
    })
    expect(pathsOf(result)).toEqual([
      ['items', 0, 'cost'],
      ['items', 0, 'fast'],
    ])
  })

  it.each([
    ['width', 'fast'],
    ['depth', 'box'],
  ])('tells by what is required below: %s is for %s', async (failed, field) => {
    const result = await ask('{ items { fast box } }', {
      goods: {
        data: { items: [{ id: '1', weight: 1, size: { width: null, depth: null } }] },
        errors: failing('items', 0, 'size', failed),
      },
      shipping: { data: { _e0: [{ fast: 1 }], _e1: [{ box: 'b' }] } },
    })
    expect(pathsOf(result)).toEqual([['items', 0, field]])
  })

  it('of which an object failed as a whole stands at the fields that require some of it', async () => {
    const result = await ask('{ items { fast box cost } }', {
      goods: { data: { items: [{ id: '1', weight: 1, size: null }] }, errors: failing('items', 0, 'size') },
      shipping: { data: { _e0: [{ fast: null, cost: 4 }], _e1: [{ box: null }] } },
    })
    expect(pathsOf(result)).toEqual([
      ['items', 0, 'fast'],
      ['items', 0, 'box'],
    ])
  })

  it('below an object that the client sees stands at the field that requires it', async () => {
    const result = await ask('{ items { by: maker { name } duty } }', {
      goods: {
        data: { items: [{ id: '1', by: { name: 'n', country: null } }] },
        errors: failing('items', 0, 'by', 'country'),
      },
      shipping: { data: { _entities: [{ duty: 1 }] } },
    })
    expect(pathsOf(result)).toEqual([['items', 0, 'duty']])
  })

  it('explains the null of that field, which gives no second error', async () => {
    const result = await ask('{ items { title duty } }', {
      goods: {
        data: { items: [{ id: '1', title: 't', maker: { country: null } }] },
        errors: failing('items', 0, 'maker', 'country'),
      },
      shipping: { data: { _entities: [{ duty: null }] } },
    })
    expect(result.data).toEqual({ items: null })
    expect(pathsOf(result)).toEqual([['items', 0, 'duty']])
  })

  it('in a key stands at each field the key leads to', async () => {
    const answers: Answers = {
      goods: { data: { items: [{ id: '1', title: 't' }] } },
      codes: { data: { _entities: [{ sku: null }] }, errors: failing('_entities', 0, 'sku') },
    }
    const one = await ask('{ items { title left: count } }', answers)
    expect(one.data).toEqual({ items: [{ title: 't', left: null }] })
    expect(pathsOf(one)).toEqual([['items', 0, 'left']])
    const several = await ask('{ items { title count shelf } }', answers)
    expect(pathsOf(several)).toEqual([
      ['items', 0, 'count'],
      ['items', 0, 'shelf'],
    ])
  })

  it('that leads to another key stands at the field at the end', async () => {
    const result = await ask('{ all: items { left: count } }', {
      goods: { data: { all: [{ id: null }] }, errors: failing('all', 0, 'id') },
    })
    expect(result.data).toEqual({ all: [{ left: null }] })
    expect(pathsOf(result)).toEqual([['all', 0, 'left']])
  })
})
