import { printSchema } from 'graphql'
import { describe, expect, it } from 'vitest'
import { buildApiSchema } from '../../src/graph/api-schema.ts'
import { compileSupergraph } from '../../src/graph/compile.ts'
import { type Graph, openGraph } from '../../src/graph/graph.ts'
import { describeSupergraph } from '../../src/graph/header/header.ts'
import { lines, planIn } from '../plan/support/planned.ts'

const open = (sdl: string): Graph => openGraph(compileSupergraph(sdl))

/** The same supergraph under whatever names the features have. */
function shop(names: {
  readonly links: string
  readonly graphEnum: string
  readonly graph: string
  readonly type: string
  readonly field: string
  readonly hide: string
}): string {
  const { links, graphEnum, graph, type, field, hide } = names
  return `
    schema ${links} { query: Query }
    directive @${graph}(name: String!, url: String!) on ENUM_VALUE
    enum ${graphEnum} { A @${graph}(name: "a", url: "http://a") B @${graph}(name: "b", url: "http://b") }
    type Query @${type}(graph: A) @${type}(graph: B) { product: Product @${field}(graph: A) }
    type Product @${type}(graph: A, key: "id") @${type}(graph: B, key: "id") {
      id: ID
      price: Int @${field}(graph: B)
      cost: Int @${field}(graph: B) @${hide}
    }`
}

const PLAIN = {
  links:
    '@link(url: "https://specs.apollo.dev/link/v1.0") @link(url: "https://specs.apollo.dev/join/v0.5", for: EXECUTION) @link(url: "https://specs.apollo.dev/inaccessible/v0.2", for: SECURITY)',
  graphEnum: 'join__Graph',
  graph: 'join__graph',
  type: 'join__type',
  field: 'join__field',
  hide: 'inaccessible',
}
const RENAMED: readonly (readonly [string, typeof PLAIN])[] = [
  ['as the specification does', PLAIN],
  [
    'with another prefix',
    {
      links:
        '@link(url: "https://specs.apollo.dev/link/v1.0") @link(url: "https://specs.apollo.dev/join/v0.3", as: "j", for: EXECUTION) @link(url: "https://specs.apollo.dev/inaccessible/v0.2", as: "hidden", for: SECURITY)',
      graphEnum: 'j__Graph',
      graph: 'j__graph',
      type: 'j__type',
      field: 'j__field',
      hide: 'hidden',
    },
  ],
  [
    'with imports, of which some are renamed',
    {
      links:
        '@link(url: "https://specs.apollo.dev/link/v1.0") @link(url: "https://specs.apollo.dev/join/v0.3", for: EXECUTION, import: ["Graph", "@type", { name: "@field", as: "@in" }]) @link(url: "https://specs.apollo.dev/inaccessible/v0.2", for: SECURITY, import: [{ name: "@inaccessible", as: "@private" }])',
      graphEnum: 'Graph',
      graph: 'join__graph',
      type: 'type',
      field: 'in',
      hide: 'private',
    },
  ],
  [
    'with another name for linking itself',
    {
      ...PLAIN,
      links:
        '@uses(url: "https://specs.apollo.dev/link/v1.0", as: "uses") @uses(url: "https://specs.apollo.dev/join/v0.4", for: EXECUTION) @uses(url: "https://specs.apollo.dev/inaccessible/v0.2", for: SECURITY)',
    },
  ],
  [
    'in the words of the first composers',
    {
      ...PLAIN,
      links:
        '@core(feature: "https://specs.apollo.dev/core/v0.2") @core(feature: "https://specs.apollo.dev/join/v0.2", for: EXECUTION) @core(feature: "https://specs.apollo.dev/inaccessible/v0.1", for: SECURITY)',
    },
  ],
]

describe('a supergraph that spells its features', () => {
  it.each(RENAMED)('%s is planned alike', (_, names) => {
    const graph = open(shop(names))
    expect(lines(graph, planIn(graph, '{ product { price } }'))).toEqual([
      '0 a {product{id}}',
      '1 b after 0 query($r0:[_Any!]!){_entities(representations:$r0){...on Product{price}}}',
    ])
    expect(graph.compiled.types.map(({ name }) => name)).toEqual([
      'Boolean',
      'Float',
      'ID',
      'Int',
      'Product',
      'Query',
      'String',
    ])
  })

  it.each(RENAMED)('%s shows clients the same schema', (_, names) => {
    expect(printSchema(buildApiSchema(shop(names)))).toBe(
      'type Query {\n  product: Product\n}\n\ntype Product {\n  id: ID\n  price: Int\n}',
    )
  })
})

describe('features', () => {
  it('may be unknown when they are necessary for nothing', () => {
    const links = `${PLAIN.links} @link(url: "https://myspecs.example/note/v1.0", import: ["@note"])`
    expect(() => open(shop({ ...PLAIN, links }))).not.toThrow()
  })

  it.each(['0.1', '0.2', '0.3', '0.4', '0.5'])('include join v%s', (version) => {
    const links = `@link(url: "https://specs.apollo.dev/link/v1.0") @link(url: "https://specs.apollo.dev/join/v${version}", for: EXECUTION)`
    expect(describeSupergraph(shop({ ...PLAIN, links })).joinVersion).toBe(version)
  })

  it.each(['v0.6', 'v1.0', ''])('do not include join %s', (version) => {
    const links = `@link(url: "https://specs.apollo.dev/link/v1.0") @link(url: "https://specs.apollo.dev/join/${version}", for: EXECUTION)`
    expect(() => describeSupergraph(shop({ ...PLAIN, links }))).toThrow('expected join v0.1 to v0.5')
  })

  it('of a subgraph are carried along, except connectors, which are no servers to ask', () => {
    const linked = (url: string) =>
      `${PLAIN.links} @join__directive(graphs: [A], name: "link", args: { url: "${url}", import: ["@source"] })`
    expect(() =>
      open(shop({ ...PLAIN, links: linked('https://specs.apollo.dev/cacheTag/v0.1') })),
    ).not.toThrow()
    expect(() => open(shop({ ...PLAIN, links: linked('https://specs.apollo.dev/connect/v0.2') }))).toThrow(
      'A subgraph is made of connectors (https://specs.apollo.dev/connect/v0.2)',
    )
  })
})
