import { describe, expect, it } from 'vitest'
import { preparePlan } from '../../../src/execution/joining/prepared-plan.ts'
import { compileSupergraph } from '../../../src/graph/compile.ts'
import { openGraph } from '../../../src/graph/graph.ts'
import { supergraph } from '../../graph/supergraph-text.ts'
import { planIn } from '../../plan/support/planned.ts'
import { data, run } from '../support/run.ts'

const LEVELS = 58

describe('a chain of fetches of which each waits for all before', () => {
  const graph = openGraph(
    compileSupergraph(
      supergraph(
        ['A', 'B'],
        `type Query @join__type(graph: A) { start: E @join__field(graph: A) }
         type E @join__type(graph: A, key: "id") @join__type(graph: B, key: "id") {
           id: ID! a: E @join__field(graph: A) b: E @join__field(graph: B) last: Int! @join__field(graph: B)
         }`,
      ),
    ),
  )
  const levels = Array.from({ length: LEVELS }, (_, index) => (index % 2 === 0 ? 'b' : 'a'))
  const plan = planIn(graph, `{ start { ${levels.join(' { ')} { last } ${'}'.repeat(LEVELS + 1)}`)
  const path = ['start', ...levels, 'last']

  const answersUntil = (missing: number) =>
    run(graph, plan, ({ fetch: { id } }) =>
      id === 0
        ? data({ start: { id: 1 } })
        : data({ _entities: [id === missing ? null : { a: { id: 1 }, b: { id: 1 } }] }),
    )

  it('reports a missing entity at its end once', async () => {
    const { result } = await answersUntil(plan.fetches.length - 1)
    expect(plan.fetches.at(-1)?.after).toHaveLength(plan.fetches.length - 1)
    expect(result.errors).toEqual([
      {
        message: 'Cannot return null for non-nullable field E.last.',
        path,
        extensions: { code: 'SUBGRAPH_INVALID_VALUE', serviceName: 'b' },
      },
    ])
  })

  it('asks for nothing below an entity that is missing on the way, which is no error', async () => {
    const { result, requests } = await answersUntil(3)
    expect(requests).toHaveLength(4)
    expect(result).toEqual({ data: { start: { b: { a: { b: null } } } }, errors: [] })
  })
})

describe('object types that share everything below them, level by level', () => {
  it('are prepared once for each place', () => {
    const graph = openGraph(
      compileSupergraph(
        supergraph(
          ['A'],
          `type Query @join__type(graph: A) { start: Node }
           interface Node @join__type(graph: A) { next: Node }
           ${['T0', 'T1'].map((type) => `type ${type} implements Node @join__implements(graph: A, interface: "Node") @join__type(graph: A) { next: Node own${type}: Int }`).join(' ')}`,
        ),
      ),
    )
    const level = '... on T0 { ownT0 } ... on T1 { ownT1 } next { '
    const plan = planIn(graph, `{ start { ${level.repeat(LEVELS)} __typename ${'}'.repeat(LEVELS + 2)}`)
    expect(preparePlan(plan).shapes.map(({ length }) => length)).toEqual(plan.positions.map(() => 1))
  })
})
