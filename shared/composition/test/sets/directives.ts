import { type CompositionSet, fed } from './composition-set.ts'

const CUSTOM = (imports: string, compose: string, version = '2.3', link = 'https://example.test/mine/v1.0') =>
  `extend schema @link(url: "https://specs.apollo.dev/federation/v${version}", import: ["@key", "@shareable", "@composeDirective"]) @link(url: "${link}", import: [${imports}]) ${compose}\n`

/** Directives that say who may see a field, by the version they came with. */
const AUTHORIZATION: readonly (readonly [string, string, string])[] = [
  ['2.5', '@authenticated', '@authenticated'],
  ['2.5', '@requiresScopes', '@requiresScopes(scopes: [["s"]])'],
  ['2.6', '@policy', '@policy(policies: [["p"]])'],
]

const PLACES: readonly (readonly [string, string, string])[] = [
  ['a field', 'type Query { a: Int @d }', 'Query.a'],
  ['an object', 'type Query { t: T } type T @d { x: Int }', 'T'],
  ['an extension', 'type Query { t: T } type T { x: Int } extend type T @d { y: Int }', 'T'],
  ['a scalar', 'type Query { s: S } scalar S @d', 'S'],
  ['an enum', 'type Query { e: E } enum E @d { A }', 'E'],
]

const RULES = fed(
  '2.9',
  '@key @shareable @external @requires @override @interfaceObject @authenticated @requiresScopes @policy',
)

export const directives: readonly CompositionSet[] = [
  {
    name: 'a custom directive is kept when asked for',
    subgraphs: {
      a: `${CUSTOM('"@mine"', '@composeDirective(name: "@mine")')} directive @mine(level: Int, tags: [String!]) on FIELD_DEFINITION | OBJECT
        type Query { t: T @mine(level: 3) } type T @mine(tags: ["a", "b"]) { x: Int }`,
    },
    facts: [
      'directive @mine(level: Int, tags: [String!]) on FIELD_DEFINITION | OBJECT',
      'Query.t @mine(level: 3)',
      'T @mine(tags: ["a", "b"])',
    ],
  },
  {
    name: 'a custom directive is repeatable and stands in every place',
    subgraphs: {
      a: `${CUSTOM('"@mine"', '@composeDirective(name: "@mine")')} directive @mine(n: Int!) repeatable on FIELD_DEFINITION | OBJECT | INTERFACE | UNION | SCALAR | ENUM | ENUM_VALUE | INPUT_OBJECT | INPUT_FIELD_DEFINITION | ARGUMENT_DEFINITION
        type Query { t(a: Int @mine(n: 1)): T @mine(n: 1) @mine(n: 2) i: I u: U s: S e(i: In): E } interface I @mine(n: 1) { x: Int } type T implements I @mine(n: 1) @mine(n: 1) { x: Int } union U @mine(n: 1) = T scalar S @mine(n: 1) enum E @mine(n: 1) { A @mine(n: 1) } input In @mine(n: 1) { a: Int @mine(n: 1) }`,
      b: `${CUSTOM('"@mine"', '@composeDirective(name: "@mine")')} directive @mine(n: Int!) repeatable on FIELD_DEFINITION | OBJECT | INTERFACE | UNION | SCALAR | ENUM | ENUM_VALUE | INPUT_OBJECT | INPUT_FIELD_DEFINITION | ARGUMENT_DEFINITION
        type Query { b: Int @mine(n: 9) }`,
    },
    facts: [
      'Query.t @mine(n: 1)',
      'Query.t @mine(n: 2)',
      'Query.t(a:) @mine(n: 1)',
      'I @mine(n: 1)',
      'T @mine(n: 1)',
      'U @mine(n: 1)',
      'S @mine(n: 1)',
      'E @mine(n: 1)',
      'E.A @mine(n: 1)',
      'In @mine(n: 1)',
      'In.a @mine(n: 1)',
      'Query.b @mine(n: 9)',
    ],
  },
  {
    name: 'a custom directive is imported under another name',
    subgraphs: {
      a: `${CUSTOM('{ name: "@mine", as: "@ours" }', '@composeDirective(name: "@ours")')} directive @ours on FIELD_DEFINITION
        type Query { t: Int @ours }`,
    },
    facts: ['Query.t @ours', 'directive @ours on FIELD_DEFINITION'],
  },
  {
    name: 'a custom directive is used by its full name',
    subgraphs: {
      a: `${CUSTOM('"@other"', '@composeDirective(name: "@mine__deep")')} directive @mine__deep on FIELD_DEFINITION directive @other on FIELD_DEFINITION
        type Query { t: Int @mine__deep u: Int @other }`,
    },
    facts: ['Query.t @mine__deep', '!Query.u @other'],
  },
  {
    name: 'one subgraph keeps a custom directive, another does not ask for it',
    subgraphs: {
      a: `${CUSTOM('"@mine"', '@composeDirective(name: "@mine")')} directive @mine on FIELD_DEFINITION type Query { a: Int @mine }`,
      b: `${CUSTOM('"@mine"', '')} directive @mine on FIELD_DEFINITION type Query { b: Int @mine }`,
    },
    facts: ['Query.a @mine', '!Query.b @mine'],
  },
  {
    name: 'a custom directive has different minor versions: the highest is kept',
    subgraphs: {
      a: `${CUSTOM('"@mine"', '@composeDirective(name: "@mine")', '2.1', 'https://example.test/mine/v1.1')} directive @mine(x: Int) on FIELD_DEFINITION type Query { a: Int @mine(x: 1) }`,
      b: `${CUSTOM('"@mine"', '@composeDirective(name: "@mine")', '2.1', 'https://example.test/mine/v1.4')} directive @mine(x: Int, y: Int) on FIELD_DEFINITION | OBJECT type Query { b: Int @mine(y: 1) }`,
    },
    facts: [
      'Query.a @mine(x: 1)',
      'Query.b @mine(y: 1)',
      'directive @mine(x: Int, y: Int) on FIELD_DEFINITION | OBJECT',
    ],
  },
  {
    name: 'custom directives of different major versions are refused',
    subgraphs: {
      a: `${CUSTOM('"@mine"', '@composeDirective(name: "@mine")', '2.1', 'https://example.test/mine/v1.1')} directive @mine on FIELD_DEFINITION type Query { a: Int @mine }`,
      b: `${CUSTOM('"@mine"', '@composeDirective(name: "@mine")', '2.1', 'https://example.test/mine/v2.0')} directive @mine on FIELD_DEFINITION type Query { b: Int @mine }`,
    },
    refused: ['DIRECTIVE_COMPOSITION_ERROR'],
  },
  {
    name: 'composing a directive that is not linked is refused',
    subgraphs: {
      a: `${fed('2.3', '@composeDirective')} extend schema @composeDirective(name: "@mine") directive @mine on FIELD_DEFINITION type Query { a: Int @mine }`,
    },
    refused: ['DIRECTIVE_COMPOSITION_ERROR'],
  },
  {
    name: 'composing a directive that is not defined is refused',
    subgraphs: { a: `${CUSTOM('"@mine"', '@composeDirective(name: "@mine")')} type Query { a: Int }` },
    refused: ['DIRECTIVE_COMPOSITION_ERROR'],
  },
  {
    name: 'a custom directive has an input type as argument',
    subgraphs: {
      a: `${CUSTOM('"@mine"', '@composeDirective(name: "@mine")')} directive @mine(level: mine__Level = LOW) on FIELD_DEFINITION enum mine__Level { LOW HIGH }
        type Query { t: Int @mine(level: HIGH) }`,
    },
    facts: ['Query.t @mine(level: HIGH)'],
  },
  {
    name: 'executable directives are kept when all subgraphs define them',
    subgraphs: {
      a: `${fed('2.3', '@key')} directive @shout(n: Int) on FIELD | QUERY directive @only on FIELD type Query { a: Int }`,
      b: `${fed('2.3', '@key')} directive @shout(n: Int) on FIELD type Query { b: Int }`,
    },
    facts: ['directive @shout(n: Int) on FIELD', '!directive @only on FIELD'],
  },
  {
    name: 'type system directives that nobody asks for are dropped',
    subgraphs: {
      a: 'directive @mine on FIELD_DEFINITION type Query { a: Int @mine }',
    },
    facts: ['!Query.a @mine', '!directive @mine on FIELD_DEFINITION'],
  },
  {
    name: 'authentication directives are kept from 2.5',
    subgraphs: {
      a: `${fed('2.5', '@key @shareable @authenticated @requiresScopes')}
        type Query { a: Int @authenticated b: T @requiresScopes(scopes: [["x", "y"], ["z"]]) } type T @key(fields: "id") @authenticated { id: ID! e: E s: S } enum E @authenticated { A } scalar S @requiresScopes(scopes: [["q"]])`,
      b: `${fed('2.5', '@key @shareable @authenticated @requiresScopes')} type T @key(fields: "id") { id: ID! x: Int @requiresScopes(scopes: [["w"]]) }`,
    },
    facts: [
      'Query.a @authenticated',
      'Query.b @requiresScopes(scopes: [["x", "y"], ["z"]])',
      'T @authenticated',
      'E @authenticated',
      'S @requiresScopes(scopes: [["q"]])',
      'T.x @requiresScopes(scopes: [["w"]])',
    ],
  },
  {
    name: 'policies are kept from 2.6, and those of two subgraphs hold together',
    subgraphs: {
      a: `${fed('2.6', '@key @shareable @policy')} type Query { a: Int @shareable @policy(policies: [["p"]]) }`,
      b: `${fed('2.6', '@key @shareable @policy')} type Query { a: Int @shareable @policy(policies: [["q"]]) }`,
    },
    facts: ['Query.a @policy(policies: [["p", "q"]])'],
  },
  {
    name: 'scopes of a shared field hold together',
    subgraphs: {
      a: `${fed('2.5', '@key @shareable @requiresScopes')} type Query { a: Int @shareable @requiresScopes(scopes: [["p"], ["r"]]) }`,
      b: `${fed('2.5', '@key @shareable @requiresScopes')} type Query { a: Int @shareable @requiresScopes(scopes: [["q"]]) }`,
    },
    facts: ['Query.a @requiresScopes(scopes: [["p", "q"], ["q", "r"]])'],
  },
  {
    name: 'costs and list sizes are kept from 2.9',
    subgraphs: {
      a: `${fed('2.9', '@key @shareable @cost @listSize')}
        type Query { a(n: Int @cost(weight: 2)): Int @cost(weight: 5) l(first: Int): [T] @listSize(slicingArguments: ["first"], assumedSize: 10, requireOneSlicingArgument: false) c: Con @listSize(sizedFields: ["items"], assumedSize: 3) }
        type T @cost(weight: 7) { x: E s: S } type Con { items: [T] } enum E @cost(weight: 1) { A } scalar S @cost(weight: 4) input In { a: Int @cost(weight: 8) } extend type Query { i(in: In): Int }`,
    },
    facts: [
      'Query.a @cost(weight: 5)',
      'Query.a(n:) @cost(weight: 2)',
      'T @cost(weight: 7)',
      'E @cost(weight: 1)',
      'S @cost(weight: 4)',
      'In.a @cost(weight: 8)',
      'Query.c @listSize(assumedSize: 3, sizedFields: ["items"])',
    ],
  },
  {
    name: 'costs of shared fields: the highest counts',
    subgraphs: {
      a: `${fed('2.9', '@key @shareable @cost @listSize')} type Query { a: Int @shareable @cost(weight: 5) l: [Int] @shareable @listSize(assumedSize: 5) }`,
      b: `${fed('2.9', '@key @shareable @cost @listSize')} type Query { a: Int @shareable @cost(weight: 9) l: [Int] @shareable @listSize(assumedSize: 50) }`,
    },
    facts: ['Query.a @cost(weight: 9)', 'Query.l @listSize(assumedSize: 50)'],
  },
  {
    name: 'a slicing argument that another subgraph lacks is left out',
    subgraphs: {
      a: `${fed('2.9', '@shareable @listSize')} type Query { l(first: Int, last: Int): [Int] @shareable @listSize(slicingArguments: ["first", "last"]) }`,
      b: `${fed('2.9', '@shareable')} type Query { l(first: Int): [Int] @shareable }`,
    },
    facts: ['Query.l @listSize(slicingArguments: ["first"])', '!Query.l(last: Int)'],
  },
  {
    name: 'passing values down with @context is refused',
    subgraphs: {
      a: `${fed('2.8', '@key @context @fromContext')} type Query { t: T } type T @key(fields: "id") @context(name: "t") { id: ID! u: U p: Int! } type U @key(fields: "id") { id: ID! f(a: Int @fromContext(field: "$t { p }")): Int }`,
    },
    refused: ['UNSUPPORTED_DIRECTIVE'],
  },
  ...AUTHORIZATION.flatMap(([version, directive, written]) =>
    PLACES.map(
      ([place, sdl, coordinate]): CompositionSet => ({
        name: `${directive} on ${place} is kept`,
        subgraphs: { a: `${fed(version, `@key ${directive}`)} ${sdl.replaceAll('@d', written)}` },
        facts: [`${coordinate} ${written}`],
      }),
    ),
  ),
  ...[
    ['federation/v2.6")', '@federation__authenticated', '@authenticated'],
    ['federation/v2.15", as: "fed")', '@fed__policy(policies: [["p"]])', '@policy(policies: [["p"]])'],
    [
      'federation/v2.5", import: [{ name: "@requiresScopes", as: "@scoped" }])',
      '@scoped(scopes: [["s"]])',
      '@requiresScopes(scopes: [["s"]])',
    ],
    [
      'federation/v2.9") @link(url: "https://specs.apollo.dev/authenticated/v0.1")',
      '@authenticated',
      '@authenticated',
    ],
    [
      'federation/v2.9") @link(url: "https://specs.apollo.dev/policy/v0.1", for: SECURITY, as: "may")',
      '@may(policies: [["p"]])',
      '@policy(policies: [["p"]])',
    ],
    [
      'federation/v2.9") @link(url: "https://specs.apollo.dev/requiresScopes/v0.1", import: [{ name: "@requiresScopes", as: "@scoped" }])',
      '@scoped(scopes: [["s"]])',
      '@requiresScopes(scopes: [["s"]])',
    ],
    ['federation/v2.5/?a#b", import: ["@authenticated"])', '@authenticated', '@authenticated'],
  ].map(
    ([link, written, published]): CompositionSet => ({
      name: `who may see a field is kept however it is written: ${written} of ${link}`,
      subgraphs: {
        a: `extend schema @link(url: "https://specs.apollo.dev/${link} type Query { a: Int ${written} b: Int }`,
      },
      facts: [`Query.a ${published}`],
    }),
  ),
  ...[
    'HTTPS://Specs.Apollo.dev/federation/v2.5',
    'https://specs.apollo.dev:443//federation/./v2.5/',
    'https://somebody@specs.apollo.dev/federation/v2.5',
    ' https://specs.apollo.dev/federation/v2.5',
  ].map(
    (url): CompositionSet => ({
      name: `who may see a field is kept however the URL of the link is written: ${url}`,
      subgraphs: {
        a: `extend schema @link(url: "${url}", import: ["@authenticated"]) type Query { a: Int @authenticated b: Int }`,
      },
      facts: ['Query.a @authenticated'],
    }),
  ),
  {
    name: 'who may see a field is kept where the directive that links has another name',
    subgraphs: {
      a: `directive @uses(url: String, import: [String], as: String) repeatable on SCHEMA directive @authenticated on FIELD_DEFINITION
        extend schema @uses(url: "https://specs.apollo.dev/link/v1.0", as: "uses") @uses(url: "https://specs.apollo.dev/federation/v2.5", import: ["@authenticated"])
        type Query { a: Int @authenticated b: Int }`,
    },
    facts: ['Query.a @authenticated'],
  },
  {
    name: 'rules of a shared field hold together, whichever subgraph has them',
    subgraphs: {
      a: `${RULES} type Query { t: Int @shareable @authenticated u: Int @shareable }`,
      b: `${RULES} type Query { t: Int @shareable @requiresScopes(scopes: [["a"]]) u: Int @shareable @policy(policies: [["p"]]) }`,
    },
    facts: [
      'Query.t @authenticated',
      'Query.t @requiresScopes(scopes: [["a"]])',
      'Query.u @policy(policies: [["p"]])',
    ],
  },
  {
    name: 'alternatives of two subgraphs are combined: one of each must be held',
    subgraphs: {
      a: `${RULES} type Query { t: Int @shareable @requiresScopes(scopes: [["a", "b"], ["c"]]) }`,
      b: `${RULES} type Query { t: Int @shareable @requiresScopes(scopes: [["d"], ["e"]]) }`,
    },
    facts: ['Query.t @requiresScopes(scopes: [["c", "d"], ["c", "e"], ["a", "b", "d"], ["a", "b", "e"]])'],
  },
  {
    name: 'rules of a type and of its extensions hold together',
    subgraphs: {
      a: `${RULES} type Query { t: T } type T @key(fields: "id") { id: ID! } extend type T @requiresScopes(scopes: [["a"]]) { y: Int }`,
      b: `${RULES} type T @key(fields: "id") @requiresScopes(scopes: [["b"]]) { id: ID! z: Int }`,
    },
    facts: ['T @requiresScopes(scopes: [["a", "b"]])'],
  },
  {
    name: 'an interface and its fields demand what any of the object types demands',
    subgraphs: {
      a: `${RULES} type Query { i: I } interface I { id: ID! x: Int }
        type A implements I @authenticated { id: ID! x: Int }
        type B implements I { id: ID! x: Int @requiresScopes(scopes: [["s"], ["q"]]) }
        type C implements I { id: ID! x: Int @requiresScopes(scopes: [["r"]]) }`,
    },
    facts: ['I @authenticated', 'I.x @requiresScopes(scopes: [["q", "r"], ["r", "s"]])'],
  },
  {
    name: 'an interface demands it also of what another interface is an interface of',
    subgraphs: {
      a: `${RULES} type Query { i: I } interface I { x: Int } interface J implements I { x: Int } type A implements I & J { x: Int @authenticated }`,
    },
    facts: ['I.x @authenticated', 'J.x @authenticated'],
  },
  {
    name: 'the field of an interface object is protected for all types',
    subgraphs: {
      a: `${RULES} type Query { i: I } interface I @key(fields: "id") { id: ID! } type A implements I @key(fields: "id") { id: ID! }`,
      b: `${RULES} type I @interfaceObject @key(fields: "id") { id: ID! n: Int @authenticated }`,
    },
    facts: ['I.n @authenticated', 'A.n @authenticated'],
  },
  {
    name: 'what one type demands is no demand on the others, beside an interface object',
    subgraphs: {
      a: `${RULES} type Query { i: I } interface I @key(fields: "id") { id: ID! x: Int }
        type A implements I @key(fields: "id") { id: ID! x: Int @authenticated }
        type B implements I @key(fields: "id") { id: ID! x: Int }`,
      b: `${RULES} type I @interfaceObject @key(fields: "id") { id: ID! n: Int @authenticated }`,
    },
    facts: ['I.x @authenticated', 'A.x @authenticated', '!B.x @authenticated', 'B.n @authenticated'],
  },
  {
    name: 'a rule stays when another subgraph takes the field over',
    subgraphs: {
      a: `${RULES} type Query { t: T } type T @key(fields: "id") { id: ID! x: Int @authenticated }`,
      b: `${RULES} type T @key(fields: "id") { id: ID! x: Int @override(from: "a") }`,
    },
    facts: ['T.x @authenticated'],
  },
  {
    name: 'a field that requires another one has its rules, or stricter ones',
    subgraphs: {
      a: `${RULES} type Query { t: T } type T @key(fields: "id") { id: ID! d: Int @external y: Int @requires(fields: "d") @requiresScopes(scopes: [["a", "b"]]) }`,
      b: `${RULES} type T @key(fields: "id") { id: ID! d: Int @requiresScopes(scopes: [["a"]]) }`,
    },
    facts: ['T.y @requiresScopes(scopes: [["a", "b"]])', 'T.d @requiresScopes(scopes: [["a"]])'],
  },
  {
    name: 'a field that requires another one with a rule that is not stricter is refused',
    subgraphs: {
      a: `${RULES} type Query { t: T } type T @key(fields: "id") { id: ID! d: Int @external y: Int @requires(fields: "d") @requiresScopes(scopes: [["a"]]) }`,
      b: `${RULES} type T @key(fields: "id") { id: ID! d: Int @requiresScopes(scopes: [["a"], ["b"]]) }`,
    },
    refused: ['MISSING_TRANSITIVE_AUTH_REQUIREMENTS'],
  },
  {
    name: 'one scope stands for a list of lists',
    subgraphs: {
      a: `${RULES} type Query { e: Int @requiresScopes(scopes: "a") g: Int @policy(policies: ["a", "b"]) }`,
    },
    facts: ['Query.e @requiresScopes(scopes: [["a"]])', 'Query.g @policy(policies: [["a"], ["b"]])'],
  },
  {
    name: 'in types of other names, and roots of other names, rules are kept',
    subgraphs: {
      a: `${RULES} schema { query: Questions } type Questions { t: Int @authenticated }`,
    },
    facts: ['Query.t @authenticated'],
  },
  {
    name: 'a scalar that is specified at the URL of a specification links nothing',
    subgraphs: {
      a: `${fed('2.9', '@key')} type Query { s: S } scalar S @specifiedBy(url: "https://specs.apollo.dev/tag/v0.3")`,
    },
    facts: ['Query.s @a'],
  },
  {
    name: 'a directive of its own by the name of one that says who may see a field is the business of the subgraph',
    subgraphs: {
      a: `${fed('2.9', '@key')} directive @authenticated on FIELD_DEFINITION type Query { a: Int @authenticated }`,
      b: 'directive @policy(name: String) on OBJECT type Query @policy(name: "x") { b: Int }',
    },
    facts: ['Query.a @a', '!Query.a @authenticated'],
  },
  {
    name: 'a directive that says who may see a field is imported and not applied',
    subgraphs: { a: `${fed('2.9', '@key @authenticated @requiresScopes @policy')} type Query { a: Int }` },
    facts: ['Query.a @a'],
  },
]
