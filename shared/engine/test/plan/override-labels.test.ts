import { describe, expect, it } from 'vitest'
import { compileSupergraph } from '../../src/graph/compile.ts'
import { openGraph } from '../../src/graph/graph.ts'
import { prepareOperation } from '../../src/operation/operation.ts'
import { supergraph } from '../graph/supergraph-text.ts'
import { lines } from './support/planned.ts'
import { planOperation } from '../../src/plan/plan-operation.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

const moves = (field: string) =>
  `${field}: String @join__field(graph: FRESH, override: "old", overrideLabel: "${field}") @join__field(graph: OLD, overrideLabel: "${field}")`

const graph = openGraph(
  compileSupergraph(
    supergraph(
      ['FRESH', 'OLD', 'SCORES', 'TAGS'],
      `
    type Query @join__type(graph: OLD) { posts: [Post] users: [User] node: Node }
    interface Node @join__type(graph: OLD, key: "id") @join__type(graph: TAGS, key: "id", isInterfaceObject: true) {
      id: ID!
      tag: String @join__field(graph: TAGS, override: "old", overrideLabel: "tag")
    }
    type Post implements Node
      @join__type(graph: FRESH, key: "id") @join__type(graph: OLD, key: "id") @join__type(graph: SCORES, key: "id")
      @join__implements(graph: OLD, interface: "Node")
    {
      id: ID! ${moves('views')} ${moves('title')} ${moves('likes')}
      tag: String @join__field(graph: OLD, overrideLabel: "tag")
      user: User @join__field(graph: OLD)
      score: Int @join__field(graph: SCORES, requires: "views")
    }
    type User implements Node
      @join__type(graph: FRESH, key: "id") @join__type(graph: OLD, key: "id") @join__type(graph: SCORES, key: "email")
      @join__implements(graph: OLD, interface: "Node")
    {
      id: ID! @join__field(graph: FRESH) @join__field(graph: OLD)
      email: String
        @join__field(graph: FRESH, override: "old", overrideLabel: "email") @join__field(graph: OLD, overrideLabel: "email")
        @join__field(graph: SCORES, external: true)
      name: String @join__field(graph: OLD)
      tag: String @join__field(graph: OLD, overrideLabel: "tag")
      karma: Int @join__field(graph: SCORES)
    }
    type Misc @join__type(graph: FRESH, key: "id") @join__type(graph: OLD, key: "id") {
      id: ID! ${numbers(50)
        .map((n) => moves(`misc${n}`))
        .join(' ')}
    }`,
    ),
  ),
)

const operationOf = (document: string) => prepareOperation(graph, { document })
const none = new Map<string, unknown>()

describe('the labels that matter to an operation', () => {
  it.each([
    ['fields it selects, and keys of the objects it meets', '{ posts { views } }', ['views']],
    ['inputs of requires', '{ posts { score } }', ['views']],
    ['keys of an entity', '{ users { name } }', ['email']],
    ['keys of an entity below another one', '{ posts { user { karma } } }', ['email']],
    ['fields in fragments', '{ posts { ...F } } fragment F on Post { ... { title } }', ['title']],
    ['fields behind conditions', '{ posts { title @skip(if: true) views } }', ['title', 'views']],
    ['fields of interface objects', '{ posts { tag } }', ['tag']],
    ['keys of every type behind an interface', '{ node { id } }', ['email']],
    ['nothing where no label stands', '{ posts { id } }', []],
  ])('are those of %s', (_what, query, expected) => {
    expect(operationOf(query).overrideLabels).toEqual(expected)
  })

  it('are part of all labels that the graph knows', () => {
    expect(graph.labels).toHaveLength(55)
    expect(graph.labels).toEqual(graph.labels.toSorted())
  })
})

describe('the plan of an operation under labels', () => {
  const query = '{ posts { title views } }'
  const called = (document: string, ...labels: string[]) =>
    lines(graph, planOperation(operationOf(document), none, { labels: new Set(labels) })).map(
      (line) => line.split(' ')[1],
    )

  it('asks the new subgraph where the label is active, and the old one where it is not', () => {
    expect(called(query)).toEqual(['old'])
    expect(called(query, 'views')).toEqual(['old', 'fresh'])
    const both = planOperation(operationOf(query), none, { labels: new Set(['title', 'views']) })
    expect(lines(graph, both)).toEqual([
      '0 old {posts{id}}',
      '1 fresh after 0 query($r0:[_Any!]!){_entities(representations:$r0){...on Post{title views}}}',
    ])
  })

  it('takes inputs of requires, and keys, from where they live under the labels', () => {
    expect(called('{ posts { score } }')).toEqual(['old', 'scores'])
    expect(called('{ posts { score } }', 'views')).toEqual(['old', 'fresh', 'scores'])
    expect(called('{ users { karma } }')).toEqual(['old', 'scores'])
    expect(called('{ users { karma } }', 'email')).toEqual(['old', 'fresh', 'scores'])
  })

  it('is the same for sets of labels that differ in nothing it depends on', () => {
    const operation = operationOf(query)
    const plain = planOperation(operation, none)
    expect(planOperation(operation, none, { labels: new Set(['email', 'misc7', 'no such label']) })).toEqual(
      plain,
    )
    const moved = planOperation(operation, none, { labels: new Set(['views', 'misc1']) })
    expect(moved).not.toEqual(plain)
    expect(planOperation(operation, none, { labels: new Set(['misc2', 'views']) })).toEqual(moved)
    expect(planOperation(operation, none)).toEqual(plain)
  })

  it('is the same with every active label as with those it names, whatever was planned before', () => {
    const queries = [
      query,
      '{ posts { score user { karma tag } } }',
      '{ node { id ... on Post { likes } ... on User { name email } } users { email tag } }',
    ]
    for (const document of queries)
      for (const mask of numbers(64)) {
        const labels = new Set(
          graph.labels.filter((_label, index) => ((mask * 2654435761) >>> (index % 31)) & 1),
        )
        const operation = operationOf(document)
        const named = new Set(operation.overrideLabels.filter((label) => labels.has(label)))
        expect(planOperation(operation, none, { labels: named })).toEqual(
          planOperation(operation, none, { labels }),
        )
      }
  })
})
