/** Usual requests, and attacks that routers are known to have suffered from. */
import type { Seeds } from './target.ts'

const numbered = (count: number, make: (index: number) => string, separator = ' ') =>
  Array.from({ length: count }, (_, index) => make(index)).join(separator)

/** Whatever a document may have. Its parts get into other documents. */
const TYPICAL = `
query Q($on: Boolean = true, $filter: Filter, $ids: [ID!], $json: JSON = {a: 1}, $ranges: [Range!]! = [{min: 1}]) {
  __typename
  id
  name
  stock(at: RED)
  me { id name next { id } }
  self { self { me { id } } }
  node(id: "1") { id ... on T1 { name } ... on Kind2 { name } ...F }
  nodes { id ... @defer { __typename ... on T3 { next { id stock } } } }
  search(filter: { and: [{ name: "a" }], range: { min: 1 } }, ids: [1], json: { a: [1, { b: -2.5e3 }] }, colours: [RED]) {
    ... on Node { id }
    ... on Kind1 { peers(first: 3) { name(prefix: """p""") } }
  }
  cube { id }
  stocked { id twin { id twin { stock } } }
  all: me { all { ... on T1 { all { ... on T2 { id } } } } }
  ... on Query @include(if: $on) { count(filter: $filter, ids: $ids, on: $on, text: null) }
  ... @defer(label: "late", if: $on) { me @skip(if: false) { twin { name } } }
  __schema {
    types { name fields { name args { name defaultValue } type { name ofType { name } } } interfaces { possibleTypes { name } } }
    directives { name @deprecated @stream }
  }
  __type(name: "T1") { fields(includeDeprecated: true) { name } inputFields { name } enumValues { name } }
}
fragment F on Node { id ...G }
fragment G on Node { __typename ... on T0 { stock } }
mutation M { change(filter: { not: { on: true }, tags: ["t"], matrix: [[1]], first: 1 }, json: []) { id } }`

export const DOCUMENT_SEEDS: Seeds = {
  small: '{ me { id name } }',
  'two subgraphs': '{ stocked { id name stock twin { id next { name } } } }',
  'abstract types':
    '{ search { ... on Node { id } ... on Kind1 { name peers { name ... on T11 { next { id } } } } ... on T2 { stock } } }',
  deferred:
    'query ($on: Boolean = true) { me { id ... @defer(if: $on) { name next { id } } } stocked { id ... @defer(label: "a") { stock ... @defer(label: "b") { twin { name } } } } }',
  fragments:
    'query Q { node(id: 1) { ...A } nodes { ...B } } fragment A on Node { id ...B } fragment B on Node { __typename ... on T0 { ...C } } fragment C on T0 { id name stock }',
  'fragment cycle':
    '{ me { ...A } } fragment A on T0 { next { ...B } ...B } fragment B on T7 { next { ...A } ...A }',
  'doubling fragments': `{ me { ...F0 } } ${numbered(12, (n) => `fragment F${n} on T0 { twin { twin { id ...F${n + 1} } } ...F${n + 1} }`)} fragment F12 on T0 { id }`,
  introspection:
    '{ __schema { queryType { name } types { kind name description fields(includeDeprecated: true) { name args { name type { name kind ofType { name kind } } defaultValue } } inputFields { name } interfaces { name } enumValues { name } possibleTypes { name } } directives { name locations args { name } } } }',
  'introspection bomb': `{ __schema { types { interfaces { possibleTypes { ${numbered(40, (n) => `a${n}: name`)} } } } } }`,
  literals: `{ count(filter: { ${numbered(50, (n) => `u${n}: "${'x'.repeat(100)}"`)} }) }`,
  'nested literals':
    '{ count(filter: { and: [{ not: { and: [{ tags: ["a", 1], matrix: [[1, 2], 3] }] } }] }, json: [[[{ a: [1] }]]]) }',
  'unknown fields after line breaks': `${'\r'.repeat(50_000)}{ ${numbered(60, (n) => `u${n}`)} }`,
  'an operation that is not executed': `query A { me { id } } query B { ${numbered(60, () => 'self { self { count } }')} }`,
  conflicts: `{ ${numbered(20, (n) => `me { name${n % 2 === 0 ? '' : '(prefix: "a")'} next { id } }`)} }`,
  'inline fragments on abstract types': `{ node(id: 1) { ${numbered(100, (n) => `... on Kind${n % 10} { id }`)} } }`,
  'nested abstract types': `{ node(id: 1) { ${'... on Node { ... on Kind1 { '.repeat(20)} id ${'} }'.repeat(20)} } }`,
  'union members': `{ search { ${numbered(100, (n) => `... on T${n} { id name next { id } }`)} } }`,
  aliases: `{ ${numbered(200, (n) => `a${n}: me { id }`)} }`,
  directives: `query ($on: Boolean = true) { me { id ${'@include(if: $on) @skip(if: false) '.repeat(20)} } }`,
  'many defers': `{ me { ${numbered(30, (n) => `... @defer(label: "l${n}") { name twin { id stock } }`)} } }`,
  'variables in use': `query (${numbered(30, (n) => `$v${n}: Filter`)}) { ${numbered(30, (n) => `c${n}: count(filter: $v${n})`)} }`,
  'long strings': `{ count(text: "${'\\u0041'.repeat(2000)}", json: """${'\n  x'.repeat(500)}""") }`,
  'every part of a document': TYPICAL,
}

const FILTER = 'query ($filter: Filter) { count(filter: $filter) }'
const EVERYTHING =
  'query ($filter: Filter, $filters: [Filter!], $ids: [ID!], $json: JSON) { count(filter: $filter, filters: $filters, ids: $ids, json: $json) }'

/** Returns a request. `variables` is the text of an object in JSON. */
function body(query: string, variables: string): string {
  return `{"query":${JSON.stringify(query)},"variables":${variables}}`
}
const bodyWith = (query: string, variables: object) => body(query, JSON.stringify(variables))
const many = (count: number, make: (index: number) => readonly [string, unknown]): unknown =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => make(index)))

const TYPICAL_VARIABLES = {
  filter: {
    name: 'x',
    and: [{ tags: ['t'] }],
    not: { on: true },
    range: { min: 1 },
    matrix: [[1]],
    colour: 'RED',
  },
  json: [1, 'text', null, true, [], {}, 1.5e300, { deep: { deeper: [1, 2] } }],
}

export const VARIABLE_SEEDS: Seeds = {
  'a filter': bodyWith(FILTER, {
    filter: {
      name: 'a',
      first: 3,
      and: [{ tags: ['x'] }],
      range: { min: 1 },
      colour: 'RED',
      json: { a: [1, 2] },
    },
  }),
  everything: bodyWith(EVERYTHING, {
    filter: { not: { matrix: [[1], [2]] } },
    filters: [{ on: true }, { ids: ['1', 2] }],
    ids: [1, 'a'],
    json: { deep: { deeper: [null] } },
  }),
  'unknown fields': bodyWith(FILTER, { filter: many(2000, (n) => [`unknown${n}`, 'x'.repeat(24)]) }),
  'a 20-digit number among many': body(EVERYTHING, `{"ids":[12345678901234567890${',7'.repeat(2000)}]}`),
  'deep lists': body(EVERYTHING, `{"json":${'['.repeat(300)}${']'.repeat(300)}}`),
  'deep filters': body(FILTER, `{"filter":${'{"not":'.repeat(200)}{}${'}'.repeat(200)}}`),
  'wrong items': bodyWith(EVERYTHING, {
    filters: Array.from({ length: 300 }, () => ({ range: {}, colour: 'GREEM', first: 1.5 })),
  }),
  'the same key': body(FILTER, `{"filter":{${numbered(300, () => '"name":"x"', ',')}}}`),
  escapes: body(EVERYTHING, `{"json":"${'\\"'.repeat(2000)}"}`),
  'white space': body(EVERYTHING, `{"ids":[1,2${' '.repeat(100_000)}]}`),
  'long keys': bodyWith(EVERYTHING, { json: many(200, (n) => [`${'k'.repeat(500)}${n}`, n]) }),
  'a list of lists': bodyWith(EVERYTHING, { json: Array.from({ length: 500 }, () => [[], {}]) }),
  'every kind of value': bodyWith(EVERYTHING, TYPICAL_VARIABLES),
}
