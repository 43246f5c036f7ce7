import { shopSuite } from '../harness/shop.ts'
import type { Suite } from '../harness/suite.ts'

export const typenames: Suite = shopSuite('type names', [
  { name: 'the root alone needs no subgraph', query: '{ __typename }' },
  { name: 'the root under several names', query: 'query Q { a: __typename viewer { id } b: __typename }' },
  { name: 'of objects', query: '{ viewer { __typename reviews { __typename author { t: __typename } } } }' },
  { name: 'alone on objects', query: '{ viewer { __typename } products { maker { __typename } } }' },
  { name: 'alone on entities of another subgraph', query: '{ products { reviews { __typename } } }' },
  { name: 'of an interface', query: '{ viewer { favourite { __typename } } }' },
  {
    name: 'of union members inside and outside fragments',
    query: '{ search { __typename ... on Product { p: __typename } ... on Priced { q: __typename price } } }',
  },
  {
    name: 'between fields of two subgraphs',
    query: '{ products { stock __typename name maker { country t: __typename name } } }',
  },
  {
    name: 'as the only selection of a fragment',
    query: '{ search { ...T } } fragment T on Maker { __typename }',
  },
  {
    name: 'beside introspection',
    query: '{ __typename __schema { queryType { __typename name } } product(id: "1") { __typename } }',
  },
  {
    name: 'of what is not there',
    query: '{ product(id: "x") { __typename name } products { maker { __typename country } } }',
  },
])
