import { shopSuite } from '../harness/shop.ts'
import type { Suite } from '../harness/suite.ts'

export const fragments: Suite = shopSuite('fragments', [
  {
    name: 'a named fragment used twice',
    query:
      '{ a: product(id: "1") { ...P } b: product(id: "2") { ...P } } fragment P on Product { name stock maker { country } }',
  },
  {
    name: 'fragments inside fragments',
    query:
      '{ viewer { ...V } } fragment V on Viewer { nick reviews { ...R } } fragment R on Review { stars product { ...P } } fragment P on Product { name maker { ...M } } fragment M on Maker { name country }',
  },
  { name: 'an inline fragment without a type', query: '{ products { ... { name ... { stock } } } }' },
  {
    name: 'overlapping fragments merge in order of first appearance',
    query:
      '{ products { ...A ...B stock } } fragment A on Product { name maker { name } } fragment B on Product { stock maker { country id } name }',
  },
  {
    name: 'the same field inside and outside, with different children',
    query:
      '{ viewer { reviews { stars } ... on Viewer { reviews { body product { id } } } reviews { product { name stock } } } }',
  },
  {
    name: 'conditions of an interface on members of a union',
    query: '{ search { ... on Priced { price } ... on Maker { country } } }',
  },
  {
    name: 'fragments that can never apply',
    query:
      '{ viewer { favourite { price ... on Product { ... on Priced { ... on Service { hours } } name } } } }',
  },
  {
    name: 'an impossible union member through an interface',
    query: '{ search { ... on Priced { ... on Product { stock } ... on Service { hours } } } }',
  },
  {
    name: 'a fragment on the root',
    query:
      'query { ...Root ... on Query { viewer { nick } } } fragment Root on Query { product(id: "1") { name } viewer { id } }',
  },
  {
    name: 'arguments inside fragments',
    query:
      'query ($n: Int) { products { ...P } } fragment P on Product { reviews(first: $n) { stars } more: reviews(first: 9) { stars } }',
    variables: { n: 1 },
  },
  { name: 'an object that no fragment fits', query: '{ search { ... on Service { hours } } }' },
  {
    name: 'the same fragment at several depths',
    query:
      '{ viewer { reviews { ...R product { reviews { ...R } } } } } fragment R on Review { id author { nick } }',
  },
])
