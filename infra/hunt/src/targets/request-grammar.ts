/** Parts of usual requests, which mutations put into other requests. */
import {
  DOCUMENT_LISTS,
  documentCategory,
  documentTree,
  numberedDocumentPart,
  withDocumentText,
} from '../input/document-tree.ts'
import { isJson, JSON_LISTS, jsonTree, numberedJson, withJsonText } from '../input/json-tree.ts'
import type { Grammar } from '../input/mutations.ts'
import { vocabularyOf } from './vocabulary.ts'

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

/** \`names\`: of the graph. */
export function requestGrammar(names: readonly string[]): Grammar {
  const categoryOf = (kind: string) =>
    isJson(kind) ? 'json' : kind === 'JsonMember' ? 'member' : documentCategory(kind)
  return {
    categoryOf,
    lists: { ...DOCUMENT_LISTS, ...JSON_LISTS },
    vocabulary: vocabularyOf([documentTree(TYPICAL), jsonTree(TYPICAL_VARIABLES)], categoryOf),
    words: [
      ...names,
      '__typename',
      '__schema',
      'F',
      'G',
      'on',
      'true',
      'constructor',
      '__proto__',
      'Fielt',
      'a'.repeat(5000),
    ],
    numbered: (node, number) =>
      isJson(node.kind) || node.kind === 'JsonMember'
        ? numberedJson(node, number)
        : numberedDocumentPart(node, number),
    withText: (node, text) => withJsonText(node, text) ?? withDocumentText(node, text),
  }
}
