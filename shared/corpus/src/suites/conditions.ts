import { shopSuite } from '../harness/shop.ts'
import type { Suite } from '../harness/suite.ts'

export const conditions: Suite = shopSuite('conditions', [
  {
    name: 'a skipped requirement costs nothing',
    query: 'query ($no: Boolean!) { products { name deliverable @skip(if: $no) } }',
    variables: { no: true },
  },
  {
    name: 'the same not skipped',
    query: 'query ($no: Boolean!) { products { name deliverable @skip(if: $no) } }',
    variables: { no: false },
  },
  {
    name: 'include from the default of a variable',
    query: 'query ($yes: Boolean = false) { products { id stock @include(if: $yes) } }',
  },
  {
    name: 'include from a variable over its default',
    query: 'query ($yes: Boolean = false) { products { id stock @include(if: $yes) } }',
    variables: { yes: true },
  },
  {
    name: 'both on one field',
    query:
      'query ($a: Boolean!, $b: Boolean!) { product(id: "1") { id name @skip(if: $a) @include(if: $b) stock @skip(if: $b) @include(if: $a) price @skip(if: $a) @include(if: $a) } }',
    variables: { a: false, b: true },
  },
  {
    name: 'literal conditions',
    query:
      '{ product(id: "1") { name @include(if: false) stock @skip(if: false) price @skip(if: true) id @include(if: true) } }',
  },
  {
    name: 'a whole root skipped',
    query:
      'query ($no: Boolean!) { viewer @skip(if: $no) { nick reviews { stars } } product(id: "1") { name } }',
    variables: { no: true },
  },
  {
    name: 'every root skipped',
    query: 'query ($no: Boolean!) { viewer @skip(if: $no) { nick } products @include(if: false) { id } }',
    variables: { no: true },
  },
  {
    name: 'on fragments of all forms',
    query:
      'query ($yes: Boolean!, $no: Boolean!) { products { ... @include(if: $yes) { name } ...P @skip(if: $no) ... on Product @include(if: $no) { stock } } } fragment P on Product { maker { country } price @include(if: $no) }',
    variables: { yes: true, no: false },
  },
  {
    name: 'the same field with and without condition',
    query:
      'query ($no: Boolean!) { products { id stock @skip(if: $no) ... @include(if: $no) { stock } } viewer { reviews @skip(if: $no) { stars } reviews { body } } }',
    variables: { no: true },
  },
  {
    name: 'children of a field that is included twice',
    query:
      'query ($a: Boolean!, $b: Boolean!) { product(id: "1") { maker @include(if: $a) { name } maker @include(if: $b) { country } } }',
    variables: { a: false, b: true },
  },
  {
    name: 'all children of an object skipped',
    query:
      'query ($no: Boolean!) { product(id: "1") { maker { name @skip(if: $no) country @skip(if: $no) } id } }',
    variables: { no: true },
  },
  {
    name: 'conditions on type names',
    query:
      'query ($no: Boolean!) { __typename @skip(if: $no) product(id: "1") { __typename @include(if: $no) kind: __typename @skip(if: $no) } }',
    variables: { no: true },
  },
  {
    name: 'a condition inside a condition',
    query:
      'query ($a: Boolean!, $b: Boolean!) { search { ... on Product @include(if: $a) { name ... @include(if: $b) { stock reviews { stars @skip(if: $a) body } } } } }',
    variables: { a: true, b: true },
  },
])
