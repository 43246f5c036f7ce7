import type { CompositionHint } from '@switchyard/composition'
import { buildASTSchema, parse } from 'graphql'
import type { GraphQLSchema } from 'graphql'
import { sampled } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { type ErrorSet, F } from './errors/error-set.ts'
import { byText, placesOf, readMarks } from './errors/marks.ts'
import { SETS } from './sets/index.ts'
import { composeSdls } from './subgraph-fixtures.ts'

const hints: readonly ErrorSet[] = [
  {
    code: 'FROM_SUBGRAPH_DOES_NOT_EXIST',
    name: 'an override from an unknown subgraph',
    subgraphs: { a: `${F} type Query { x: Int ‹@override(from: "nowhere")› }` },
  },
  {
    code: 'OVERRIDDEN_FIELD_CAN_BE_REMOVED',
    name: 'a field that another subgraph has taken over',
    subgraphs: {
      a: `${F} type Query { x: Int ‹@override(from: "b")› }`,
      b: `${F} type Query { y: Int ‹x›: Int }`,
    },
    labels: ['overrides it', 'can be removed'],
  },
  {
    code: 'PROVIDED_FIELD_NOT_SHAREABLE',
    name: 'a field that is provided where its owner does not share it',
    subgraphs: {
      a: `${F} type Query { x: T ‹@provides(fields: "y own { z }")› } type T @key(fields: "id") { id: ID! y: Int @external own: V @external } type V { z: Int @shareable }`,
      b: `${F} type T @key(fields: "id") { id: ID! ‹y›: Int own: V @shareable } type V { z: Int @shareable }`,
    },
    labels: ['provided here', 'not @shareable'],
    says: '"Query.x" of subgraph "a" provides "T.y", which subgraph "b" does not mark with @shareable',
  },
  {
    code: 'INCONSISTENT_BUT_COMPATIBLE_FIELD_TYPE',
    name: 'a field that is non-null in one subgraph only',
    subgraphs: {
      a: `${F} type Query { x: ‹Int!› @shareable }`,
      b: `${F} type Query { x: ‹Int› @shareable }`,
    },
    labels: ['Int! here', 'Int here'],
    says: 'clients see "Int"',
  },
  {
    code: 'INCONSISTENT_BUT_COMPATIBLE_ARGUMENT_TYPE',
    name: 'an argument that is required in one subgraph only',
    subgraphs: {
      a: `${F} type Query { x(a: ‹Int!›): Int @shareable }`,
      b: `${F} type Query { x(a: ‹Int›): Int @shareable }`,
    },
    labels: ['Int! here', 'Int here'],
    says: 'clients see "Int!"',
  },
  {
    code: 'INCONSISTENT_ARGUMENT_PRESENCE',
    name: 'an optional argument that another subgraph lacks',
    subgraphs: {
      a: `${F} type Query { x(‹a›: Int): Int @shareable }`,
      b: `${F} type Query { ‹x›: Int @shareable }`,
    },
    labels: ['declared here', 'no argument "a" here'],
  },
  {
    code: 'INCONSISTENT_DEFAULT_VALUE_PRESENCE',
    name: 'a default that another subgraph does not give',
    subgraphs: {
      a: `${F} type Query { x(a: Int = ‹1›): Int @shareable }`,
      b: `${F} type Query { x(‹a›: Int): Int @shareable }`,
    },
    labels: ['1 here', 'no default here'],
  },
  {
    code: 'INCONSISTENT_INPUT_OBJECT_FIELD',
    name: 'an optional input field that another subgraph lacks',
    subgraphs: {
      a: `${F} type Query { a(i: In): Int } input In { x: Int ‹y›: Int }`,
      b: `${F} type Query { b(i: In): Int } input ‹In› { x: Int }`,
    },
    labels: ['declared here', 'no field "y" here'],
  },
  {
    code: 'INCONSISTENT_ENUM_VALUE_FOR_INPUT_ENUM',
    name: 'a value of an input enum that another subgraph lacks',
    subgraphs: {
      a: `${F} type Query { a(e: E): Int } enum E { A ‹B› }`,
      b: `${F} type Query { b(e: E): Int } enum ‹E› { A }`,
    },
    labels: ['defined here', 'no value "B" here'],
  },
  {
    code: 'INCONSISTENT_DESCRIPTION',
    name: 'a type that two subgraphs describe differently',
    subgraphs: {
      a: `${F} type Query { a: T } ‹"about a"› type T @shareable { x: Int }`,
      b: `${F} type Query { b: T } ‹"about b"› type T @shareable { x: Int }`,
      c: `${F} type Query { c: T } type T @shareable { x: Int }`,
    },
  },
  {
    code: 'INCONSISTENT_DESCRIPTION',
    name: 'a field that two subgraphs describe differently',
    subgraphs: {
      a: `${F} type Query { ‹"about a"› x: Int @shareable }`,
      b: `${F} type Query { ‹"about b"› x: Int @shareable }`,
    },
  },
  {
    code: 'AUTHORIZATION_NOT_ENFORCED',
    name: 'fields that nobody but the schema protects, in a graph that allows it',
    subgraphs: {
      a: `extend schema @link(url: "https://specs.apollo.dev/federation/v2.6", import: [{ name: "@authenticated", as: "@auth" }])
        type Query { x(a: Int): T ‹@auth› e: E s: S } type T ‹@auth› { y: Int } enum E ‹@auth› { A } scalar S ‹@auth›`,
      b: 'type Query { other: Int }',
    },
    labels: ['on "Query.x"', 'on "T"', 'on "E"', 'on "S"'],
    says: '[a] @auth is not enforced by the router, which the graph allows: everybody who reaches the router is answered "Query.x", "T", "E", "S".',
    allowUnenforcedAuthorization: true,
  },
  {
    code: 'SUBSCRIPTIONS_NOT_SERVED',
    name: 'subscriptions, which the router does not answer',
    subgraphs: {
      a: `${F} type Query { x: Int } type ‹Subscription› { ticks: Int } extend type ‹Subscription› { tocks: Int }`,
    },
    says: '[a] Subscriptions are served only by routers with subscriptions.enabled: clients see "Subscription.ticks", "Subscription.tocks" in the schema',
  },
  {
    code: 'SUBSCRIPTIONS_NOT_SERVED',
    name: 'subscriptions under another name of their root',
    subgraphs: {
      a: 'schema { query: Query subscription: News } type Query { x: Int } type ‹News› { latest: Int }',
    },
    says: '"Subscription.latest"',
  },
  {
    code: 'DIRECTIVE_WITHOUT_EFFECT',
    name: 'tags for a cache that the router does not have, however they are written',
    subgraphs: {
      a: `extend schema @link(url: "https://specs.apollo.dev/federation/v2.12", import: [{ name: "@cacheTag", as: "@cached" }])
        type Query { x: T ‹@cached(format: "x")› } type T ‹@cached(format: "t")› { y: Int }`,
    },
    says: '@cached has no effect: the router does not cache responses',
  },
]

const BROKEN = {
  broken: `${F} type Query { brokenOne: Broken @provides(fields: "nope") } type Broken { x: Int }`,
}

describe('hints', () => {
  it.each(hints)('$code: $name', ({ code, says, ...set }) => {
    const { sdls, marks } = readMarks(set)
    const result = composeSdls(sdls, set)
    expect(result.kind).toBe('composed')
    expect(result.hints.map((hint) => hint.code)).toEqual([code])
    expect(result.hints.flatMap(placesOf).sort(byText)).toEqual([...marks].sort(byText))
    expect(result.hints[0]?.message).toContain(says ?? '')
    expect(composeSdls({ ...sdls, ...BROKEN }, set)).toMatchObject({ kind: 'failed', hints: result.hints })
  })

  it('say of a merged schema only what is so', () => {
    let checked = 0
    for (const set of sampled(Object.values(SETS).flat(), 2)) {
      const result = composeSdls(set.subgraphs)
      if (result.kind === 'failed') continue
      const schema = buildASTSchema(parse(result.supergraphSdl), { assumeValidSDL: true })
      for (const hint of result.hints) if (expectTrue(hint, schema)) checked++
    }
    expect(checked).toBeGreaterThan(10)
  })

  it('are not given for what frameworks print for routers, each in its own way', () => {
    const sdls = {
      apollo: `${F} type Query { x: Int _service: _Service! } type _Service { sdl: String }`,
      strawberry: `${F}
        type Query { y: Int _service: _Service! _entities(representations: [_Any!]!): [_Entity]! }
        type Book @key(fields: "id") { id: ID! }
        union _Entity = Book
        "Represents anything." scalar _Any
        type _Service { sdl: String! }`,
      pothos: `${F}
        type Query { z: Int _service: _Service! _entities(representations: [_Any!]): [_Entity]! }
        type Book @key(fields: "id") { id: ID! title: String }
        "An entity." union _Entity = Book
        scalar _Any
        type _Service { sdl: String }`,
    }
    expect(composeSdls(sdls)).toMatchObject({ kind: 'composed', hints: [] })
  })

  it('are not given for what only fails', () => {
    const sdls = {
      a: `${F} type Query { x(a: Int!): Int @shareable y: Int @shareable }`,
      b: `${F} type Query { x: Int @shareable y: String @shareable }`,
    }
    expect(composeSdls(sdls)).toMatchObject({ kind: 'failed', hints: [] })
  })
})

/** false: a hint that says nothing about the merged schema. */
function expectTrue({ code, message }: CompositionHint, schema: GraphQLSchema): boolean {
  const [, coordinate = ''] = /"(\w+\.\w+(?:\(\w+:\))?)"/.exec(message) ?? []
  const [, type = '', member = '', argument] = /^(\w+)\.(\w+)(?:\((\w+):\))?$/.exec(coordinate) ?? []
  const found = schema.getType(type)
  const fields = found !== undefined && 'getFields' in found ? found.getFields() : {}
  const field = fields[member]
  const given =
    field !== undefined && 'args' in field ? field.args.find(({ name }) => name === argument) : undefined
  switch (code) {
    case 'INCONSISTENT_BUT_COMPATIBLE_FIELD_TYPE':
    case 'INCONSISTENT_BUT_COMPATIBLE_ARGUMENT_TYPE':
      expect(`${message} ${String((argument === undefined ? field : given)?.type)}`).toMatch(
        /clients see "(.*)"\. \1$/,
      )
      return true
    case 'INCONSISTENT_ARGUMENT_PRESENCE':
    case 'INCONSISTENT_INPUT_OBJECT_FIELD':
      expect(argument === undefined ? field : given, message).toBeUndefined()
      return true
    case 'INCONSISTENT_DEFAULT_VALUE_PRESENCE':
      expect(given?.default, message).toBeUndefined()
      return true
    case 'INCONSISTENT_ENUM_VALUE_FOR_INPUT_ENUM': {
      const [, value = '', name = ''] = /^Value "(\w+)" .* enum "(\w+)"/.exec(message) ?? []
      const type = schema.getType(name)
      expect(type !== undefined && 'getValue' in type ? type.getValue(value) : null, message).toBeUndefined()
      return true
    }
    default:
      return false
  }
}
