import { describe, expect, it } from 'vitest'
import { coerceLeaf, LeafError } from '../../../src/execution/completion/leaf.ts'
import { typeFacts } from '../../../src/execution/joining/type-facts.ts'
import { ExactNumber } from '../../../src/json/exact-number.ts'
import type { LeafCoercion } from '../../../src/plan/contract/plan.ts'
import { openShop } from '../support/shop.ts'

const { graph, type } = openShop()
const facts = typeFacts(graph)

const KINDS = {
  string: 'text',
  'string of digits': '7',
  'empty string': '',
  integer: 7,
  '1.0': JSON.parse('1.0'),
  '-0': JSON.parse('-0'),
  fraction: 1.5,
  '2^31': 2 ** 31,
  '2^53 - 1': 2 ** 53 - 1,
  '2^53': 2 ** 53,
  '1e300': 1e300,
  '1e400': JSON.parse('1e400'),
  'exact integer': new ExactNumber('9007199254740993'),
  'exact fraction': new ExactNumber('0.1000000000000000055511'),
  'exact 1e400': new ExactNumber('1e400'),
  true: true,
  false: false,
  object: { a: 1 },
  list: [1],
  'visible enum value': 'RED',
  'hidden enum value': 'HIDDEN',
} as const

/** What is written to the client, as JSON; `x`: null with an error. In the order of KINDS. */
const MATRIX: Readonly<Record<LeafCoercion, string>> = {
  // biome-ignore format: a table
  String: '"text" "7" "" "7" "1" "0" "1.5" "2147483648" "9007199254740991" x x x x "0.1" x "true" "false" x x "RED" "HIDDEN"',
  Int: 'x x x 7 1 0 x x x x x x x x x x x x x x x',
  Float:
    'x x x 7 1 0 1.5 2147483648 9007199254740991 9007199254740992 1e+300 x 9007199254740992 0.1 x x x x x x x',
  Boolean: 'x x x x x x x x x x x x x x x true false x x x x',
  ID: '"text" "7" "" "7" "1" "0" x "2147483648" "9007199254740991" x x x x x x x x x x "RED" "HIDDEN"',
  enum: 'x x x x x x x x x x x x x x x x x x x "RED" x',
  custom:
    '"text" "7" "" 7 1 0 1.5 2147483648 9007199254740991 9007199254740992 1e+300 x 9007199254740993 0.1000000000000000055511 1e400 true false {"a":1} [1] "RED" "HIDDEN"',
}

describe('a value that a subgraph sends', () => {
  const cells = Object.entries(MATRIX).flatMap(([coercion, row]) =>
    row.split(' ').map((shown, index) => {
      const [kind, value] = Object.entries(KINDS)[index] ?? ['', undefined]
      return { coercion: coercion as LeafCoercion, kind, value, shown }
    }),
  )

  it('is settled for every type and every kind of JSON', () => {
    expect(cells).toHaveLength(Object.keys(KINDS).length * Object.keys(MATRIX).length)
  })

  it.each(cells)('in the place of $coercion: $kind becomes $shown', ({ coercion, value, shown }) => {
    const coerced = coerceLeaf(value, coercion, type(coercion === 'enum' ? 'Colour' : 'JSON'), facts)
    expect(coerced instanceof LeafError ? 'x' : JSON.stringify(coerced)).toBe(shown)
  })
})
