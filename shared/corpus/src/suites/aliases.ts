import { shopSuite } from '../harness/shop.ts'
import type { Suite } from '../harness/suite.ts'

export const aliases: Suite = shopSuite('aliases', [
  { name: 'names exchanged', query: '{ product(id: "1") { name: price price: name stock: id id: stock } }' },
  {
    name: 'one field many times with different arguments',
    query:
      '{ a: product(id: "1") { name stock } b: product(id: "2") { name stock } c: product(id: "7") { name stock } product(id: "3") { stock } }',
  },
  {
    name: 'names of Object.prototype',
    query:
      '{ product(id: "1") { constructor: name toString: price valueOf: stock hasOwnProperty: id isPrototypeOf: deliverable toLocaleString: __typename } }',
  },
  {
    name: 'names of Object.prototype for objects and lists',
    query:
      '{ constructor: product(id: "1") { toString: maker { valueOf: country constructor: name } } hasOwnProperty: products { constructor: reviews { toString: stars } } }',
  },
  {
    name: 'names of Object.prototype over null',
    query:
      '{ product(id: "3") { constructor: name toString: stock valueOf: maker { name } hasOwnProperty: deliverable } }',
  },
  {
    name: 'the name __proto__',
    query:
      '{ product(id: "1") { __proto__: name stock } products { __proto__: maker { __proto__: country } } }',
  },
  {
    name: 'the name __proto__ at the root',
    query: '{ __proto__: product(id: "1") { __proto__: stock name } }',
  },
  {
    name: 'toJSON, then and length',
    query:
      '{ product(id: "1") { toJSON: name then: stock length: price } toJSON: products { length: id toJSON: stock } }',
  },
  {
    name: 'names of our own machinery',
    query:
      '{ product(id: "1") { _entities: name _e0: stock __s0: price _s1: id _service: deliverable } _entities: products { id representations: stock } }',
  },
  {
    name: 'the key renamed and its name given to another field',
    query: '{ products { id: name key: id stock } }',
  },
  {
    name: 'the inputs of a requirement renamed',
    query: '{ products { price: name name: price deliverable stock: deliverable } }',
  },
  {
    name: 'aliases of objects whose fields come from elsewhere',
    query:
      '{ viewer { best: favourite { cost: price ... on Product { left: stock } ... on Service { left: hours } } mine: reviews { of: product { a: name b: stock } } } }',
  },
  {
    name: 'the same list twice',
    query:
      '{ product(id: "1") { one: reviews(first: 1) { stars author { nick } } two: reviews { body author { id } } } }',
  },
  {
    name: 'type names under many names',
    query:
      '{ __typename t: __typename search { __typename: __typename kind: __typename constructor: __typename ... on Product { name } } }',
  },
])
