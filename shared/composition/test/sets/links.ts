import { type CompositionSet, fed } from './composition-set.ts'

const IMPORTS = [
  '@key',
  '@requires',
  '@provides',
  '@external',
  '@shareable',
  '@extends',
  '@override',
  '@inaccessible',
  '@tag',
]

const UNTIL_2_11 =
  '@composeDirective @interfaceObject @authenticated @requiresScopes @policy @context @fromContext @cost @listSize'

function everythingOf(version: string, more: string): CompositionSet {
  const imports = [...IMPORTS, ...more.split(' ').filter((name) => name !== '')].join(' ')
  return {
    name: `federation ${version} knows all that it lets one import`,
    subgraphs: {
      a: `${fed(version, imports)}
        type Query { item: Item }
        type Item @key(fields: "id") { id: ID! size: Int @shareable old: Int @tag(name: "t") hidden: Int @inaccessible }`,
      b: `${fed(version, imports)}
        type Query { b: Item @provides(fields: "size") }
        type Item @key(fields: "id") { id: ID! size: Int @external price: Int @requires(fields: "size") old: Int @override(from: "a") }`,
    },
    facts: [
      'Item @a key(id)',
      'Item.price @b requires(size)',
      'Item.size @b external',
      'Query.b @b provides(size)',
      'Item.old @b override(a)',
      'Item.old @tag(name: "t")',
      'Item.hidden @inaccessible',
    ],
  }
}

export const links: readonly CompositionSet[] = [
  everythingOf('2.0', ''),
  everythingOf('2.1', '@composeDirective'),
  everythingOf('2.2', '@composeDirective'),
  everythingOf('2.3', '@composeDirective @interfaceObject'),
  everythingOf('2.4', '@composeDirective @interfaceObject'),
  everythingOf('2.5', '@composeDirective @interfaceObject @authenticated @requiresScopes'),
  everythingOf('2.6', '@composeDirective @interfaceObject @authenticated @requiresScopes @policy'),
  everythingOf('2.7', '@composeDirective @interfaceObject @authenticated @requiresScopes @policy'),
  everythingOf(
    '2.8',
    '@composeDirective @interfaceObject @authenticated @requiresScopes @policy @context @fromContext',
  ),
  everythingOf(
    '2.9',
    '@composeDirective @interfaceObject @authenticated @requiresScopes @policy @cost @listSize',
  ),
  ...['2.10', '2.11'].map((version) => everythingOf(version, UNTIL_2_11)),
  ...['2.12', '2.13', '2.14', '2.15'].map((version) => everythingOf(version, `${UNTIL_2_11} @cacheTag`)),
  {
    name: 'a directive of a newer version is not there before that version',
    subgraphs: { a: `${fed('2.11', '@key @cacheTag')} type Query { a: Int @cacheTag(format: "a") }` },
    refused: ['INVALID_LINK_DIRECTIVE_USAGE'],
  },
  ...[
    ['2.12", import: ["@cacheTag"])', '@cacheTag'],
    ['2.12")', '@federation__cacheTag'],
    ['2.13", as: "fed")', '@fed__cacheTag'],
    ['2.15", import: [{ name: "@cacheTag", as: "@cached" }])', '@cached'],
    ['2.3") @link(url: "https://specs.apollo.dev/cacheTag/v0.1")', '@cacheTag'],
  ].map(
    ([link, tag]): CompositionSet => ({
      name: `cache tags are left out, also as ${tag} of federation/v${link}`,
      subgraphs: {
        a: `extend schema @link(url: "https://specs.apollo.dev/federation/v${link} directive ${tag}(format: String!) repeatable on FIELD_DEFINITION | OBJECT
          type Query { t: T ${tag}(format: "t") ${tag}(format: "u") } type T ${tag}(format: "T") { id: ID! }`,
      },
      facts: ['T.id @a', `!Query.t ${tag}(format: "t")`, `!T ${tag}(format: "T")`],
    }),
  ),
  {
    name: 'a cache tag of a specification of its own is nothing of federation',
    subgraphs: {
      a: `extend schema @link(url: "https://specs.apollo.dev/federation/v2.12", import: ["@composeDirective"]) @link(url: "https://example.test/mine/v1.0", import: ["@cacheTag"]) @composeDirective(name: "@cacheTag")
        directive @cacheTag(name: String) on FIELD_DEFINITION type Query { a: Int @cacheTag(name: "a") }`,
    },
    facts: ['Query.a @cacheTag(name: "a")'],
  },
  {
    name: 'interfaces have entities in versions of two digits, too',
    subgraphs: {
      a: `${fed('2.12', '@key')} type Query { i: I } interface I @key(fields: "id") { id: ID! } type A implements I @key(fields: "id") { id: ID! }`,
      b: `${fed('2.10', '@key @interfaceObject')} type I @interfaceObject @key(fields: "id") { id: ID! x: Int }`,
    },
    facts: ['I @b key(id)', 'I.x @b'],
  },
  {
    name: 'connectors that are linked and not used do nothing',
    subgraphs: {
      a: `${fed('2.12', '@key')} extend schema @link(url: "https://specs.apollo.dev/connect/v0.3", import: ["@connect", "@source"]) type Query { a: Int }`,
    },
    facts: ['Query.a @a'],
  },
  {
    name: 'subgraphs of different versions compose',
    subgraphs: {
      a: `${fed('2.0', '@key')} type Query { t: T } type T @key(fields: "id") { id: ID! a: Int }`,
      b: `${fed('2.9', '@key @cost')} type T @key(fields: "id") { id: ID! b: Int @cost(weight: 3) }`,
      c: 'extend type T @key(fields: "id") { id: ID! @external c: Int }',
    },
    facts: ['T @a key(id)', 'T @b key(id)', 'T @c key(id)', 'T.c @c'],
  },
  {
    name: 'directives are imported under other names',
    subgraphs: {
      a: `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: [
          { name: "@key", as: "@myKey" }, { name: "@shareable", as: "@shared" }, { name: "@tag", as: "@label" }, { name: "@inaccessible", as: "@secret" } ])
        type Query { t: T } type T @myKey(fields: "id") { id: ID! x: Int @shared @secret y: Int @label(name: "z") }`,
      b: `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: [
          { name: "@key", as: "@primary" }, "@shareable", { name: "@tag", as: "@label" }, { name: "@inaccessible", as: "@secret" } ])
        type T @primary(fields: "id") { id: ID! x: Int @shareable }`,
    },
    facts: ['T @a key(id)', 'T @b key(id)', 'T.x @a', 'T.x @b'],
  },
  {
    name: 'directives are used by their full name without an import',
    subgraphs: {
      a: `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3")
        type Query { t: T } type T @federation__key(fields: "id") { id: ID! x: Int @federation__shareable y: Int @federation__tag(name: "z") }`,
      b: `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3")
        type T @federation__key(fields: "id") { id: ID! x: Int @federation__shareable }`,
    },
    facts: ['T @a key(id)', 'T @b key(id)', 'T.y @tag(name: "z")'],
  },
  {
    name: 'the namespace of the specification is chosen with as',
    subgraphs: {
      a: `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", as: "fed", import: ["@key"])
        type Query { t: T } type T @key(fields: "id") { id: ID! x: Int @fed__shareable y: Int @fed__inaccessible }`,
      b: `extend schema @link(url: "https://specs.apollo.dev/federation/v2.0", as: "apollo")
        type T @apollo__key(fields: "id") { id: ID! x: Int @apollo__shareable z: Int @apollo__tag(name: "n") }`,
    },
    facts: ['T @a key(id)', 'T @b key(id)', 'T.y @inaccessible', 'T.z @tag(name: "n")'],
  },
  {
    name: 'the link specification is linked explicitly',
    subgraphs: {
      a: `schema @link(url: "https://specs.apollo.dev/link/v1.0") @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"]) { query: Query }
        type Query { t: T } type T @key(fields: "id") { id: ID! }`,
    },
    facts: ['T @a key(id)'],
  },
  {
    name: 'a subgraph prints the definitions of everything it links',
    subgraphs: {
      a: `schema @link(url: "https://specs.apollo.dev/link/v1.0") @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"]) { query: Query }
        directive @link(url: String, as: String, for: link__Purpose, import: [link__Import]) repeatable on SCHEMA
        directive @key(fields: federation__FieldSet!, resolvable: Boolean = true) repeatable on OBJECT | INTERFACE
        directive @federation__requires(fields: federation__FieldSet!) on FIELD_DEFINITION
        directive @federation__provides(fields: federation__FieldSet!) on FIELD_DEFINITION
        directive @federation__external(reason: String) on OBJECT | FIELD_DEFINITION
        directive @federation__tag(name: String!) repeatable on FIELD_DEFINITION | OBJECT | INTERFACE | UNION | ARGUMENT_DEFINITION | SCALAR | ENUM | ENUM_VALUE | INPUT_OBJECT | INPUT_FIELD_DEFINITION | SCHEMA
        directive @federation__extends on OBJECT | INTERFACE
        directive @shareable repeatable on OBJECT | FIELD_DEFINITION
        directive @federation__inaccessible on FIELD_DEFINITION | OBJECT | INTERFACE | UNION | ARGUMENT_DEFINITION | SCALAR | ENUM | ENUM_VALUE | INPUT_OBJECT | INPUT_FIELD_DEFINITION
        directive @federation__override(from: String!) on FIELD_DEFINITION
        directive @federation__composeDirective(name: String) repeatable on SCHEMA
        directive @federation__interfaceObject on OBJECT
        scalar link__Import
        enum link__Purpose { SECURITY EXECUTION }
        scalar federation__FieldSet
        scalar _Any
        type _Service { sdl: String }
        union _Entity = T
        type T @key(fields: "id") { id: ID! x: Int @shareable }
        type Query { t: T _entities(representations: [_Any!]!): [_Entity]! _service: _Service! }`,
      b: `${fed('2.3', '@key @shareable')} type T @key(fields: "id") { id: ID! x: Int @shareable }`,
    },
    facts: ['T @a key(id)', 'T @b key(id)', '!_Service object', '!Query._entities: [_Entity]!'],
  },
  {
    name: 'FieldSet is imported and renamed with the directives',
    subgraphs: {
      a: `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "FieldSet"])
        directive @key(fields: FieldSet!, resolvable: Boolean = true) repeatable on OBJECT | INTERFACE
        scalar FieldSet
        type Query { t: T } type T @key(fields: "id") { id: ID! }`,
      b: `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", { name: "FieldSet", as: "Selection" }])
        directive @key(fields: Selection!, resolvable: Boolean = true) repeatable on OBJECT | INTERFACE
        scalar Selection
        type T @key(fields: "id") { id: ID! b: Int }`,
    },
    facts: ['T @b key(id)', '!FieldSet scalar', '!Selection scalar'],
  },
  {
    name: 'Federation 1 subgraphs define _FieldSet and the directives themselves',
    subgraphs: {
      a: `directive @key(fields: _FieldSet!) repeatable on OBJECT | INTERFACE
        directive @external on FIELD_DEFINITION
        directive @requires(fields: _FieldSet!) on FIELD_DEFINITION
        directive @provides(fields: _FieldSet!) on FIELD_DEFINITION
        directive @extends on OBJECT | INTERFACE
        scalar _FieldSet
        type Query { t: T } type T @key(fields: "id") { id: ID! n: Int }`,
      b: `directive @key(fields: String!) on OBJECT | INTERFACE
        directive @external on FIELD_DEFINITION
        directive @extends on OBJECT | INTERFACE
        directive @requires(fields: String!) on FIELD_DEFINITION
        type T @extends @key(fields: "id") { id: ID! @external n: Int @external m: Int @requires(fields: "n") }`,
    },
    facts: ['T @b key(id)', 'T.m @b requires(n)', 'T.n @b external', '!_FieldSet scalar'],
  },
  {
    name: 'Federation 1 value types and key fields are shared without a word',
    subgraphs: {
      a: 'type Query { t: T m: Money } type T @key(fields: "id") { id: ID! m: Money } type Money { amount: Int currency: String }',
      b: 'type Query { n: Money } extend type T @key(fields: "id") { id: ID! @external n: Money } type Money { amount: Int currency: String }',
    },
    facts: ['Money.amount @a', 'Money.amount @b'],
  },
  {
    name: 'a Federation 1 extension provides fields of its own declaration',
    subgraphs: {
      a: 'type Query { t: T } type T @key(fields: "id") { id: ID! name: String }',
      b: `extend type Query { ts: [T] @provides(fields: "name") } extend type T @key(fields: "id") { id: ID! @external name: String @external extra: Int }`,
    },
    facts: ['Query.ts @b provides(name)', 'T.name @b external', 'T.extra @b'],
  },
  {
    name: 'Federation 1 and 2 share entities and value types',
    subgraphs: {
      one: 'type Query { t: T } type T @key(fields: "id") { id: ID! v: V } type V { x: Int }',
      two: `${fed('2.0', '@key @shareable')} type T @key(fields: "id") { id: ID! w: V } type V @shareable { x: Int }`,
    },
    facts: ['V.x @one', 'V.x @two', 'T @two key(id)'],
  },
  {
    name: 'Federation 1 needs no origin type',
    subgraphs: {
      a: 'extend type Query { t: T } extend type T @key(fields: "id") { id: ID! @external x: Int }',
      b: 'type Query { b: Int } type T @key(fields: "id") { id: ID! }',
    },
    facts: ['T @a key(id)', 'T.x @a'],
  },
  {
    name: 'federation 2 reads extend type and @extends as plain definitions',
    subgraphs: {
      a: `${fed('2.3', '@key')} extend type Query { t: T } extend type T @key(fields: "id") { id: ID! a: Int }`,
      b: `${fed('2.3', '@key @extends')} type T @extends @key(fields: "id") { id: ID! b: Int }`,
    },
    facts: ['T.a @a', 'T.b @b', 'T @a key(id)'],
  },
  {
    name: 'unknown specifications may be linked when nothing of them is kept',
    subgraphs: {
      a: `extend schema
          @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])
          @link(url: "https://example.test/notes/v1.0", import: ["@note"])
        directive @note(text: String) on FIELD_DEFINITION
        type Query { t: Int @note(text: "x") u: Int @notes__other }
        directive @notes__other on FIELD_DEFINITION`,
    },
    facts: ['Query.t: Int', '!Query.t @note(text: "x")'],
  },
  {
    name: 'root types have any name',
    subgraphs: {
      a: 'schema { query: RootQuery mutation: RootMutation subscription: Events } type RootQuery { a: Int } type RootMutation { m: Int } type Events { s: Int }',
      b: `${fed('2.3', '@key')} schema { query: Q } type Q { b: Int } extend type Q { c: Int }`,
    },
    facts: [
      'Query.a @a',
      'Query.b @b',
      'Query.c @b',
      'Mutation.m @a',
      'Subscription.s @a',
      '!RootQuery object',
    ],
  },
  {
    name: 'extend schema names the root type',
    subgraphs: {
      a: `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"]) { query: Q }
        type Q { a: Int }`,
    },
    facts: ['Query.a @a'],
  },
  {
    name: 'a federation version from the future is refused',
    subgraphs: { a: `${fed('2.99', '@key')} type Query { a: Int }` },
    refused: ['UNKNOWN_FEDERATION_LINK_VERSION'],
  },
  {
    name: 'an import that the version does not have is refused',
    subgraphs: { a: `${fed('2.0', '@key @interfaceObject')} type Query { a: Int }` },
    refused: ['INVALID_LINK_DIRECTIVE_USAGE'],
  },
  ...[
    ['inaccessible/v0.2")', '@inaccessible', '@inaccessible'],
    ['inaccessible/v0.2", as: "hide")', '@hide', '@inaccessible'],
    ['inaccessible/v0.1", import: [{ name: "@inaccessible", as: "@hide" }])', '@hide', '@inaccessible'],
    ['tag/v0.1")', '@tag(name: "x")', '@tag(name: "x")'],
    ['tag/v0.2", import: ["@tag"])', '@tag(name: "x")', '@tag(name: "x")'],
    ['tag/v0.3", import: [{ name: "@tag", as: "@label" }])', '@label(name: "x")', '@tag(name: "x")'],
    ['authenticated/v0.1", for: SECURITY)', '@authenticated', '@authenticated'],
    [
      'requiresScopes/v0.1", for: SECURITY)',
      '@requiresScopes(scopes: [["s"]])',
      '@requiresScopes(scopes: [["s"]])',
    ],
    ['policy/v0.1", for: SECURITY)', '@policy(policies: [["p"]])', '@policy(policies: [["p"]])'],
    ['cost/v0.1", import: ["@cost"])', '@cost(weight: 3)', '@cost(weight: 3)'],
    ['cost/v0.1")', '@cost__listSize(assumedSize: 3)', '@listSize(assumedSize: 3)'],
  ].map(
    ([link, written, published]): CompositionSet => ({
      name: `a directive is linked from its own specification: ${link} gives ${written}`,
      subgraphs: {
        a: `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"]) @link(url: "https://specs.apollo.dev/${link}
          type Query { x: [Int] ${written} y: Int }`,
      },
      facts: [`Query.x ${published}`],
    }),
  ),
  {
    name: 'a link to the link specification alone makes no federation 2 schema',
    subgraphs: {
      a: `schema @link(url: "https://specs.apollo.dev/link/v1.0") { query: Query } type Query { t: T } type T @key(fields: "id") { id: ID! v: V } type V { x: Int }`,
      b: 'extend type T @key(fields: "id") { id: ID! @external w: V } type V { x: Int }',
    },
    facts: ['T @a key(id)', 'T @b key(id)', 'V.x @b'],
  },
  {
    name: 'a directive of its own has the name of a federation directive',
    subgraphs: {
      a: `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"]) directive @tag(label: Int) on FIELD_DEFINITION
        type Query { t: T @tag(label: 3) } type T @key(fields: "id") { id: ID! @federation__tag(name: "real") }`,
    },
    facts: ['T.id @tag(name: "real")', '!Query.t @tag(label: 3)'],
  },
  {
    name: 'two subgraphs import one directive under different names',
    subgraphs: {
      a: `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: [{ name: "@tag", as: "@one" }]) type Query { a: Int @one(name: "x") }`,
      b: `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: [{ name: "@tag", as: "@two" }]) type Query { b: Int @two(name: "y") }`,
    },
    facts: ['Query.a @tag(name: "x")', 'Query.b @tag(name: "y")'],
  },
  {
    name: 'links without a URL say nothing',
    subgraphs: { a: `${fed('2.3', '@key')} extend schema @link @link(import: []) type Query { a: Int }` },
    facts: ['Query.a @a'],
  },
  {
    name: 'an import of the full name is one of the directive',
    subgraphs: {
      a: `${fed('2.3', '@federation__key')} type Query { t: T } type T @federation__key(fields: "id") { id: ID! }`,
    },
    facts: ['T @a key(id)'],
  },
  {
    name: 'an import from federation whose new name is no name keeps its own',
    subgraphs: {
      a: 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: [{ name: "@tag", as: 1 }, { name: "@inaccessible", as: "inaccessible" }]) type Query { a: Int @tag(name: "x") b: Int @inaccessible }',
    },
    facts: ['Query.a @tag(name: "x")', 'Query.b @inaccessible'],
  },
  {
    name: 'a tag stands on the schema whatever its definition says',
    subgraphs: {
      a: `${fed('2.3', '@tag')} directive @tag(name: String!) repeatable on FIELD_DEFINITION extend schema @tag(name: "x") type Query { a: Int }`,
    },
    facts: ['Query.a @a'],
  },
]
