import { describe, expect, it } from 'vitest'
import { CacheHints, type CacheLimit } from '../../src/caching/cache-hints.ts'
import { compileSupergraph } from '../../src/graph/compile.ts'
import { openGraph } from '../../src/graph/graph.ts'
import { prepareOperation } from '../../src/operation/operation.ts'
import { planOperation } from '../../src/plan/plan-operation.ts'
import { supergraph } from '../graph/supergraph-text.ts'

const SHOP = `
  directive @cacheControl(maxAge: Int, scope: CacheControlScope, inheritMaxAge: Boolean) on FIELD_DEFINITION | OBJECT | INTERFACE | UNION
  enum CacheControlScope @join__type(graph: A) { PUBLIC @join__enumValue(graph: A) PRIVATE @join__enumValue(graph: A) }
  type Query @join__type(graph: A) @join__type(graph: B) {
    book: Book @join__field(graph: A) @cacheControl(maxAge: 60)
    plain: Book @join__field(graph: A)
    number: Int @join__field(graph: A)
    timed: Int @join__field(graph: A) @cacheControl(maxAge: 5)
    mine: Author @join__field(graph: A) @cacheControl(maxAge: 60, scope: PRIVATE)
    thing: Thing @join__field(graph: A) @cacheControl(maxAge: 60)
    things: [Thing] @join__field(graph: A)
  }
  type Book @join__type(graph: A, key: "id") @join__type(graph: B, key: "id") @cacheControl(maxAge: 30) {
    id: ID! title: String @join__field(graph: A) price: Int @join__field(graph: A) @cacheControl(maxAge: 10)
    author: Author @join__field(graph: A)
    publisher: Author @join__field(graph: A) @cacheControl(inheritMaxAge: true)
    reviews: [Review] @join__field(graph: B) stock: Int @join__field(graph: B)
  }
  type Author @join__type(graph: A) { name: String }
  type Review @join__type(graph: B) @cacheControl(maxAge: 20, scope: PRIVATE) { stars: Int }
  union Thing @join__type(graph: A) @join__unionMember(graph: A, member: "Book") @join__unionMember(graph: A, member: "Author")
    @cacheControl(maxAge: 40) = Book | Author
`
const graph = openGraph(compileSupergraph(supergraph(['A', 'B'], SHOP)))

function hintsOf(document: string, defaultMaxAge = 0, on = graph) {
  const plan = planOperation(prepareOperation(on, { document }), new Map())
  return new CacheHints(defaultMaxAge).of(on, plan)
}
const ALWAYS = Number.POSITIVE_INFINITY
const shown = ({ maxAge, isPrivate }: CacheLimit) => (isPrivate ? `${maxAge} private` : maxAge)

describe('hints of the schema', () => {
  it.each([
    ['a field wins over its type', '{ book { title } }', [60]],
    ['a type speaks for a field that says nothing', '{ plain { title } }', [30]],
    ['the lowest age of all fields counts', '{ book { title price } }', [10]],
    ['a root field that says nothing is not kept', '{ number }', [0]],
    ['nor is one of an object type', '{ book { author { name } } }', [0]],
    ['unless it inherits', '{ book { publisher { name } } }', [60]],
    ['a private field makes all of its fetch private', '{ mine { name } timed }', ['5 private']],
    ['a union speaks like a type', '{ things { __typename } }', [40]],
    [
      'fields of all types of a union count',
      '{ thing { ... on Book { price } ... on Author { name } } }',
      [10],
    ],
    ['each fetch has its own', '{ book { title reviews { stars } } }', [60, '20 private']],
    ['objects of a fetch count as asked for', '{ book { stock } }', [60, 30]],
  ])('%s', (_, document, expected) => {
    expect(hintsOf(document)?.map(({ assumed }) => shown(assumed))).toEqual(expected)
  })

  it('assumes an age only where one should be said', () => {
    expect(hintsOf('{ number book { title } }', 7)?.[0]).toEqual({
      said: { maxAge: 60, isPrivate: false },
      assumed: { maxAge: 7, isPrivate: false },
    })
    expect(hintsOf('{ number }')?.[0]?.said).toEqual({ maxAge: ALWAYS, isPrivate: false })
  })

  it('are none where the schema has none', () => {
    const bare = openGraph(
      compileSupergraph(supergraph(['A'], 'type Query @join__type(graph: A) { number: Int }')),
    )
    expect(hintsOf('{ number }', 0, bare)).toBeNull()
  })

  it('are found once for each object that fetches give, however often fragments name it', () => {
    const nested = Array.from({ length: 200 }, (_, index) => `a${index}: book { title price }`).join(' ')
    expect(hintsOf(`{ ${nested} }`)?.map(({ assumed }) => assumed.maxAge)).toEqual([10])
  })
})
