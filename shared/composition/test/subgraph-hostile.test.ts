/**
 * Large and nested schemas of strangers: what our rules for single subgraphs find is told, in a number that
 * grows no faster than the schema.
 */
import { Kind, parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { readModel } from '../src/model/read-model.ts'
import { parseFieldSet } from '../src/model/field-sets.ts'
import { walkSelections } from '../src/subgraph/rules/field-sets/walk.ts'
import { findInSubgraph } from '../src/subgraph/rules/index.ts'
import { F } from './errors/error-set.ts'

const MANY = 3000

function many(text: (index: number) => string, separator = ' '): string {
  return Array.from({ length: MANY }, (_, index) => text(index)).join(separator)
}

function codesIn(sdl: string): ReadonlyMap<string, number> {
  const found = findInSubgraph(readModel(parse(`${F} ${sdl}`, { noLocation: true })))
  return new Map([...Map.groupBy(found, ({ code }) => code)].map(([code, all]) => [code, all.length]))
}

const fields = (more = '') => many((index) => `f${index}: Int ${more}`)
const IMPLEMENTATIONS = many((index) => `type T${index} implements I { f0: Int }`)
const INTERFACES = many((index) => `I${index}`, ' & ')

/** By name: the schema, and how many findings of which code it has. */
const CASES: Readonly<Record<string, readonly [sdl: string, codes: Readonly<Record<string, number>>]>> = {
  fields: [`type Query { ${fields()} }`, {}],
  'fields of unknown types': [
    `type Query { ${many((index) => `f${index}: N${index}`)} }`,
    { INVALID_GRAPHQL: MANY },
  ],
  'one field again and again': [`type Query { ${many(() => 'f: Int')} }`, { INVALID_GRAPHQL: 1 }],
  'one type again and again': [
    `type Query { t: T } ${many(() => 'type T { x: Int }')}`,
    { INVALID_GRAPHQL: 1 },
  ],
  'applications of one directive': [`type Query { f: Int ${many(() => '@tag(name: "t")')} }`, {}],
  'unknown directives': [`type Query ${many((index) => `@n${index}`)} { f: Int }`, { INVALID_GRAPHQL: MANY }],
  extensions: [`type Query { t: T } ${many((index) => `extend type T { x${index}: Int }`)}`, {}],
  'keys of an interface that no type has': [
    `type Query { i: I } interface I ${many((index) => `@key(fields: "f${index}")`)} { ${fields()} } ${IMPLEMENTATIONS}`,
    { INTERFACE_KEY_NOT_ON_IMPLEMENTATION: 1, INVALID_GRAPHQL: 10_000 },
  ],
  'interfaces of a type with external fields': [
    `type Query { t: T } ${many((index) => `interface I${index} { id: ID }`)} type T implements ${INTERFACES} { id: ID ${fields('@external')} }`,
    { EXTERNAL_UNUSED: MANY },
  ],
  'links and directives that none of them brings': [
    `extend schema ${many((index) => `@link(url: "https://specs.apollo.dev/m${index}/v1.0")`)} type Query { ${many((index) => `f${index}: Int @n${index}`)} }`,
    { INVALID_GRAPHQL: MANY },
  ],
  'links that import what other federations have': [
    `extend schema ${many((index) => `@link(url: "https://x.test/m${index}/v1.0", import: ["@lookup"])`)} ${many((index) => `directive @n${index} on OBJECT`)} type Query { f: Int }`,
    { UNKNOWN_FEDERATION_LINK_VERSION: MANY },
  ],
  'composed directives': [
    `extend schema ${many((index) => `@link(url: "https://x.test/m${index}/v1.0", import: ["@n${index}"])`)} ${many((index) => `@composeDirective(name: "@n${index}")`)} ${many((index) => `directive @n${index} on OBJECT`)} type Query { f: Int }`,
    {},
  ],
  'values of a large input type': [
    `input In { ${fields()} } directive @mine(in: In) on FIELD_DEFINITION type Query { ${fields('@mine(in: { f0: 1 })')} }`,
    {},
  ],
  'input types that all require each other': [
    `type Query { f(i: I0): Int } ${many((index) => `input I${index} { ${[1, 2, 3, 5].map((step) => `a${step}: I${(index * 7 + step) % MANY}!`).join(' ')} }`)}`,
    { INVALID_GRAPHQL: expect.any(Number) },
  ],
  'a key that is nested deeply': [
    `type Query { t: T } type T @key(fields: "${'t { '.repeat(1000)} id ${'}'.repeat(1000)}") { id: ID t: T }`,
    {},
  ],
  'unions of unions': [
    `type Query { u: U0 } ${many((index) => `union U${index} = U${index + 1} | Query`)}`,
    {
      INVALID_GRAPHQL: MANY,
    },
  ],
}

describe('our rules for single subgraphs', () => {
  it.each(Object.entries(CASES))('bear %s', (_name, [sdl, codes]) => {
    expect(Object.fromEntries(codesIn(sdl))).toEqual(codes)
  })

  it('apply a selection below a union to each member once, however often the union comes back', () => {
    const members = many((index) => `type T${index} { id: ID u: U }`)
    const model = readModel(
      parse(`type Query { u: U } union U = ${many((index) => `T${index}`, ' | ')} ${members}`),
    )
    const types = [...model.types.values()].flatMap((type) =>
      type.kind === 'object' && type.name !== 'Query' ? [type] : [],
    )
    const set = parseFieldSet('u { u { u { id } } }')
    if (set?.kind !== Kind.SELECTION_SET) throw new Error('The text is no selection.')
    expect(walkSelections(model, set, types, () => true)).toHaveLength(4 * MANY)
  })
})
