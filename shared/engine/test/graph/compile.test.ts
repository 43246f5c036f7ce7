import { describe, expect, it } from 'vitest'
import { compileSupergraph } from '../../src/graph/compile.ts'
import { fieldOf, type Graph, openGraph } from '../../src/graph/graph.ts'
import { NO_ROOT_TYPE } from '../../src/ids/ids.ts'
import { SupergraphError } from '../../src/graph/header/supergraph-error.ts'
import { lines, planIn } from '../plan/support/planned.ts'
import { supergraph } from './supergraph-text.ts'

function open(body: string, graphs: readonly string[] = ['A', 'B'], links = ''): Graph {
  return openGraph(compileSupergraph(supergraph(graphs, body, links)))
}

function edges(graph: Graph, coordinate: string) {
  const [type = '', field = ''] = coordinate.split('.')
  return fieldOf(graph, graph.typeByName.get(type) ?? NO_ROOT_TYPE, field)?.edges
}

function codeOf(action: () => unknown): string | null {
  try {
    action()
    return null
  } catch (error) {
    return error instanceof SupergraphError ? error.code : String(error)
  }
}

const QUERY = 'type Query @join__type(graph: A) @join__type(graph: B) { e: E @join__field(graph: A) }'

describe('a compiled supergraph', () => {
  it('survives the way between two threads', () => {
    const compiled = compileSupergraph(supergraph(['A'], 'type Query @join__type(graph: A) { n: Int }'))
    expect(structuredClone(compiled)).toEqual(compiled)
  })

  it('knows subgraphs by their names, which differ from the enum values', () => {
    const graph = open('type Query @join__type(graph: A) { n: Int }')
    expect(graph.compiled.subgraphs).toEqual([
      { name: 'a', url: 'http://a', enumValue: 'A' },
      { name: 'b', url: 'http://b', enumValue: 'B' },
    ])
  })

  it('puts a field without join__field into every subgraph that has the type', () => {
    const graph = open(`${QUERY} type E @join__type(graph: A) @join__type(graph: B) { n: Int }`)
    expect(edges(graph, 'E.n')?.map((edge) => edge.sub)).toEqual([0, 1])
  })

  it('gives no edge to a field with a bare join__field', () => {
    const graph = open(`${QUERY} type E @join__type(graph: A) { n: Int @join__field }`)
    expect(edges(graph, 'E.n')).toEqual([])
  })

  it('keeps runtime types per subgraph', () => {
    const graph = open(`
      ${QUERY}
      type E @join__type(graph: A) { n: Int }
      interface I @join__type(graph: A) @join__type(graph: B) { n: Int }
      type X implements I @join__implements(graph: A, interface: "I") @join__type(graph: A) @join__type(graph: B) { n: Int }
      type Y implements I @join__implements(graph: A, interface: "I") @join__implements(graph: B, interface: "I") @join__type(graph: A) @join__type(graph: B) { n: Int }
      union U @join__type(graph: A) @join__type(graph: B) @join__unionMember(graph: A, member: "X") @join__unionMember(graph: B, member: "Y") = X | Y`)
    const named = (type: string) =>
      graph.compiled.types[graph.typeByName.get(type) ?? -1]?.presence.map(({ runtime }) =>
        runtime.map((id) => graph.compiled.types[id]?.name),
      )
    expect(named('I')).toEqual([['X', 'Y'], ['Y']])
    expect(named('U')).toEqual([['X'], ['Y']])
  })

  it('reads `override` as a subgraph name and ignores one that does not exist', () => {
    const graph = open(`
      ${QUERY}
      type E @join__type(graph: A) @join__type(graph: B) {
        n: Int @join__field(graph: A) @join__field(graph: B, override: "a")
        m: Int @join__field(graph: A) @join__field(graph: B, override: "gone")
      }`)
    expect(edges(graph, 'E.n')?.map((edge) => edge.external)).toEqual([true, false])
    expect(edges(graph, 'E.m')?.map((edge) => edge.external)).toEqual([false, false])
  })

  it('treats a field that its own subgraph requires as external, unless it is part of the key', () => {
    const graph = open(`
      ${QUERY}
      type E @join__type(graph: A, key: "id") @join__type(graph: B, key: "id") {
        id: ID
        n: Int
        m: Int @join__field(graph: B, requires: "id n")
      }`)
    expect(edges(graph, 'E.n')?.map((edge) => edge.external)).toEqual([false, true])
    expect(edges(graph, 'E.id')?.map((edge) => edge.external)).toEqual([false, false])
  })

  it('plans the first form of the join specification', () => {
    const graph = openGraph(
      compileSupergraph(`
        schema @core(feature: "https://specs.apollo.dev/core/v0.1") @core(feature: "https://specs.apollo.dev/join/v0.1") { query: Query }
        enum join__Graph { A @join__graph(name: "a", url: "http://a") B @join__graph(name: "b", url: "http://b") }
        type Query { me: User @join__field(graph: A) }
        type User @join__owner(graph: A) @join__type(graph: A, key: "id") @join__type(graph: B, key: "id") {
          id: ID! @join__field(graph: A)
          name: String @join__field(graph: A)
          points: Points @join__field(graph: B)
        }
        type Points { total: Int }`),
    )
    expect(lines(graph, planIn(graph, '{ me { name points { total } } }'))).toEqual([
      '0 a {me{id name}}',
      '1 b after 0 query($r0:[_Any!]!){_entities(representations:$r0){...on User{points{total}}}}',
    ])
  })

  it('can ask any subgraph of the first form for the keys it names, and for what it provides', () => {
    const graph = openGraph(
      compileSupergraph(`
        schema @core(feature: "https://specs.apollo.dev/core/v0.1") @core(feature: "https://specs.apollo.dev/join/v0.1") { query: Query }
        enum join__Graph { A @join__graph(name: "a", url: "http://a") B @join__graph(name: "b", url: "http://b") }
        type Query { me: User @join__field(graph: A) review: Review @join__field(graph: B) }
        type User @join__owner(graph: A) @join__type(graph: A, key: "id") @join__type(graph: B, key: "id") {
          id: ID! @join__field(graph: A)
          name: String @join__field(graph: A)
          size: Int @join__field(graph: A)
          age: Int @join__field(graph: B, requires: "size")
        }
        type Review { author: User @join__field(graph: B, provides: "name") writer: User }`),
    )
    expect(lines(graph, planIn(graph, '{ review { author { id name } } }'))).toEqual([
      '0 b {review{author{id name}}}',
    ])
    expect(lines(graph, planIn(graph, '{ review { writer { name } } }'))).toEqual([
      '0 b {review{writer{id}}}',
      '1 a after 0 query($r0:[_Any!]!){_entities(representations:$r0){...on User{name}}}',
    ])
    expect(lines(graph, planIn(graph, '{ me { age } }'))).toEqual([
      '0 a {me{id size}}',
      '1 b after 0 query($r0:[_Any!]!){_entities(representations:$r0){...on User{age}}}',
    ])
  })

  it('says which access rules it relies on, under whatever names, of those that are applied to something', () => {
    const link = (name: string, more = '') =>
      `@link(url: "https://specs.apollo.dev/${name}/v0.1"${more}, for: SECURITY)`
    const links = `${link('policy', ', as: "may"')} ${link('authenticated', ', import: [{ name: "@authenticated", as: "@auth" }]')} ${link('requiresScopes')}`
    const rulesOf = (body: string, links = '') => open(body, ['A'], links).compiled.accessRules
    expect(rulesOf('type Query @join__type(graph: A) { n: Int @may n2: Int }', links)).toEqual(['policy'])
    expect(
      rulesOf(
        'type Query @join__type(graph: A) { n: T @may } type T @auth @join__type(graph: A) { n: Int }',
        links,
      ),
    ).toEqual(['authenticated', 'policy'])
    expect(
      rulesOf(
        'type Query @join__type(graph: A) { s: S } scalar S @requiresScopes @join__type(graph: A)',
        links,
      ),
    ).toEqual(['requiresScopes'])
    expect(rulesOf('type Query @join__type(graph: A) { n: Int @authenticated @policy }', links)).toEqual([])
    expect(rulesOf('type Query @join__type(graph: A) { n: Int }')).toEqual([])
    const writtenOtherwise = '@link(url: "HTTP://Specs.Apollo.dev/authenticated/v0.1")'
    expect(rulesOf('type Query @join__type(graph: A) { n: Int @authenticated }', writtenOtherwise)).toEqual([
      'authenticated',
    ])
    const ofSomebodyElse = '@link(url: "https://example.test/authenticated/v1.0")'
    expect(rulesOf('type Query @join__type(graph: A) { n: Int @authenticated }', ofSomebodyElse)).toEqual([])
  })

  it('moves a progressively overridden field while its label is active', () => {
    const graph = open(`
      ${QUERY}
      type E @join__type(graph: A, key: "id") @join__type(graph: B, key: "id") {
        id: ID
        n: Int @join__field(graph: A, overrideLabel: "percent(5)") @join__field(graph: B, override: "a", overrideLabel: "percent(5)")
      }`)
    expect(lines(graph, planIn(graph, '{ e { n } }'))).toEqual(['0 a {e{n}}'])
    const moved = planIn(graph, '{ e { n } }', {}, { labels: new Set(['percent(5)']) })
    expect(lines(graph, moved)).toEqual([
      '0 a {e{id}}',
      '1 b after 0 query($r0:[_Any!]!){_entities(representations:$r0){...on E{n}}}',
    ])
  })

  it('enters the query root again in every subgraph, without a key', () => {
    const graph = open(`
      type Query @join__type(graph: A) @join__type(graph: B) { self: Query @join__field(graph: A) a: Int @join__field(graph: A) b: Int @join__field(graph: B) }`)
    expect(lines(graph, planIn(graph, '{ self { a b } }'))).toEqual(['0 a {self{a}}', '1 b {b}'])
  })
})

describe('a supergraph that cannot be served', () => {
  it('is refused when it is no GraphQL', () => {
    expect(codeOf(() => compileSupergraph('type {'))).toBe('SUPERGRAPH_SYNTAX')
  })

  it('is refused when it is the schema of a subgraph', () => {
    expect(codeOf(() => compileSupergraph('type Query { n: Int }'))).toBe('SUPERGRAPH_INVALID')
  })

  it('is refused when it needs an unknown feature for security or execution', () => {
    const body = 'type Query @join__type(graph: A) { n: Int }'
    const link = (purpose: string) => `@link(url: "https://example.com/guard/v1.0"${purpose})`
    expect(codeOf(() => open(body, ['A'], link(', for: SECURITY')))).toBe('SUPERGRAPH_UNSUPPORTED_FEATURE')
    expect(codeOf(() => open(body, ['A'], link('')))).toBeNull()
    const namesake = '@link(url: "https://example.com/tag/v0.3", for: SECURITY)'
    expect(codeOf(() => open(body, ['A'], namesake))).toBe('SUPERGRAPH_UNSUPPORTED_FEATURE')
  })

  it('is refused when a field takes arguments from a context', () => {
    const body = `type Query @join__type(graph: A) {
      n: Int @join__field(graph: A, contextArguments: [{ context: "c", name: "n", type: "Int", selection: "{ n }" }])
    }`
    expect(codeOf(() => open(body, ['A']))).toBe('SUPERGRAPH_UNSUPPORTED_FEATURE')
  })

  it('is refused when a directive names a graph that does not exist', () => {
    expect(codeOf(() => open('type Query @join__type(graph: NOWHERE) { n: Int }'))).toBe('SUPERGRAPH_INVALID')
  })

  it.each([
    ['a key', 'type E @join__type(graph: A, key: "no") { id: ID }', /key of E names the field "no"/],
    [
      'a nested key',
      'type E @join__type(graph: A, key: "e { no }") { e: E }',
      /key of E names the field "no", which the type "E"/,
    ],
    [
      'a requirement',
      'type E @join__type(graph: A, key: "id") { id: ID n: Int @join__field(graph: A, requires: "... on E { no }") }',
      /at E\.n names the field "no"/,
    ],
    [
      'a provided field',
      'type E @join__type(graph: A, key: "id") { id: ID es: [E] @join__field(graph: A, provides: "no") }',
      /at E\.es names the field "no", which the type "E"/,
    ],
  ])('is refused when %s names a field that there is not', (_, body, message) => {
    expect(() => open(`${QUERY} ${body}`)).toThrow(message)
  })

  it('is refused when two graphs have the name of one subgraph', () => {
    const sdl = supergraph(['A', 'B'], 'type Query @join__type(graph: A) { n: Int }')
    expect(() => compileSupergraph(sdl.replace('name: "b"', 'name: "a"'))).toThrow(
      'Two values of the enum join__Graph name the same subgraph "a"',
    )
  })

  it.each(['{ id }', ' # of the owner\\n { id }', 'id # of the owner'])(
    'takes a key as an author wrote it: %s',
    (key) => {
      const body = `${QUERY} type E @join__type(graph: A, key: "${key}") { id: ID }`
      const graph = open(body)
      const keys = graph.compiled.types.flatMap(({ presence }) => presence.flatMap((one) => one.keys))
      expect(keys.map(({ fieldSet }) => fieldSet)).toEqual([[expect.objectContaining({ name: 'id' })]])
    },
  )

  it('is refused when a key cannot be parsed', () => {
    const body = `${QUERY} type E @join__type(graph: A, key: "id {") { id: ID }`
    expect(() => open(body)).toThrow('The selection "id {" at the key of E cannot be parsed')
  })
})
