import { getIntrospectionQuery } from 'graphql'
import { shopSuite } from '../harness/shop.ts'
import type { Suite } from '../harness/suite.ts'

export const introspection: Suite = shopSuite('introspection', [
  {
    name: 'one type',
    anyOrder: true,
    query:
      '{ __type(name: "Product") { name kind fields { name type { kind name ofType { name } } args { name defaultValue } } interfaces { name } } }',
  },
  {
    name: 'members of a union and an interface',
    anyOrder: true,
    query:
      '{ a: __type(name: "Hit") { possibleTypes { name } } b: __type(name: "Priced") { possibleTypes { name } fields { name } } }',
  },
  {
    name: 'between data, in order',
    query: '{ product(id: "1") { name } __type(name: "Maker") { name } viewer { nick } __typename }',
  },
  {
    name: 'types that clients must not see',
    query:
      '{ a: __type(name: "_Entity") { name } b: __type(name: "_Any") { name } c: __type(name: "join__Graph") { name } d: __type(name: "link__Import") { name } e: __type(name: "_Service") { name } }',
  },
  {
    name: 'the fields of the root',
    anyOrder: true,
    query:
      '{ __schema { queryType { name fields { name } } mutationType { name } subscriptionType { name } } }',
  },
  {
    name: 'with variables',
    query:
      'query ($name: String!) { __type(name: $name) { name } other: __type(name: $name) { kind } viewer { nick } }',
    variables: { name: 'Maker' },
  },
  {
    name: 'with fragments and conditions',
    anyOrder: true,
    query:
      'query ($no: Boolean!) { __schema @skip(if: $no) { types { name } } ...R } fragment R on Query { __type(name: "Viewer") { ...T kind @skip(if: $no) } } fragment T on __Type { name }',
    variables: { no: true },
  },
  {
    name: 'under aliases',
    query:
      '{ constructor: __type(name: "Product") { toString: name __proto__: kind } schema: __schema { queryType { __typename } } }',
  },
  {
    name: 'every type and directive by name',
    anyOrder: true,
    query: '{ __schema { directives { name } types { kind name } } }',
  },
])

/** The tools' own query; its answer is compared as a schema, since definition order is nobody's promise. */
export const TOOL_INTROSPECTION = getIntrospectionQuery()
