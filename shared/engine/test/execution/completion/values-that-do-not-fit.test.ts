/** A subgraph that does not keep to the schema is named, with a code, whatever it is that does not fit. */
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

const LINK = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@interfaceObject"])\n`

const SDL = {
  goods: `${LINK}
    type Query { item: Item pet: Pet toy: Toy }
    type Item @key(fields: "id") { id: ID! size: Int sizes: [Int] parent: Item title: String! colour: Colour }
    enum Colour { RED BLUE }
    union Pet = Cat | Dog
    type Cat { name: String }
    type Dog { name: String }
    type Toy @key(fields: "id") @interfaceObject { id: ID! }
  `,
  stock: `${LINK}
    type Item @key(fields: "id") { id: ID! count: Int! shelves: [Int!] }
    interface Toy @key(fields: "id") { id: ID! }
    type Ball implements Toy @key(fields: "id") { id: ID! }
  `,
}

const composed = compose({
  subgraphs: Object.entries(SDL).map(([name, sdl]) => ({ name, routingUrl: `http://${name}.test/`, sdl })),
})
if (composed.kind === 'failed') throw new Error(JSON.stringify(composed))
const graph = openGraph(compileSupergraph(composed.supergraphSdl))

function ask(query: string, goods: unknown, stock: unknown): Promise<ExecutionResult> {
  const plan = planOperation(prepareOperation(graph, { document: query }), new Map())
  return new Promise((resolve) => {
    const fetch: Parameters<typeof execute>[1]['fetch'] = ({ subgraph }, done) => {
      const data = subgraph === 'goods' ? goods : { _entities: [stock] }
      setImmediate(() => done({ kind: 'answer', status: 200, body: { data } }))
    }
    execute(graph, { plan, variables: new Map(), fetch }, resolve)
  })
}

describe('an error about a value that does not fit the schema has a code and the name of the subgraph', () => {
  it.each([
    ['a leaf of another type', '{ item { size } }', { item: { size: 'big' } }, null, 'goods'],
    ['an object where a list is expected', '{ item { sizes } }', { item: { sizes: {} } }, null, 'goods'],
    [
      'a leaf where an object is expected',
      '{ item { parent { id } } }',
      { item: { parent: 'p' } },
      null,
      'goods',
    ],
    ['null where it is not allowed', '{ item { title } }', { item: { title: null } }, null, 'goods'],
    ['an unknown enum value', '{ item { colour } }', { item: { colour: 'GREY' } }, null, 'goods'],
    ['an unknown type', '{ pet { ... on Cat { name } } }', { pet: { __typename: 'Fish' } }, null, 'goods'],
    ['no type', '{ pet { __typename } }', { pet: {} }, null, 'goods'],
    [
      'an unknown type told by another one',
      '{ toy { __typename } }',
      { toy: { id: 1 } },
      { __typename: 'Doll' },
      'stock',
    ],
    ['a leaf of an entity', '{ item { shelves } }', { item: { id: 1 } }, { shelves: ['x'] }, 'stock'],
    ['null of an entity', '{ item { count } }', { item: { id: 1 } }, { count: null }, 'stock'],
    ['an entity that is not there', '{ item { count } }', { item: { id: 1 } }, null, 'stock'],
  ])('%s', async (_what, query, goods, stock, serviceName) => {
    const { errors } = await ask(query, goods, stock)
    expect(errors.map(({ extensions }) => extensions)).toEqual([
      { code: 'SUBGRAPH_INVALID_VALUE', serviceName },
    ])
  })
})
