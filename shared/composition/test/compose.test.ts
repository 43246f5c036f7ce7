import { COMPOSER_VERSION, compose, FEDERATION_VERSIONS } from '@switchyard/composition'
import { describe, expect, it } from 'vitest'
import { composeSdls, expectComposed, expectFailed, FED2, graphsOf } from './subgraph-fixtures.ts'

const STOCK = `${FED2}type Item @key(fields: "sku") { sku: ID! inStock: Int }`
const SHOP = `${FED2}type Query { items: [Item] } type Item @key(fields: "sku") { sku: ID! title: String }`

describe('composing', () => {
  it('gives the same text whatever the order of the subgraphs', () => {
    const forward = expectComposed(composeSdls({ shop: SHOP, stock: STOCK }))
    expect(expectComposed(composeSdls({ stock: STOCK, shop: SHOP }))).toBe(forward)
  })

  it('puts names and routing URLs into join__graph as they are given', () => {
    const result = compose({
      subgraphs: [{ name: 'shop', routingUrl: 'https://x.test:8443/a%20b?c="d"\\', sdl: SHOP }],
    })
    expect(graphsOf(expectComposed(result))).toEqual([
      { value: 'SHOP', name: 'shop', url: 'https://x.test:8443/a%20b?c="d"\\' },
    ])
  })

  it('names the composer with its version', () => {
    expect(COMPOSER_VERSION).toMatch(/^switchyard@\d+$/)
  })

  it('accepts a subgraph without a Query type beside one that has it', () => {
    expect(expectComposed(composeSdls({ shop: SHOP, stock: STOCK }))).toContain('inStock')
  })

  it('accepts root types with other names', () => {
    const sdl = 'schema { query: Root mutation: Write } type Root { a: Int } type Write { b: Int }'
    const supergraph = expectComposed(composeSdls({ a: sdl }))
    expect(supergraph).toContain('type Query')
    expect(supergraph).toContain('type Mutation')
  })

  it('accepts fields that return a root type, under its own name or another', () => {
    const supergraph = expectComposed(
      composeSdls({
        a: 'schema { query: Root mutation: Write } type Root { a: Int self: Root } type Write { reset: Reset } type Reset { query: Root! }',
        b: 'type Query { b: Int }',
      }),
    )
    expect(supergraph).toMatch(/query: Query!/)
    expect(supergraph).not.toContain('Root')
  })

  it('still reports what is unsatisfiable beside a field that returns the root type', () => {
    const errors = expectFailed(
      composeSdls({
        a: `${FED2}type Query { t: T } type T @key(fields: "id") { id: ID! query: Query }`,
        b: `${FED2}type Query { other: Int } type T @key(fields: "no") { no: ID! lost: Int }`,
      }),
    )
    expect(errors.length).toBeGreaterThan(0)
    expect(errors.every(({ message }) => !message.includes('"Query.other"'))).toBe(true)
    expect(errors.some(({ message }) => message.includes('"T.lost"'))).toBe(true)
  })

  it('reports a root type name that is taken by another type', () => {
    const sdl = 'schema { query: Root } type Root { a: Query } type Query { b: Int }'
    expect(composeSdls({ a: sdl }).kind).toBe('failed')
  })

  it('accepts Federation 1 schemas without @link', () => {
    const supergraph = expectComposed(
      composeSdls({
        shop: 'type Query { items: [Item] } type Item @key(fields: "sku") { sku: ID! title: String weight: Int }',
        ship: 'extend type Item @key(fields: "sku") { sku: ID! @external weight: Int @external cost: Int @requires(fields: "weight") }',
      }),
    )
    expect(supergraph).toContain('requires: "weight"')
  })

  it.each(FEDERATION_VERSIONS)('accepts federation %s, without a hint', (version) => {
    const link = `extend schema @link(url: "https://specs.apollo.dev/federation/${version}", import: ["@key", "@shareable"])`
    const result = composeSdls({ a: `${link} type Query { t: T } type T @key(fields: "id") { id: ID! }` })
    expectComposed(result)
    expect(result.hints).toEqual([])
  })

  it('gives a schema of a newer version the same supergraph as one of 2.9', () => {
    const [older, newer] = ['v2.9', 'v2.15'].map((version) =>
      expectComposed(composeSdls({ shop: SHOP.replace('v2.3', version), stock: STOCK })),
    )
    expect(newer).toBe(older)
  })

  it('accepts directives imported under another name', () => {
    const link =
      'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: [{ name: "@key", as: "@identified" }])'
    const supergraph = expectComposed(
      composeSdls({ a: `${link} type Query { t: T } type T @identified(fields: "id") { id: ID! }` }),
    )
    expect(supergraph).toContain('key: "id"')
  })

  it('accepts directives by their full name, in the default namespace and in a chosen one', () => {
    for (const [as, prefix] of [
      ['', 'federation'],
      [', as: "fed"', 'fed'],
    ]) {
      const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3"${as}, import: ["@shareable"])`
      const sdl = `${link} type Query { t: T @shareable } type T @${prefix}__key(fields: "id") { id: ID! x: Int @${prefix}__inaccessible }`
      const supergraph = expectComposed(composeSdls({ a: sdl }))
      expect(supergraph).toContain('key: "id"')
      expect(supergraph).toContain('@inaccessible')
    }
  })

  it('accepts the schema a subgraph server prints, with its own federation machinery', () => {
    const sdl = `${SHOP} scalar _Any union _Entity = Item type _Service { sdl: String! } extend type Query { _entities(representations: [_Any!]!): [_Entity]! _service: _Service! }`
    expect(expectComposed(composeSdls({ shop: sdl }))).not.toContain('_entities')
  })

  it('marks what an interface object requires as external, so that nobody plans to resolve it there', () => {
    const supergraph = expectComposed(
      composeSdls({
        media: `${FED2}type Query { media: [Media] } interface Media @key(fields: "id") { id: ID! length: Int } type Film implements Media @key(fields: "id") { id: ID! length: Int }`,
        billing: `${FED2}type Media @interfaceObject @key(fields: "id") { id: ID! length: Int @external price: Int @requires(fields: "length") }`,
      }),
    )
    const media = supergraph.slice(supergraph.indexOf('interface Media'))
    expect(media).toMatch(
      /length: Int @join__field\(graph: BILLING, external: true\) @join__field\(graph: MEDIA\)/,
    )
    expect(media).toMatch(/id: ID!\n/)
  })
})

describe('a feature subgraph', () => {
  const url = 'http://subgraph.test/'
  const catalog = `${FED2}type Query { books: [Book!]! } type Book @key(fields: "id") { id: ID! inStock: Int }`
  const stock = `${FED2}type Book @key(fields: "id") { id: ID! inStock: Int @override(from: "catalog") }`

  it('is overridden by the overrides from the subgraph in whose place it stands', () => {
    const result = compose({
      subgraphs: [
        { name: 'catalog-next', baseName: 'catalog', routingUrl: url, sdl: catalog },
        { name: 'stock', routingUrl: url, sdl: stock },
      ],
    })

    expect(expectComposed(result)).toMatch(
      /inStock: Int @join__field\(graph: STOCK, override: "catalog-next"\)/,
    )
    expect(result.hints.map(({ code }) => code)).toEqual(['OVERRIDDEN_FIELD_CAN_BE_REMOVED'])
  })

  it('changes nothing but the header if its schema is that of the subgraph that it replaces', () => {
    const compositionOf = (name: string, baseName: string | null) =>
      expectComposed(
        compose({
          subgraphs: [
            { name: 'catalog', routingUrl: url, sdl: catalog.replace(' inStock: Int', '') },
            {
              name,
              baseName,
              routingUrl: `http://${name}.test/`,
              sdl: stock.replace(' @override(from: "catalog")', ''),
            },
          ],
        }),
      )
    const header = /enum join__Graph \{[^}]*\}/
    const [base, flag] = [compositionOf('stock', null), compositionOf('a-stock-next', 'stock')]
    expect(flag.replace(header, '')).toBe(base.replace(header, ''))
    expect(header.exec(flag)?.[0]).toContain('STOCK @join__graph(name: "a-stock-next"')
  })

  it('overrides nothing of the subgraph that it replaces itself', () => {
    const result = compose({
      subgraphs: [
        { name: 'catalog', routingUrl: url, sdl: catalog.replace(' inStock: Int', '') },
        {
          name: 'stock-next',
          baseName: 'stock',
          routingUrl: url,
          sdl: stock.replace('"catalog"', '"stock"'),
        },
      ],
    })

    expect(expectComposed(result)).toMatch(/inStock: Int @join__field\(graph: STOCK\)/)
    expect(result.hints.map(({ code }) => code)).toEqual(['FROM_SUBGRAPH_DOES_NOT_EXIST'])
  })
})

describe('hints', () => {
  it('tells about an override from a subgraph that does not exist', () => {
    const result = composeSdls({ a: `${FED2}type Query { x: Int\n  y: Int @override(from: "gone") }` })
    expect(result.kind).toBe('composed')
    expect(result.hints).toMatchObject([
      {
        code: 'FROM_SUBGRAPH_DOES_NOT_EXIST',
        subgraphs: ['a'],
        locations: [{ subgraph: 'a', line: 3, column: 10 }],
      },
    ])
    expect(result.hints[0]?.message).toContain('"Query.y"')
  })

  it('has none for ordinary schemas', () => {
    expect(composeSdls({ shop: SHOP, stock: STOCK }).hints).toEqual([])
  })
})

describe('refusing', () => {
  it('reports a mistake once when two checks find it, in the words that say what to do', () => {
    const sdl = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])
      type Query { a: Int @external }`
    const errors = expectFailed(composeSdls({ shop: sdl }))
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringMatching(/Unknown directive "@external" on "Query.a"; add it to the imports of the @link/),
    ])
  })

  it('tells an override from its own subgraph as an error, and not as a hint besides', () => {
    const result = composeSdls({ shop: `${FED2}type Query { a: Int @override(from: "shop") }` })
    expect(expectFailed(result).map(({ code }) => code)).toEqual(['OVERRIDE_FROM_SELF_ERROR'])
    expect(result.hints).toEqual([])
  })

  it('refuses an empty graph', () => {
    expect(expectFailed(compose({ subgraphs: [] }))).toMatchObject([{ code: 'NO_SUBGRAPHS' }])
  })

  it('refuses two subgraphs of one name', () => {
    const subgraph = { name: 'a', routingUrl: '', sdl: SHOP }
    expect(expectFailed(compose({ subgraphs: [subgraph, subgraph] }))).toMatchObject([
      { code: 'DUPLICATE_SUBGRAPH_NAME', subgraphs: ['a'] },
    ])
  })

  it('refuses @context and @fromContext, with the place and a way out', () => {
    const link =
      'extend schema @link(url: "https://specs.apollo.dev/federation/v2.8", import: ["@key", "@context", { name: "@fromContext", as: "@inherited" }])'
    const errors = expectFailed(
      composeSdls({
        a: `${link}\ntype Query { t: T }\ntype T @key(fields: "id") @context(name: "t") { id: ID! u: U p: Int! }\ntype U @key(fields: "id") { id: ID! f(a: Int @inherited(field: "$t { p }")): Int }`,
      }),
    )
    expect(errors).toMatchObject([
      { code: 'UNSUPPORTED_DIRECTIVE', locations: [{ subgraph: 'a', line: 3, column: 27 }] },
      { code: 'UNSUPPORTED_DIRECTIVE', locations: [{ subgraph: 'a', line: 4, column: 46 }] },
    ])
    expect(errors[1]?.message).toContain('@requires')
  })

  it("lets a directive of the schema's own be called @context", () => {
    const sdl = 'directive @context(name: String) on OBJECT type Query @context(name: "x") { a: Int }'
    expectComposed(composeSdls({ a: sdl }))
  })

  it('refuses a merge whose client schema would be invalid', () => {
    const errors = expectFailed(
      composeSdls({
        a: `${FED2}type Query { pet: Pet } interface Animal { id: ID! } interface Pet implements Animal { id: ID! } type Cat implements Animal & Pet @key(fields: "id") { id: ID! }`,
        b: `${FED2}interface Animal { id: ID!\n legs: Int } type Cat implements Animal @key(fields: "id") { id: ID! legs: Int }`,
      }),
    )
    expect(errors).toMatchObject([
      {
        code: 'INTERFACE_FIELD_NO_IMPLEM',
        locations: [
          { subgraph: 'a', line: 2, label: 'no field "legs" here' },
          { subgraph: 'b', line: 3, column: 2, label: 'declared here' },
        ],
      },
    ])
    expect(errors[0]?.message).toContain('Type "Pet" lacks "Animal.legs"')
  })

  it('tells an unknown federation version apart from everything else', () => {
    const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.99", import: ["@key"])'
    expect(expectFailed(composeSdls({ a: `${link} type Query { a: Int }` }))).toMatchObject([
      { code: 'UNKNOWN_FEDERATION_LINK_VERSION', subgraphs: ['a'] },
    ])
  })

  it('gives syntax errors of all subgraphs at once, with their places', () => {
    expect(
      expectFailed(composeSdls({ a: 'type Query {\n  a: }', b: 'type {', c: 'type Query { c: Int }' })),
    ).toMatchObject([
      { code: 'INVALID_GRAPHQL', subgraphs: ['a'], locations: [{ subgraph: 'a', line: 2, column: 6 }] },
      { code: 'INVALID_GRAPHQL', subgraphs: ['b'], locations: [{ subgraph: 'b', line: 1, column: 6 }] },
    ])
  })
})
