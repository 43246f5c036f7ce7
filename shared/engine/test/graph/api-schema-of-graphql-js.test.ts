/**
 * The client's schema is made of plain data by code of our own; graphql-js makes the same of the same
 * definitions.
 */
import { buildASTSchema, introspectionFromSchema, Kind, parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { buildApiSchema } from '../../src/graph/api-schema.ts'
import { visibleDefinitions } from '../../src/graph/visible-definitions.ts'
import { FIXTURES, readFixture } from './supergraphs/support/fixtures.ts'

const EVERYTHING = `
  """All of it."""
  schema @link(url: "https://specs.apollo.dev/link/v1.0") @link(url: "https://specs.apollo.dev/join/v0.5") { query: Start mutation: Change }
  """How fresh."""
  directive @fresh(seconds: Int = 5 @deprecated(reason: "no"), mode: [Mode!]! = [NEW]) repeatable on FIELD | QUERY
  directive @inner on OBJECT
  """A day."""
  scalar Day @specifiedBy(url: "https://day.example")
  scalar Any
  interface Thing { id: ID! }
  interface Named implements Thing { id: ID! name(long: Boolean = true, by: By = { days: ["x", 1] }): String @deprecated }
  """A user."""
  type User implements Thing & Named { id: ID! name(long: Boolean = true, by: By): String "Since when." since: [Day!]! __proto__: Int }
  type Start { "Who." user(id: ID! = 7 "How." like: Any = { a: [1, 2.5, true, null, E] }): User all: [[Either!]]! }
  type Change { rename(user: ID!): User }
  union Either = User | Change
  enum Mode { "Newest." NEW OLD @deprecated(reason: "Old.") constructor }
  input By @oneOf { mode: Mode days: [Day] }
  input More { by: By! "At most." limit: Int = 3 @deprecated }
`

describe('the client schema', () => {
  it.each([
    ['with everything there is', EVERYTHING],
    ['without a schema definition', 'type Query { a: Int } type Mutation { b: Int } type Other { c: Int }'],
    ...FIXTURES.map((name) => [name, readFixture(name).supergraphSdl]),
  ])('is the one that graphql-js builds: %s', (_, sdl = '') => {
    const definitions = visibleDefinitions(parse(sdl, { noLocation: true }))
    const expected = buildASTSchema(
      { kind: Kind.DOCUMENT, definitions: [...definitions] },
      { assumeValid: true },
    )
    const actual = buildApiSchema(sdl)
    const everything = {
      inputValueDeprecation: true,
      oneOf: true,
      schemaDescription: true,
      directiveIsRepeatable: true,
    }
    expect(introspectionFromSchema(actual, everything)).toEqual(introspectionFromSchema(expected, everything))
  })
})
