import { describe, expect, it } from 'vitest'
import { compileSupergraph } from '../../../src/graph/compile.ts'
import { openGraph } from '../../../src/graph/graph.ts'
import { printPlan } from '../../../src/plan/print/print-plan.ts'
import { type FetchNode, type PlanNode, planTree } from '../../../src/plan/print/plan-tree.ts'
import { createEngine, SUITES } from '@switchyard/corpus'
import { supergraph } from '../../graph/supergraph-text.ts'
import { planIn, worldOf } from '../support/planned.ts'

function printed(sdls: Readonly<Record<string, string>>, query: string): string {
  const { graph } = worldOf(sdls)
  return printPlan(graph, planIn(graph, query))
}

function fetchesIn(node: PlanNode | null): readonly FetchNode[] {
  if (node === null) return []
  return node.kind === 'Fetch' ? [node] : node.nodes.flatMap(fetchesIn)
}

describe('a printed plan', () => {
  it('shows waves, subgraphs, representations, reasons and costs', () => {
    const text = printed(
      {
        a: 'type Query { jobs: [Job] } type Job @key(fields: "id") { id: ID! hours: Int }',
        b: 'type Job @key(fields: "id") { id: ID! hours: Int @external cost: Int @requires(fields: "hours") }',
      },
      '{ jobs { number: id cost } }',
    )
    expect(text).toBe(`Plan for a query: 2 requests, depth 2, effort 2100
Sequence
  Fetch 0 from "a" (level 1, effort 1000): root fields
    | {
    |   jobs {
    |     number: id
    |     hours
    |   }
    | }
  Fetch 1 from "b" after 0 (level 2, effort 1100): key "id", requires "hours" of Job.cost
    $r0 from jobs: { __typename: "Job" id: number hours }
    | query ($r0: [_Any!]!) {
    |   _entities(representations: $r0) {
    |     ... on Job {
    |       cost
    |     }
    |   }
    | }
`)
  })

  it('puts side by side what starts together', () => {
    const text = printed(
      {
        a: 'type Query { job: Job } type Job @key(fields: "id") { id: ID! }',
        b: 'type Job @key(fields: "id") { id: ID! cost: Int }',
        c: 'type Query { now: Int } type Job @key(fields: "id") { id: ID! place: String }',
      },
      '{ job { cost place } now }',
    )
    expect(text.split('\n').filter((line) => !line.includes('|') && !line.includes('$'))).toEqual([
      'Plan for a query: 4 requests, depth 2, effort 4200',
      'Sequence',
      '  Parallel',
      '    Fetch 0 from "a" (level 1, effort 1000): root fields',
      '    Fetch 1 from "c" (level 1, effort 1000): root fields',
      '  Parallel',
      '    Fetch 2 from "b" after 0 (level 2, effort 1100): key "id"',
      '    Fetch 3 from "c" after 0 (level 2, effort 1100): key "id"',
      '',
    ])
  })

  it('says for which types representations are made, and where the query root is entered again', () => {
    const text = printed(
      {
        a: `type Query { any: Any self: Query } union Any = Job | Man
          type Job @key(fields: "id") { id: ID! } type Man { age: Int }`,
        b: 'type Query { now: Int } type Job @key(fields: "id") { id: ID! cost: Int }',
      },
      '{ any { ... on Job { cost } } self { now } }',
    )
    expect(text).toContain('\n    $r0 from any (Job): { __typename: "Job" id }\n')
    expect(text).toContain('\n      query root at self\n')
  })

  it('marks what waits for earlier mutation fields', () => {
    const text = printed(
      {
        a: 'type Query { a: Int } type Mutation { one: Job three: Int } type Job @key(fields: "id") { id: ID! }',
        b: 'type Mutation { two: Int } type Job @key(fields: "id") { id: ID! cost: Int }',
      },
      'mutation { one { cost } two three }',
    )
    expect(text.split('\n').filter((line) => line.includes('mutation fields'))).toHaveLength(2)
    expect(text).toMatch(/Fetch 2 from "b" after 0, 1 .*\n {4}waits until the mutation fields before it/)
  })

  it('needs no fetch for type names and introspection', () => {
    const sdls = { a: 'type Query { a: Int }' }
    expect(printed(sdls, '{ __typename }')).toBe('Plan for a query: 0 requests, depth 0, effort 0\n')
    expect(printed(sdls, '{ s: __schema { description } a }')).toMatch(
      /^Plan for a query: 1 request, depth 1, effort 1000\nIntrospection, answered here: s\nFetch 0 /,
    )
  })

  it('explains why a field is out of reach', () => {
    const sdl = supergraph(
      ['A', 'B', 'C'],
      `
      type Query @join__type(graph: A) @join__type(graph: B) @join__type(graph: C) { user: User @join__field(graph: A) b: Int @join__field(graph: B) }
      type User @join__type(graph: A) @join__type(graph: B) @join__type(graph: C, key: "mail") {
        id: ID @join__field(graph: A) mail: String @join__field(graph: C)
        name: String @join__field(graph: B) @join__field(graph: C) ghost: Int @join__field(graph: A, external: true)
      }`,
    )
    const graph = openGraph(compileSupergraph(sdl))
    expect(printPlan(graph, planIn(graph, '{ user { who: name ghost } }'))).toBe(
      `Plan for a query: 0 requests, depth 0, effort 0
Unreachable: no subgraph answers these fields from where the operation asks for them
  User.name at user.who: "b" resolves it, but finds no User by a key; "c" resolves it, but finds User by "mail", which cannot be had here
  User.ghost at user.ghost: no subgraph resolves it
`,
    )
  })

  it('lets names stand out where it is asked to, and is otherwise the same', () => {
    const { graph } = worldOf({ a: 'type Query { a: Int }' })
    const plan = planIn(graph, '{ a }')
    const ink = { bold: (text: string) => `<b>${text}</b>`, dim: (text: string) => `<i>${text}</i>` }
    const inked = printPlan(graph, plan, ink)
    expect(inked).toContain('Fetch 0 from <b>"a"</b> (level')
    expect(inked).toContain('<i>  | {</i>')
    expect(inked.replaceAll(/<.>|<\/.>/g, '')).toBe(printPlan(graph, plan))
  })

  it.each(SUITES)('adds up for $name', (suite) => {
    const engine = createEngine(suite)
    for (const operation of suite.operations) {
      const plan = engine.plan(operation)
      const tree = planTree(engine.graph, plan)
      const fetches = fetchesIn(tree.root)
      expect(fetches.reduce((sum, { cost }) => sum + cost, 0)).toBe(tree.cost)
      expect(Math.max(0, ...fetches.map(({ level }) => level))).toBe(tree.depth)
      expect(fetches.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(plan.fetches.map(({ id }) => id))
      const levels = new Map(fetches.map(({ id, level }) => [id, level]))
      for (const { after, level } of fetches)
        for (const id of after) expect(levels.get(id)).toBeLessThan(level)
    }
  })
})
