import { array, assert, constantFrom, integer, property, record, subarray } from 'fast-check'
import { buildSchema, type GraphQLSchema, parse, PossibleFragmentSpreadsRule, validate } from 'graphql'
import { describe, expect, it } from 'vitest'
import { fragmentTypesRule } from '../../src/operation/check-fragment-types.ts'

const OBJECTS = ['A', 'B', 'C', 'D', 'E'] as const
const INTERFACES = ['I', 'J', 'K'] as const
const UNIONS = ['U', 'V'] as const
const COMPOSITE = [...OBJECTS, ...INTERFACES, ...UNIONS, 'Query', 'Number', 'Nothing'] as const

const drawnSchema = record({
  interfaces: array(subarray([...INTERFACES]), { minLength: OBJECTS.length, maxLength: OBJECTS.length }),
  members: array(subarray([...OBJECTS], { minLength: 1 }), { minLength: 2, maxLength: 2 }),
  /** Whether K implements J, so that each type with K has J, too. */
  nested: constantFrom(true, false),
})

const drawnSpread = record({
  field: integer({ min: 0, max: 9 }),
  outer: constantFrom(...COMPOSITE),
  inner: constantFrom(...COMPOSITE),
  named: constantFrom(true, false),
})

type Drawn = { readonly interfaces: string[][]; readonly members: string[][]; readonly nested: boolean }

function schemaOf({ interfaces, members, nested }: Drawn): GraphQLSchema {
  const implementing = (names: readonly string[]) =>
    names.length === 0 ? '' : ` implements ${names.join(' & ')}`
  const all = interfaces.map((names) =>
    nested && names.includes('K') ? [...new Set([...names, 'J'])] : names,
  )
  const returned = [...OBJECTS, ...INTERFACES, ...UNIONS]
  return buildSchema(`
    type Query { ${returned.map((type, index) => `f${index}: ${type}`).join(' ')} }
    scalar Number
    interface I { id: ID }
    interface J { id: ID }
    interface K${nested ? ' implements J' : ''} { id: ID }
    ${OBJECTS.map((name, index) => `type ${name}${implementing(all[index] ?? [])} { id: ID }`).join('\n')}
    ${UNIONS.map((name, index) => `union ${name} = ${(members[index] ?? []).join(' | ')}`).join('\n')}
  `)
}

describe('whether a fragment can be spread', () => {
  it('is told as graphql-js tells it', () => {
    const told = { possible: 0, impossible: 0 }
    assert(
      property(drawnSchema, array(drawnSpread, { minLength: 1, maxLength: 6 }), (drawn, spreads) => {
        const schema = schemaOf(drawn)
        const selections = spreads.map(({ field, outer, inner, named }, index) =>
          named
            ? `a${index}: f${field} { ... on ${outer} { ...F${index} ...Missing } }`
            : `a${index}: f${field} { ... on ${outer} { ... on ${inner} { __typename } ... { __typename } } }`,
        )
        const fragments = spreads.map(({ inner }, index) => `fragment F${index} on ${inner} { __typename }`)
        const document = parse(`{ ${selections.join(' ')} } ${fragments.join(' ')}`)
        const expected = validate(schema, document, [PossibleFragmentSpreadsRule])
        const found = validate(schema, document, [fragmentTypesRule])
        expect(found.map((error) => error.toJSON())).toEqual(expected.map((error) => error.toJSON()))
        told[expected.length === 0 ? 'possible' : 'impossible']++
      }),
      { numRuns: 300 },
    )
    expect(told.possible).toBeGreaterThan(5)
    expect(told.impossible).toBeGreaterThan(100)
  })

  it('goes through the possible types of each interface once, however many fragments are on it', () => {
    const names = Array.from({ length: 200 }, (_, index) => index)
    const schema = buildSchema(`
      type Query { left: Left }
      interface Left { id: ID } interface Right { id: ID }
      ${names.map((n) => `type T${n} implements ${n < 100 ? 'Left' : n === 199 ? 'Left & Right' : 'Right'} { id: ID }`).join('\n')}
    `)
    let looks = 0
    const possibleTypes = schema.getPossibleTypes.bind(schema)
    schema.getPossibleTypes = (type) => {
      looks++
      return possibleTypes(type)
    }
    const nested = '... on Right { ... on Left { '.repeat(50)
    const document = parse(`{ left { ${nested} id ${'} } '.repeat(50)} } }`)
    expect(validate(schema, document, [fragmentTypesRule])).toEqual([])
    expect(validate(schema, document, [fragmentTypesRule])).toEqual([])
    expect(looks).toBe(2)
  })
})
