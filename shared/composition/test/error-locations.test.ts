import { describe, expect, it } from 'vitest'
import { composeSdls, expectFailed, FED2 } from './subgraph-fixtures.ts'

describe('places of composition errors', () => {
  it('points at the argument of a directive that is wrong in one subgraph', () => {
    const errors = expectFailed(
      composeSdls({ a: `${FED2}type Query { t: T }\ntype T @key(fields: "id nope") { id: ID! }` }),
    )
    expect(errors).toMatchObject([
      { code: 'KEY_INVALID_FIELDS', subgraphs: ['a'], locations: [{ subgraph: 'a', line: 3, column: 8 }] },
    ])
  })

  it('points at a field in every subgraph that takes part in a conflict', () => {
    const errors = expectFailed(
      composeSdls({
        a: `${FED2}type Query {\n  x: Int @shareable\n}`,
        b: `${FED2}type Query {\n    x: String @shareable\n}`,
        c: `${FED2}type Query { y: Int }`,
      }),
    )
    expect(errors).toMatchObject([
      {
        code: 'FIELD_TYPE_MISMATCH',
        subgraphs: ['a', 'b'],
        locations: [
          { subgraph: 'a', line: 3, column: 3 },
          { subgraph: 'b', line: 3, column: 5 },
        ],
      },
    ])
  })

  it('points at fields that are resolved twice without @shareable', () => {
    const errors = expectFailed(
      composeSdls({ a: `${FED2}type Query { x: Int }`, b: `${FED2}\n\ntype Query { x: Int }` }),
    )
    expect(errors).toMatchObject([
      {
        code: 'INVALID_FIELD_SHARING',
        locations: [
          { subgraph: 'a', line: 2, column: 14 },
          { subgraph: 'b', line: 4, column: 14 },
        ],
      },
    ])
  })

  it('points at the argument when the argument is the trouble', () => {
    const errors = expectFailed(
      composeSdls({
        a: `${FED2}type Query {\n  x(limit: Int!): Int @shareable }`,
        b: `${FED2}type Query { x: Int @shareable }`,
      }),
    )
    expect(errors[0]?.locations).toEqual([{ subgraph: 'a', line: 3, column: 5 }])
  })

  it('points at types of different kinds', () => {
    const errors = expectFailed(
      composeSdls({ a: 'type Query { e: E }\nenum E { V }', b: 'type E { f: Int }' }),
    )
    expect(errors[0]).toMatchObject({
      code: 'TYPE_KIND_MISMATCH',
      subgraphs: ['a', 'b'],
      locations: [
        { subgraph: 'a', line: 2, column: 6 },
        { subgraph: 'b', line: 1, column: 6 },
      ],
    })
  })

  it('points at an enum value that some subgraphs lack', () => {
    const errors = expectFailed(
      composeSdls({
        a: `${FED2}type Query { e(v: E): E @shareable }\nenum E { SAME\n ONLY_A }`,
        b: `${FED2}type Query { e(v: E): E @shareable }\nenum E { SAME }`,
      }),
    )
    expect(errors[0]).toMatchObject({
      code: 'ENUM_VALUE_MISMATCH',
      locations: [{ subgraph: 'a', line: 4, column: 2 }],
    })
  })

  it('points at the fields of an unsatisfiable query', () => {
    const errors = expectFailed(
      composeSdls({
        a: `${FED2}type Query { t: T }\ntype T @key(fields: "id") { id: ID! }`,
        b: `${FED2}type T @key(fields: "other") {\n  other: ID!\n  x: Int }`,
      }),
    )
    expect(errors.map((error) => error.locations[0])).toEqual([
      { subgraph: 'b', line: 3, column: 3 },
      { subgraph: 'b', line: 4, column: 3 },
    ])
  })

  it('has no place for an error about the graph as a whole', () => {
    expect(expectFailed(composeSdls({ a: 'type T { x: Int }' }))).toMatchObject([
      { code: 'NO_QUERIES', subgraphs: [], locations: [] },
    ])
  })
})
