import { describe, expect, it } from 'vitest'
import { compileSupergraph } from '../../src/graph/compile.ts'
import { openGraph } from '../../src/graph/graph.ts'
import { grantedBy } from '../../src/operation/access-conditions.ts'
import { prepareOperation } from '../../src/operation/operation.ts'
import { supergraph } from './supergraph-text.ts'

const LINKS = ['authenticated', 'requiresScopes', 'policy']
  .map((name) => `@link(url: "https://specs.apollo.dev/${name}/v0.1", for: SECURITY)`)
  .join(' ')

const accessOf = (body: string) => compileSupergraph(supergraph(['A', 'B'], body, LINKS)).access

describe('access rules of a supergraph', () => {
  it('are none where nothing is protected', () => {
    expect(accessOf('type Query @join__type(graph: A) { n: Int }')).toBeNull()
  })

  it('are conditions of types and fields, of which equal ones are one', () => {
    const access = accessOf(`
      type Query @join__type(graph: A) { n: Int @authenticated t: T @requiresScopes(scopes: [["a", "b"], ["c"]]) }
      type T @join__type(graph: A) @authenticated @policy(policies: ["p"]) { n: Int }`)
    expect(access?.conditions).toEqual([
      { kind: 'authenticated' },
      { kind: 'scopes', anyOf: [['a', 'b'], ['c']] },
      { kind: 'policies', anyOf: [['p']] },
    ])
    expect(access?.fields).toEqual(
      new Map([
        ['Query.n', [0]],
        ['Query.t', [1]],
      ]),
    )
    expect(access?.types).toEqual(new Map([['T', [0, 2]]]))
  })

  it('let nobody through where their arguments name nothing', () => {
    const anyOf = (args: string) => {
      const condition = accessOf(`type Query @join__type(graph: A) { n: Int @requiresScopes${args} }`)
        ?.conditions[0]
      return condition?.kind === 'scopes' ? condition.anyOf : null
    }
    expect([anyOf(''), anyOf('(scopes: [])'), anyOf('(scopes: 5)'), anyOf('(scopes: [["a", 5]])')]).toEqual([
      [],
      [],
      [],
      [],
    ])
    expect(anyOf('(scopes: "a")')).toEqual([['a']])
  })

  it('hold in extensions of types, too', () => {
    const access = accessOf(
      'type Query @join__type(graph: A) { n: T } type T @join__type(graph: A) { n: Int } extend type T @authenticated',
    )
    expect(access?.types).toEqual(new Map([['T', [0]]]))
  })

  it('pass to a field from all that it requires, through any number of fields', () => {
    const access = accessOf(`
      type Query @join__type(graph: A) { e: E }
      type E @join__type(graph: A, key: "id") @join__type(graph: B, key: "id") {
        id: ID
        a: In @join__field(graph: A) @join__field(graph: B, external: true)
        b: Int @join__field(graph: B, requires: "a { secret }") @join__field(graph: A, external: true)
        c: Int @join__field(graph: A, requires: "b")
      }
      type In @join__type(graph: A) @join__type(graph: B) { secret: Int @authenticated open: Int }`)
    expect(access?.fields).toEqual(
      new Map([
        ['In.secret', [0]],
        ['E.b', [0]],
        ['E.c', [0]],
      ]),
    )
  })
})

describe('access conditions of an operation', () => {
  const graph = openGraph(
    compileSupergraph(
      supergraph(
        ['A'],
        `type Query @join__type(graph: A) { open: Int closed: Int @authenticated node: Node }
         interface Node @join__type(graph: A) { id: ID }
         type X implements Node @join__type(graph: A) @join__implements(graph: A, interface: "Node") { id: ID @policy(policies: [["x"]]) }
         type Y implements Node @join__type(graph: A) @join__implements(graph: A, interface: "Node") { id: ID more: Int @requiresScopes(scopes: [["y"]]) }`,
        LINKS,
      ),
    ),
  )
  const conditionsOf = (document: string) =>
    prepareOperation(graph, { document }).accessConditions.map(
      (number) => graph.access?.conditions[number]?.kind,
    )

  it('are those of every field that it reaches, for every type that may be there', () => {
    expect(conditionsOf('{ open node { __typename } }')).toEqual([])
    expect(conditionsOf('{ closed }')).toEqual(['authenticated'])
    expect(conditionsOf('{ node { id } }')).toEqual(['policies'])
    expect(conditionsOf('{ ...F } fragment F on Query { node { ... on Y { more } } }')).toEqual(['scopes'])
  })

  it('are met by what a request holds', () => {
    const operation = prepareOperation(graph, { document: '{ closed node { id ... on Y { more } } }' })
    const kindsMet = (isAuthenticated: boolean, scopes: readonly string[], policies: readonly string[]) =>
      [
        ...grantedBy(operation, { isAuthenticated, scopes: new Set(scopes), policies: new Set(policies) }),
      ].map((number) => graph.access?.conditions[number]?.kind)
    expect(kindsMet(false, [], [])).toEqual([])
    expect(kindsMet(true, ['x'], ['y'])).toEqual(['authenticated'])
    expect(kindsMet(false, ['y'], ['x']).sort()).toEqual(['policies', 'scopes'])
  })
})
