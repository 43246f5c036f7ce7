import { compose } from '@switchyard/composition'
import { CompositionSearch, CompositionType, CompositionTypes } from '@switchyard/contracts/studio'
import { describe, expect, it } from 'vitest'
import { schemaLookup, type SchemaQuestion } from '../../src/compositions/schema-task.ts'

const FEDERATION =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.7", import: ["@key", "@external", "@requires", "@provides", "@override", "@inaccessible", "@shareable", "@tag", "@authenticated"])'

const PRODUCTS = `${FEDERATION}
"Where everything begins."
type Query { product(
  "The number on the label."
  id: ID! = "1"
  secret: Int @inaccessible
): Product  item: Item }
interface Item { id: ID! }
"""
Something that is sold: "
type Fake { of: It }
"""
type Product implements Item @key(fields: "id") @tag(name: "public") {
  id: ID!
  "How much it costs."
  price: Float @deprecated(reason: "Use cost.") @authenticated
  weight: Float
  internal: String @inaccessible
  old: String
}
type Hidden @inaccessible { a: String }
enum Colour { RED "As grass." GREEN @deprecated HIDDEN @inaccessible }
input Filter { colour: Colour = RED }
scalar Date @specifiedBy(url: "https://example.com/date")
extend type Query { find(filter: Filter): [Product!] when: Date }
union Found = Product`

const SHIPPING = `${FEDERATION}
type Product @key(fields: "id") {
  id: ID!
  weight: Float @external
  shipping: Int @requires(fields: "weight")
  old: String @override(from: "products")
}`

const composed = compose({
  subgraphs: [
    { name: 'products', routingUrl: 'http://p/', sdl: PRODUCTS },
    { name: 'shipping', routingUrl: 'http://s/', sdl: SHIPPING },
  ],
})
if (composed.kind === 'failed') throw new Error(JSON.stringify(composed.errors))
const { supergraphSdl } = composed
const about = { namespace: 'default', graph: 'shop', composition: 'base' }

function artifactOf(sdl: string): Uint8Array {
  const subgraphs = [{ name: 'products', routingUrl: 'http://p/' }]
  return Buffer.from(
    JSON.stringify({ formatVersion: 1, supergraphSdl: sdl, subgraphs, compatibilityVersion: 'v0.3' }),
  )
}

const ARTIFACT = 'a'.repeat(64)

function ask(question: SchemaQuestion, sdl = supergraphSdl): unknown {
  const task = { question, artifact: ARTIFACT, bytes: artifactOf(sdl), about, gzip: false }
  const answer = schemaLookup()(task)
  if (answer.kind !== 'answer') return answer
  return JSON.parse(Buffer.from(answer.body).toString('utf8'))
}
const typeOf = (name: string, sdl?: string) =>
  CompositionType.parse(ask({ kind: 'type', name, limit: 200 }, sdl))
const search = (text: string, limit = 20) => CompositionSearch.parse(ask({ kind: 'search', text, limit }))
const found = (text: string) => search(text).matches.map(({ coordinate }) => coordinate)

describe('the types of a composition', () => {
  it('are those of clients, sorted, with the subgraphs that define each', () => {
    const types = CompositionTypes.parse(ask({ kind: 'types' }))
    expect(types).toMatchObject({ ...about, artifact: ARTIFACT, subgraphs: ['products', 'shipping'] })
    expect(types.roots).toEqual({ query: 'Query', mutation: null, subscription: null })
    const rows = types.names.map((name, index) => [
      name,
      types.kinds[index],
      types.sizes[index],
      types.subgraphSets[types.definedBy[index] ?? -1],
    ])
    expect(rows).toEqual([
      ['Colour', 3, 2, [0]],
      ['Date', 4, 0, [0]],
      ['Filter', 5, 1, [0]],
      ['Found', 2, 1, [0]],
      ['Item', 1, 1, [0]],
      ['Product', 0, 5, [0, 1]],
      ['Query', 0, 4, [0, 1]],
    ])
  })

  it('are the same where the supergraph is laid out in another way', () => {
    const inOneLine = supergraphSdl.replaceAll('\n\n', ' ')
    expect(ask({ kind: 'types' }, inOneLine)).toEqual(ask({ kind: 'types' }))
    expect(typeOf('Product', inOneLine)).toEqual(typeOf('Product'))
  })
})

describe('one type of a composition', () => {
  it('says which subgraphs resolve each field, and on which terms', () => {
    const product = typeOf('Product')
    expect(product).toMatchObject({ kind: 'OBJECT', interfaces: ['Item'], inaccessible: false })
    expect(product.description).toContain('type Fake { of: It }')
    expect(product.directives).toEqual([{ name: 'tag', arguments: [{ name: 'name', value: '"public"' }] }])
    expect(product.subgraphs).toEqual([
      { subgraph: 'products', keys: [{ fields: 'id', resolvable: true }], interfaceObject: false },
      { subgraph: 'shipping', keys: [{ fields: 'id', resolvable: true }], interfaceObject: false },
    ])
    const field = (name: string) => product.fields.find((one) => one.name === name)
    const resolving = (name: string) =>
      field(name)?.subgraphs.map(({ subgraph, external, requires, override, resolves }) => {
        return { subgraph, external, requires, override, resolves }
      })
    const terms = { external: false, requires: null, override: null, resolves: true }
    expect(resolving('id')).toEqual([
      { subgraph: 'products', ...terms },
      { subgraph: 'shipping', ...terms },
    ])
    expect(resolving('weight')).toEqual([
      { subgraph: 'products', ...terms },
      { subgraph: 'shipping', ...terms, external: true, resolves: false },
    ])
    expect(resolving('shipping')).toEqual([{ subgraph: 'shipping', ...terms, requires: 'weight' }])
    expect(resolving('old')).toEqual([{ subgraph: 'shipping', ...terms, override: 'products' }])
    expect(field('price')).toMatchObject({
      deprecated: 'Use cost.',
      directives: [{ name: 'authenticated', arguments: [] }],
    })
    expect(field('internal')).toMatchObject({ inaccessible: true })
  })

  it('tells arguments, values, members, defaults, and where it is used', () => {
    const query = typeOf('Query')
    expect(query.fields.find(({ name }) => name === 'product')?.arguments).toMatchObject([
      { name: 'id', type: 'ID!', defaultValue: '"1"', description: 'The number on the label.' },
      { name: 'secret', inaccessible: true },
    ])
    const colour = typeOf('Colour')
    expect(colour.values.map(({ name, deprecated }) => [name, deprecated])).toEqual([
      ['RED', null],
      ['GREEN', 'No longer supported'],
      ['HIDDEN', null],
    ])
    expect([colour.usedBy, colour.usedByCount]).toEqual([['Filter.colour'], 1])
    expect(typeOf('Found').members).toEqual([{ name: 'Product', subgraphs: ['products'] }])
    expect(typeOf('Item').implementedBy).toEqual(['Product'])
    expect(typeOf('Filter').fields[0]).toMatchObject({ type: 'Colour', defaultValue: 'RED' })
    expect(typeOf('Filter').usedBy).toEqual(['Query.find(filter:)'])
    expect(typeOf('Date').directives[0]?.name).toBe('specifiedBy')
  })

  it.each([
    ['fields', 'type Query { f0: Int f1: Int f2: Int f3: Int f4: Int f5: Int f6: Int }', 'Query', 'f'],
    ['values', 'type Query { of: E } enum E { V0 V1 V2 V3 V4 V5 V6 }', 'E', 'V'],
    [
      'members',
      'type Query { of: U } union U = T0 | T1 | T2 | T3 | T4 | T5 | T6 ' +
        Array.from({ length: 7 }, (_, at) => `type T${at} { id: ID }`).join(' '),
      'U',
      'T',
    ],
  ] as const)('tells %s in pages, also the page of one of them', (parts, sdl, name, letter) => {
    const whole = compose({ subgraphs: [{ name: 'all', routingUrl: 'http://a/', sdl }] })
    if (whole.kind === 'failed') throw new Error(JSON.stringify(whole.errors))
    const page = (asked: { readonly from?: number; readonly part?: string }) => {
      const answer = ask({ kind: 'type', name, limit: 3, ...asked }, whole.supergraphSdl)
      const { from, total, ...type } = CompositionType.parse(answer)
      return { from, total, names: type[parts].map((part) => part.name) }
    }
    const names = (...numbers: readonly number[]) => numbers.map((at) => `${letter}${at}`)
    expect(page({})).toEqual({ from: 0, total: 7, names: names(0, 1, 2) })
    expect(page({ from: 5 })).toEqual({ from: 5, total: 7, names: names(5, 6) })
    expect(page({ from: 70 })).toEqual({ from: 70, total: 7, names: [] })
    expect(page({ part: `${letter}4` })).toEqual({ from: 3, total: 7, names: names(3, 4, 5) })
    expect(page({ part: 'none' })).toEqual({ from: 0, total: 7, names: names(0, 1, 2) })
  })

  it('shows what clients do not see, and finds no type that composition made', () => {
    expect(typeOf('Hidden')).toMatchObject({ inaccessible: true })
    expect(ask({ kind: 'type', name: 'join__Graph', limit: 200 })).toEqual({
      kind: 'no-such-type',
      meant: null,
    })
    expect(ask({ kind: 'type', name: 'Prodct', limit: 200 })).toEqual({
      kind: 'no-such-type',
      meant: 'Product',
    })
  })
})

describe('a search in a composition', () => {
  it('finds equal names, then beginnings, parts and descriptions', () => {
    expect(found('product')).toEqual(['Product', 'Query.product'])
    expect(found('ite')).toEqual(['Item', 'Query.item'])
    expect(found('i')).toEqual(
      expect.arrayContaining(['Item', 'Product.id', 'Query.find', 'Query.product(id:)']),
    )
    expect(found('colour')).toEqual(['Colour', 'Filter.colour'])
    const [match] = search('AS GRASS').matches
    expect(match).toMatchObject({ coordinate: 'Colour.GREEN', kind: 'enum-value', excerpt: 'As grass.' })
  })

  it('finds members by their coordinates', () => {
    expect(found('Product.pri')).toEqual(['Product.price'])
    expect(found('query.product(i')).toEqual(['Product.id', 'Query.product(id:)'])
    expect(found('product(id:)')).toEqual(['Product.id', 'Query.product(id:)'])
  })

  it('finds nothing that clients do not see, and says when there is more', () => {
    expect(found('hidden')).toEqual([])
    expect(found('internal')).toEqual([])
    expect(search('o', 2)).toMatchObject({ matches: [{}, {}], more: true })
    expect(search('\n').matches).toEqual([])
  })
})

describe('the compositions that are kept', () => {
  it('are few, and those that were asked for last', () => {
    const lookup = schemaLookup({ mostKept: 2 })
    const asked = (artifact: string, bytes: Uint8Array | null) =>
      lookup({ question: { kind: 'types' }, artifact, bytes, about, gzip: false }).kind
    const bytes = artifactOf(supergraphSdl)
    expect(asked('one', null)).toBe('bytes-needed')
    for (const name of ['one', 'two', 'one', 'three']) expect(asked(name, bytes)).toBe('answer')
    expect(['one', 'two', 'three'].map((name) => asked(name, null))).toEqual([
      'answer',
      'bytes-needed',
      'answer',
    ])
  })

  it('have a bound of characters, but for the last one', () => {
    const lookup = schemaLookup({ mostCharacters: supergraphSdl.length + 1 })
    const asked = (artifact: string, bytes: Uint8Array | null) =>
      lookup({ question: { kind: 'types' }, artifact, bytes, about, gzip: false }).kind
    const bytes = artifactOf(supergraphSdl)
    for (const name of ['one', 'two']) asked(name, bytes)
    expect([asked('one', null), asked('two', null)]).toEqual(['bytes-needed', 'answer'])
  })
})
