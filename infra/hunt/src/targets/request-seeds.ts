/** The first requests of campaigns: usual ones, and attacks that routers are known to have suffered from. */
import { jsonMember, jsonTree, scalar } from '../input/json-tree.ts'
import type { Tree } from '../input/tree.ts'
import type { RequestSeed } from './requests.ts'

const numbered = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join(' ')

export const DOCUMENT_SEEDS: readonly RequestSeed[] = [
  { name: 'small', document: '{ me { id name } }' },
  { name: 'two subgraphs', document: '{ stocked { id name stock twin { id next { name } } } }' },
  {
    name: 'abstract types',
    document:
      '{ search { ... on Node { id } ... on Kind1 { name peers { name ... on T11 { next { id } } } } ... on T2 { stock } } }',
  },
  {
    name: 'deferred',
    document:
      'query ($on: Boolean = true) { me { id ... @defer(if: $on) { name next { id } } } stocked { id ... @defer(label: "a") { stock ... @defer(label: "b") { twin { name } } } } }',
  },
  {
    name: 'fragments',
    document:
      'query Q { node(id: 1) { ...A } nodes { ...B } } fragment A on Node { id ...B } fragment B on Node { __typename ... on T0 { ...C } } fragment C on T0 { id name stock }',
  },
  {
    name: 'fragment cycle',
    document:
      '{ me { ...A } } fragment A on T0 { next { ...B } ...B } fragment B on T7 { next { ...A } ...A }',
  },
  {
    name: 'doubling fragments',
    document: `{ me { ...F0 } } ${numbered(12, (n) => `fragment F${n} on T0 { twin { twin { id ...F${n + 1} } } ...F${n + 1} }`)} fragment F12 on T0 { id }`,
  },
  {
    name: 'introspection',
    document:
      '{ __schema { queryType { name } types { kind name description fields(includeDeprecated: true) { name args { name type { name kind ofType { name kind } } defaultValue } } inputFields { name } interfaces { name } enumValues { name } possibleTypes { name } } directives { name locations args { name } } } }',
  },
  {
    name: 'introspection bomb',
    document: `{ __schema { types { interfaces { possibleTypes { ${numbered(40, (n) => `a${n}: name`)} } } } } }`,
  },
  {
    name: 'literals',
    document: `{ count(filter: { ${numbered(50, (n) => `u${n}: "${'x'.repeat(100)}"`)} }) }`,
  },
  {
    name: 'nested literals',
    document:
      '{ count(filter: { and: [{ not: { and: [{ tags: ["a", 1], matrix: [[1, 2], 3] }] } }] }, json: [[[{ a: [1] }]]]) }',
  },
  {
    name: 'unknown fields after line breaks',
    document: `{ ${numbered(60, (n) => `u${n}`)} }`,
    stuffing: [{ at: 0, text: '\r', count: 50_000 }],
  },
  {
    name: 'an operation that is not executed',
    document: `query A { me { id } } query B { ${numbered(60, () => 'self { self { count } }')} }`,
  },
  {
    name: 'conflicts',
    document: `{ ${numbered(20, (n) => `me { name${n % 2 === 0 ? '' : '(prefix: "a")'} next { id } }`)} }`,
  },
  {
    name: 'inline fragments on abstract types',
    document: `{ node(id: 1) { ${numbered(100, (n) => `... on Kind${n % 10} { id }`)} } }`,
  },
  {
    name: 'nested abstract types',
    document: `{ node(id: 1) { ${'... on Node { ... on Kind1 { '.repeat(20)} id ${'} }'.repeat(20)} } }`,
  },
  {
    name: 'union members',
    document: `{ search { ${numbered(100, (n) => `... on T${n} { id name next { id } }`)} } }`,
  },
  { name: 'aliases', document: `{ ${numbered(200, (n) => `a${n}: me { id }`)} }` },
  {
    name: 'directives',
    document: `query ($on: Boolean = true) { me { id ${'@include(if: $on) @skip(if: false) '.repeat(20)} } }`,
  },
  {
    name: 'many defers',
    document: `{ me { ${numbered(30, (n) => `... @defer(label: "l${n}") { name twin { id stock } }`)} } }`,
  },
  {
    name: 'variables in use',
    document: `query (${numbered(30, (n) => `$v${n}: Filter`)}) { ${numbered(30, (n) => `c${n}: count(filter: $v${n})`)} }`,
  },
  {
    name: 'long strings',
    document: `{ count(text: "${'\\u0041'.repeat(2000)}", json: """${'\n  x'.repeat(500)}""") }`,
  },
]

const many = (count: number, make: (index: number) => readonly [string, unknown]): unknown =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => make(index)))
const variablesOf = (name: string, value: Tree): Tree => ({
  kind: 'JsonObject',
  members: [{ kind: 'JsonMember', name: JSON.stringify(name), value }],
})

const FILTER = 'query ($filter: Filter) { count(filter: $filter) }'
const EVERYTHING =
  'query ($filter: Filter, $filters: [Filter!], $ids: [ID!], $json: JSON) { count(filter: $filter, filters: $filters, ids: $ids, json: $json) }'

export const VARIABLE_SEEDS: readonly RequestSeed[] = [
  {
    name: 'a filter',
    document: FILTER,
    variables: jsonTree({
      filter: {
        name: 'a',
        first: 3,
        and: [{ tags: ['x'] }],
        range: { min: 1 },
        colour: 'RED',
        json: { a: [1, 2] },
      },
    }),
  },
  {
    name: 'everything',
    document: EVERYTHING,
    variables: jsonTree({
      filter: { not: { matrix: [[1], [2]] } },
      filters: [{ on: true }, { ids: ['1', 2] }],
      ids: [1, 'a'],
      json: { deep: { deeper: [null] } },
    }),
  },
  {
    name: 'unknown fields',
    document: FILTER,
    variables: jsonTree({ filter: many(2000, (n) => [`unknown${n}`, 'x'.repeat(24)]) }),
  },
  {
    name: 'a 20-digit number among many',
    document: EVERYTHING,
    variables: variablesOf('ids', {
      kind: 'JsonList',
      items: [scalar('12345678901234567890'), ...Array.from({ length: 2000 }, () => scalar('7'))],
    }),
  },
  {
    name: 'deep lists',
    document: EVERYTHING,
    variables: variablesOf('json', scalar(`${'['.repeat(300)}${']'.repeat(300)}`)),
  },
  {
    name: 'deep filters',
    document: FILTER,
    variables: variablesOf('filter', scalar(`${'{"not":'.repeat(200)}{}${'}'.repeat(200)}`)),
  },
  {
    name: 'wrong items',
    document: EVERYTHING,
    variables: jsonTree({
      filters: Array.from({ length: 300 }, () => ({ range: {}, colour: 'GREEM', first: 1.5 })),
    }),
  },
  {
    name: 'the same key',
    document: FILTER,
    variables: {
      kind: 'JsonObject',
      members: [
        {
          kind: 'JsonMember',
          name: '"filter"',
          value: {
            kind: 'JsonObject',
            members: Array.from({ length: 300 }, () => jsonMember('name', jsonTree('x'))),
          },
        },
      ],
    },
  },
  {
    name: 'escapes',
    document: EVERYTHING,
    variables: variablesOf('json', scalar(`"${'\\"'.repeat(2000)}"`)),
  },
  {
    name: 'white space',
    document: EVERYTHING,
    variables: jsonTree({ ids: [1, 2] }),
    stuffing: [{ at: 0.9, text: ' ', count: 100_000 }],
  },
  {
    name: 'long keys',
    document: EVERYTHING,
    variables: jsonTree({ json: many(200, (n) => [`${'k'.repeat(500)}${n}`, n]) }),
  },
  {
    name: 'a list of lists',
    document: EVERYTHING,
    variables: jsonTree({ json: Array.from({ length: 500 }, () => [[], {}]) }),
  },
]
