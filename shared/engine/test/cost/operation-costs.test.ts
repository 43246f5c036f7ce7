import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { OperationCosts } from '../../src/cost/operation-costs.ts'
import { compileSupergraph } from '../../src/graph/compile.ts'
import { type Graph, openGraph, typeOf } from '../../src/graph/graph.ts'
import { ExactNumber } from '../../src/json/exact-number.ts'
import { prepareOperation } from '../../src/operation/operation.ts'
import { planOperation } from '../../src/plan/plan-operation.ts'
import type { ObjectShape, Plan, ShapeNode } from '../../src/plan/contract/plan.ts'
import { supergraph } from '../graph/supergraph-text.ts'

const COST = '@link(url: "https://specs.apollo.dev/cost/v0.1", import: ["@cost", "@listSize"])'
const ASSUMED = { listSize: 10, mutation: 10 }

const SHOP = `
  type Query @join__type(graph: A) @join__type(graph: B) {
    book: Book @join__field(graph: A)
    books: [Book] @join__field(graph: A)
    bestsellers: [Book] @join__field(graph: A) @listSize(assumedSize: 5)
    page(first: Int, last: Int): [Book] @join__field(graph: A)
      @listSize(slicingArguments: ["first", "last"], requireOneSlicingArgument: false, assumedSize: 7)
    strict(first: Int = 3, last: Int): [Book] @join__field(graph: A) @listSize(slicingArguments: ["first", "last"])
    catalogue(first: Int!): Catalogue @join__field(graph: A) @listSize(slicingArguments: ["first"], sizedFields: ["items", "paged"])
    things: [Thing] @join__field(graph: A)
    search(by: Filter, all: [Filter]): [Book] @join__field(graph: A) @listSize(assumedSize: 1)
    matrix: [[Book]] @join__field(graph: A) @listSize(assumedSize: 2)
    dear: Int @join__field(graph: A) @cost(weight: 5)
    paid(with: Int @cost(weight: 4)): Int @join__field(graph: A)
    usual(with: Int = 3 @cost(weight: 4)): Int @join__field(graph: A)
    digest: Digest @join__field(graph: A)
    long(first: Long): [Book] @join__field(graph: A) @listSize(slicingArguments: ["first"])
    listed: Listed @join__field(graph: A)
    cheaper: [Int] @join__field(graph: A) @cost(weight: -1000)
  }
  interface Listed @join__type(graph: A) { items(first: Int): [Book] @listSize(slicingArguments: ["first"]) }
  type Shelf implements Listed @join__type(graph: A) @join__implements(graph: A, interface: "Listed") {
    items(first: Int): [Book]
  }
  type Mutation @join__type(graph: A) { sell: Book }
  type Catalogue @join__type(graph: A) {
    items: [Book] total: Int
    paged(first: Int): [Book] @listSize(slicingArguments: ["first"], requireOneSlicingArgument: false)
  }
  type Book @join__type(graph: A, key: "id") @join__type(graph: B, key: "id") {
    id: ID! title: String @join__field(graph: A) author: Author @join__field(graph: A)
    reviews: [Review] @join__field(graph: B) @listSize(assumedSize: 4)
  }
  type Author @join__type(graph: A) @cost(weight: 3) { name: String books: [Book] @cost(weight: 2) }
  type Review @join__type(graph: B) { stars: Int @cost(weight: 2) }
  union Thing @join__type(graph: A) @join__unionMember(graph: A, member: "Book") @join__unionMember(graph: A, member: "Author")
    = Book | Author
  input Filter @join__type(graph: A) { title: String @cost(weight: 1) and: [Filter] }
  scalar Digest @join__type(graph: A) @cost(weight: 6)
  scalar Long @join__type(graph: A)
`
const open = (body: string, links = COST) =>
  openGraph(
    compileSupergraph(
      supergraph(['A', 'B'], body, links).replace('{ query: Query }', '{ query: Query mutation: Mutation }'),
    ),
  )
const graph = open(SHOP)

function planned(document: string, on: Graph = graph): Plan {
  return planOperation(prepareOperation(on, { document }), new Map())
}
function estimate(document: string, variables: Record<string, unknown> = {}) {
  return new OperationCosts(graph, ASSUMED).estimate(planned(document), new Map(Object.entries(variables)))
}

/** Of an answer of which nothing but itself is known. */
function costOf(costs: OperationCosts, plan: Plan, data: Record<string, unknown> | null): number | null {
  const counting = costs.answer(plan, new Map())
  counting.addData(data, null)
  return counting.total
}

describe('the estimate', () => {
  it.each([
    ['{ book { title } }', 1],
    ['{ books { title } }', 10],
    ['{ bestsellers { title author { name } } }', 5 * (1 + 3)],
    ['{ book { author { books { id } } } }', 1 + 3 + 10 * 2],
    ['{ book { reviews { stars } } }', 1 + 4 * (1 + 2)],
    ['{ page { id } }', 7],
    ['{ page(first: 2) { id } }', 2],
    ['{ page(first: 2, last: 30) { id } }', 30],
    ['{ catalogue(first: 6) { total items { title } } }', 1 + 6],
    ['{ catalogue(first: 6) { total all: items { title } } }', 1 + 6],
    ['{ things { ... on Book { title } ... on Author { name } } }', 10 * 3],
    ['{ things { ... on Book { title reviews { stars } } ... on Author { name } } }', 10 * (1 + 4 * 3)],
    ['{ search(by: { title: "a" }) { id } }', 1 + 1],
    ['{ search(all: [{ title: "a", and: [{ title: "b" }, {}] }, {}]) { id } }', 2 + 1],
    ['{ matrix { id } }', 2 * 10],
    ['{ dear again: dear __typename __schema { types { name } } }', 10],
    ['{ paid a: paid(with: 0) b: paid(with: null) }', 8],
    ['{ digest }', 6],
    ['{ usual given: usual(with: 1) }', 8],
    ['mutation { sell { title } }', 10 + 1],
    ['{ page(first: 0) { id } }', 0],
    ['{ page(first: -5) { id } }', 7],
    ['{ page(first: -5, last: 2) { id } }', 2],
    ['{ catalogue(first: -1) { items { title } } }', 1 + 10],
    ['{ long(first: "100000000000") { id } }', 1e11],
    ['{ long(first: 100000000000000000000) { id } }', 1e20],
    ['{ long(first: "cursor") { id } }', 10],
    ['{ catalogue(first: 2) { paged(first: 50) { id } } }', 1 + 50],
    ['{ catalogue(first: 2) { paged { id } } }', 1 + 2],
    ['{ listed { items(first: 30) { id } } }', 1 + 30],
    ['{ listed { ... on Shelf { items(first: 30) { id } } } }', 1 + 30],
    ['{ cheaper book { id } }', 1],
  ])('of %s', (document, total) => {
    expect(estimate(document).total).toBe(total)
  })

  it('goes by the values of variables each time, and by defaults', () => {
    const costs = new OperationCosts(graph, ASSUMED)
    const plan = planned(
      'query($n: Int, $f: Filter) { page(first: $n) { id reviews { stars } } search(by: $f) { id } }',
    )
    const of = (variables: Record<string, unknown>) =>
      costs.estimate(plan, new Map(Object.entries(variables))).total
    expect([of({}), of({ n: 2 }), of({ n: 100 }), of({ n: null }), of({ n: 2, f: { title: 'a' } })]).toEqual([
      7 * 13 + 1,
      2 * 13 + 1,
      100 * 13 + 1,
      7 * 13 + 1,
      2 * 13 + 2,
    ])
  })

  it.each([1e308, Number.POSITIVE_INFINITY, '1e999', new ExactNumber('1e400')])(
    'is a number where %s items are asked for, of what weighs nothing, too',
    (first) => {
      const { total } = estimate('query($n: Long) { long(first: $n) { title author { books { id } } } }', {
        n: first,
      })
      expect(total).toBeGreaterThan(1e50)
      expect(Number.isFinite(total)).toBe(true)
    },
  )

  it('looks once at a value that many fields are given', () => {
    let looks = 0
    const filter = {
      get title() {
        looks++
        return 'a'
      },
    }
    const fields = Array.from({ length: 400 }, (_, at) => `a${at}: search(all: $all, by: $by) { id }`)
    const document = `query($all: [Filter], $by: Filter) { ${fields.join(' ')} }`
    const all = Array.from({ length: 1_000 }, () => filter)
    expect(estimate(document, { all, by: { and: all } }).total).toBe(400 * (1 + 1_000 + 1_000))
    expect(looks).toBeLessThan(10)
    const cost = new OperationCosts(graph, ASSUMED).answer(
      planned(document),
      new Map(Object.entries({ all })),
    )
    cost.addData(Object.fromEntries(fields.map((_, at) => [`a${at}`, null])), null)
    expect(cost.total).toBe(400 * 1_000)
    expect(looks).toBeLessThan(10)
  })

  it('remembers no sizes that variables give', () => {
    const costs = new OperationCosts(graph, ASSUMED)
    const plan = planned('query($n: Int!) { catalogue(first: $n) { total items { title author { name } } } }')
    const lookUps = vi.spyOn(graph.compiled.costs?.types ?? expect.fail(), 'get')
    const countOf = (n: number): number => {
      lookUps.mockClear()
      costs.estimate(plan, new Map([['n', n]]))
      return lookUps.mock.calls.length
    }
    const all = countOf(1)
    const ofSize = countOf(2)
    expect(ofSize).toBeLessThan(all)
    expect([countOf(2), countOf(1), countOf(3)]).toEqual([ofSize, ofSize, ofSize])
    lookUps.mockRestore()
  })

  it('names the fields that are not given exactly one slicing argument where they need it', () => {
    const of = (document: string) => estimate(document).unsliced
    expect(of('{ strict(first: 2, last: 3) { id } }')).toEqual(['Query.strict'])
    expect(of('{ strict { id } }')).toEqual([])
    expect(of('{ strict(first: null) { id } }')).toEqual(['Query.strict'])
    expect(of('{ page(first: 1, last: 2) { id } }')).toEqual([])
  })

  it('names the fields whose slicing arguments may ask for any number of items', () => {
    const of = (document: string, first?: number | null) =>
      new OperationCosts(graph, ASSUMED).estimate(
        planned(document),
        new Map(first === undefined ? [] : [['n', first]]),
      ).unbounded
    expect(of('{ page(first: null) { id } }')).toEqual(['Query.page'])
    expect(of('{ page(first: -1) { id } }')).toEqual(['Query.page'])
    expect(of('query($n: Int) { page(first: $n) { id } }', null)).toEqual(['Query.page'])
    expect(of('query($n: Int) { page(first: $n) { id } }', 3)).toEqual([])
    expect(of('{ page(first: null, last: 2) { id } }')).toEqual([])
    expect(of('{ page { id } }')).toEqual([])
  })

  it('tells subgraphs apart', () => {
    const { bySubgraph, total } = estimate('{ bestsellers { title reviews { stars } } dear }')
    expect(new Map(bySubgraph)).toEqual(
      new Map([
        [0, 5 + 5],
        [1, 5 * 4 * 3],
      ]),
    )
    expect(total).toBe(70)
  })

  it('is a number that exceeds any limit where lists are within lists without end', () => {
    const most = 2 ** 31 - 1
    const inner = Array.from({ length: 30 }).reduce<string>(
      (below) => `{ author { books ${below} } }`,
      '{ id }',
    )
    const { total } = estimate(`{ page(first: ${most}) ${inner} other: page(first: 0) ${inner} }`)
    expect(total).toBeGreaterThan(1e30)
    expect(Number.isFinite(total)).toBe(true)
  })

  it('reckons shapes that are shared by many cases once', () => {
    const types = Array.from({ length: 3 }, (_, at) => `T${at}`)
    const body = `
      type Query @join__type(graph: A) { i: I }
      interface I @join__type(graph: A) { i: I n: Int }
      ${types.map((name) => `type ${name} implements I @join__type(graph: A) @join__implements(graph: A, interface: "I") { i: I n: Int ${name.toLowerCase()}: Int @cost(weight: 1) }`).join('\n')}`
    const deep = open(`${body} type Mutation @join__type(graph: A) { n: Int }`)
    const below = Array.from({ length: 40 }).reduce<string>(
      (inner) =>
        `{ i ${inner} ${types.map((name) => `... on ${name} { ${name.toLowerCase()} }`).join(' ')} }`,
      '{ n }',
    )
    const plan = planned(`{ i ${below} }`, deep)
    expect(new OperationCosts(deep, ASSUMED).estimate(plan, new Map()).total).toBe(41 + 40)
  })
})

it('costs are read under the names that a supergraph gives them, and weights as texts, too', () => {
  const costs = (links: string, cost: string, listSize: string) =>
    open(
      `type Query @join__type(graph: A) { a: [Int] ${listSize}(assumedSize: 3) ${cost}(weight: "2") } type Mutation @join__type(graph: A) { n: Int }`,
      links,
    ).compiled.costs?.fields.get('Query.a')
  const url = 'url: "https://specs.apollo.dev/cost/v0.1"'
  const expected = { weight: 2, list: { assumed: 3, slicing: [], sized: [], needsOneSlicing: false } }
  expect(costs(`@link(${url})`, '@cost', '@cost__listSize')).toMatchObject(expected)
  expect(costs(`@link(${url}, as: "price")`, '@price', '@price__listSize')).toMatchObject(expected)
  expect(
    costs(`@link(${url}, import: [{ name: "@cost", as: "@c" }, "@listSize"])`, '@c', '@listSize'),
  ).toMatchObject(expected)
  expect(costs('@link(url: "https://example.com/cost/v0.1")', '@cost', '@listSize')).toBeUndefined()
})

describe('what an answer has cost', () => {
  const actual = (document: string, data: Record<string, unknown> | null) =>
    costOf(new OperationCosts(graph, ASSUMED), planned(document), data)

  it.each([
    ['{ books { title author { name } } }', { books: [{ title: 'a', author: null }, null] }, 1],
    ['{ books { title author { name } } }', { books: [{ title: 'a', author: { name: 'b' } }] }, 4],
    [
      '{ things { ... on Book { title } ... on Author { name } } }',
      { things: [{ title: '' }, { name: '' }] },
      4,
    ],
    ['{ paid(with: 1) dear }', { paid: null, dear: 1 }, 9],
    ['mutation { sell { title } }', null, 10],
    ['{ usual given: usual(with: 1) }', { usual: 1, given: null }, 8],
  ])('%s answered by %j', (document, data, cost) => {
    expect(actual(document, data)).toBe(cost)
  })

  it('is not counted where it is very large', () => {
    const books = Array.from({ length: 300_000 }, () => ({ title: '' }))
    expect(actual('{ books { title } }', { books })).toBeNull()
  })
})

/** Selections on the type, of at most this depth. */
function selections(type: 'Query' | 'Book' | 'Author' | 'Thing', depth: number): fc.Arbitrary<string> {
  const below = (on: 'Book' | 'Author' | 'Thing') =>
    depth === 0 ? fc.constant('{ __typename }') : selections(on, depth - 1)
  const first = fc.integer({ min: 0, max: 4 })
  const book = () => below('Book')
  const fields = {
    Query: [
      book().map((inner) => `book ${inner}`),
      book().map((inner) => `books ${inner}`),
      fc.tuple(first, book()).map(([n, inner]) => `page(first: ${n}) ${inner}`),
      fc.tuple(first, book()).map(([n, inner]) => `catalogue(first: ${n}) { items ${inner} }`),
      below('Thing').map((inner) => `things ${inner}`),
      fc.constant('dear'),
      fc.constant('paid(with: 1)'),
    ],
    Book: [
      fc.constant('title'),
      below('Author').map((inner) => `author ${inner}`),
      fc.constant('reviews { stars }'),
    ],
    Author: [fc.constant('name'), book().map((inner) => `books ${inner}`)],
    Thing: [
      book().map((inner) => `... on Book ${inner}`),
      below('Author').map((inner) => `... on Author ${inner}`),
    ],
  }[type].map((field, at) =>
    type === 'Thing' ? field : field.map((text) => `${type.toLowerCase()}${at}: ${text}`),
  )
  return fc
    .uniqueArray(fc.oneof(...fields), {
      minLength: 1,
      maxLength: 3,
      selector: (text) => text.split(/[:{]/)[0],
    })
    .map((chosen) => `{ ${chosen.join(' ')} }`)
}

/** An answer in which each list is as long as it is reckoned to be. */
function answerTo(shape: ObjectShape, choose: (most: number) => number, sizes: ReadonlyMap<string, number>) {
  const value = (node: ShapeNode, size: number, inherited: ReadonlyMap<string, number>): unknown => {
    if (node.kind === 'list') return Array.from({ length: size }, () => value(node.item, 10, inherited))
    return node.kind === 'object' ? answerTo(node, choose, inherited) : 1
  }
  const { fields = [] } = shape.cases[choose(shape.cases.length)] ?? {}
  const data: Record<string, unknown> = {}
  for (const field of fields) {
    if (field.kind !== 'field') data[field.key] = 'T'
    else {
      const first = /first:(\d+)/.exec(field.args ?? '')?.[1]
      const own = first === undefined ? (field.name === 'reviews' ? 4 : 10) : Number(first)
      const handedDown = field.name === 'catalogue' ? new Map([['items', own]]) : new Map<string, number>()
      data[field.key] = value(field.node, sizes.get(field.name) ?? own, handedDown)
    }
  }
  return data
}

it('an answer with lists of the assumed sizes has cost what was estimated, or less where types were not known', () => {
  fc.assert(
    fc.property(selections('Query', 2), fc.infiniteStream(fc.nat(1)), (document, choices) => {
      const plan = planned(document)
      const costs = new OperationCosts(graph, ASSUMED)
      const data = answerTo(plan.shape, (most) => Math.min(most - 1, choices.next().value ?? 0), new Map())
      const { total, bySubgraph } = costs.estimate(plan, new Map())
      const actual = costOf(costs, plan, data) ?? 0
      if (document.includes('things')) expect(actual).toBeLessThanOrEqual(total)
      else expect(actual).toBe(total)
      // Without abstract types each cost is that of one subgraph.
      if (!document.includes('things')) {
        expect([...bySubgraph.values()].reduce((sum, cost) => sum + cost, 0)).toBe(total)
      }
    }),
  )
})

it('object types that share a case of the shape weigh as the heaviest', () => {
  const plan = planned('{ things { __typename } }')
  expect(plan.shape.cases.length).toBe(1)
  expect(new OperationCosts(graph, ASSUMED).estimate(plan, new Map()).total).toBe(30)
  expect(typeOf(graph, plan.shape.type).name).toBe('Query')
})
