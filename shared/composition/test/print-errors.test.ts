import {
  compose,
  printCompositionErrors,
  printCompositionHints,
  summariseErrors,
} from '@switchyard/composition'
import { describe, expect, it } from 'vitest'
import { composeSdls, expectFailed, FED2 } from './subgraph-fixtures.ts'

const at = (
  line: number,
  column: number,
  more: { length?: number; label?: string; subgraph?: string } = {},
) => ({
  subgraph: 'shop',
  line,
  column,
  ...more,
})
const error = (...locations: ReturnType<typeof at>[]) => ({
  code: 'SOME_CODE',
  message: 'Something is wrong',
  subgraphs: ['shop'],
  locations,
})
const printed = (sdl: string, ...locations: ReturnType<typeof at>[]) =>
  printCompositionErrors([error(...locations)], new Map([['shop', { sdl }]])).split('\n')

describe('printing composition errors', () => {
  it('shows code, message, place, source line, and carets under the whole of what is meant', () => {
    const sources = new Map([['shop', { sdl: 'type Query {\n  price: Int\n}', file: 'shop.graphql' }]])
    expect(printCompositionErrors([error(at(2, 10, { length: 3, label: 'Int here' }))], sources)).toBe(
      [
        'error[SOME_CODE]: Something is wrong',
        '  --> shop.graphql:2:10 (subgraph shop)',
        '   |',
        ' 2 |   price: Int',
        '   |          ^^^ Int here',
      ].join('\n'),
    )
  })

  it('underlines the word at the column when the length is not known, as in records that are older', () => {
    expect(printed('type Query @key(fields: "id") {', at(1, 12)).at(-1)).toBe('   |            ^^^^')
    expect(printed('type Query', at(1, 6)).at(-1)).toBe('   |      ^^^^^')
    expect(printed('type Query', at(1, 60)).at(-1)?.trimEnd().endsWith('^')).toBe(true)
  })

  it('gathers the places of one file under one heading, from top to bottom', () => {
    const sdl = ['type A', 'type B', '', '', '', '', '', '', '', 'type C'].join('\n')
    expect(printed(sdl, at(10, 6), at(1, 6), at(2, 6, { label: 'again' }), at(2, 1)).slice(1)).toEqual([
      '   --> shop:1:6',
      '    |',
      '  1 | type A',
      '    |      ^',
      '  2 | type B',
      '    | ^^^^',
      '    |      ^ again',
      ' ...',
      ' 10 | type C',
      '    |      ^',
    ])
  })

  it('names each place when the source is not at hand', () => {
    expect(printCompositionErrors([error(at(1, 2), at(3, 4, { label: 'Int here' }))], new Map())).toBe(
      'error[SOME_CODE]: Something is wrong\n  --> shop:1:2\n  --> shop:3:4: Int here',
    )
  })

  it('names a place that the source does not have, as of another version', () => {
    expect(printed('type Query', at(9, 1)).slice(1)).toEqual(['  --> shop:9:1'])
  })

  it('keeps tabs, so that the caret stands under its column', () => {
    expect(printed('\t\tprice: Int', at(1, 3)).slice(-2)).toEqual([' 1 | \t\tprice: Int', '   | \t\t^^^^^'])
  })

  it.each(['\r\n', '\r', '\n'])('ends lines with %j', (end) => {
    expect(printed(['type Query {', '  price: Int', '}'].join(end), at(2, 3)).slice(-2)).toEqual([
      ' 2 |   price: Int',
      '   |   ^^^^^',
    ])
  })

  it('counts cells, not characters: wide, joined and astral ones before the place', () => {
    const before = '"日本 👩‍👩‍👧 é 𝒳" '
    const [line = '', carets = ''] = printed(`${before}price: Int`, at(1, before.length + 1)).slice(-2)
    expect(line).toBe(` 1 | ${before}price: Int`)
    // Two cells for each of 日, 本 and the family; one for an accent that is a character of its own.
    expect(carets).toBe(`   | ${' '.repeat('"'.length + 4 + 1 + 2 + 1 + 1 + 1 + 1 + '" '.length)}^^^^^`)
  })

  it('underlines wide characters over their width', () => {
    expect(printed('"日本"', at(1, 1, { length: 4 })).at(-1)).toBe('   | ^^^^^^')
  })

  it('shows a part of a very long line, around each place', () => {
    const sdl = `${' '.repeat(5000)}here${'x'.repeat(100_000)}there`
    const lines = printed(sdl, at(1, 5001), at(1, 105_005, { length: 5 }))
    expect(lines.every((line) => line.length < 120)).toBe(true)
    const [, , , first = '', caret = '', second = '', other = ''] = lines
    expect(caret.indexOf('^')).toBe(first.indexOf('here'))
    expect(other.indexOf('^')).toBe(second.indexOf('there'))
  })

  it('never cuts an astral character in two', () => {
    const lines = printed('𝒳'.repeat(1000), at(1, 1001)).join('\n')
    expect(lines.isWellFormed()).toBe(true)
  })

  it('shows control characters and escapes as pictures, wherever they come from', () => {
    const evil = '\u001b[31mred\u001b]0;title\u0007\u0008\u009b2J\u202e\u2066'
    const text = printCompositionErrors(
      [
        {
          code: `CODE${evil}`,
          message: evil,
          subgraphs: [evil],
          locations: [{ subgraph: evil, line: 1, column: 1, label: evil }],
          path: [
            { coordinate: evil, subgraph: evil },
            { coordinate: evil, subgraph: null },
          ],
          reasons: [{ subgraph: evil, target: null, reason: evil }],
        },
      ],
      new Map([[evil, { sdl: evil, file: evil }]]),
    )
    // oxlint-disable-next-line no-control-regex -- these must not be there
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
    expect(text).toContain('␛[31mred␛]0;title␇␈<U+009B>2J<U+202E><U+2066>')
  })

  it('cuts a message of 100 kB', () => {
    const text = printCompositionErrors([{ ...error(), message: 'x'.repeat(100_000) }], new Map())
    expect(text.length).toBeLessThan(5000)
    expect(text.endsWith(' …')).toBe(true)
  })

  it('draws a path that cannot be resolved, with the reasons under the step that fails', () => {
    const result = compose({
      subgraphs: [
        ['catalogue', 'type Query { products: [Product] }\ntype Product @key(fields: "id") { id: ID! }'],
        ['reviews', 'type Product @key(fields: "sku") {\n  sku: ID! @inaccessible\n  reviews: Int\n}'],
      ].map(([name = '', sdl = '']) => ({ name, routingUrl: 'http://localhost/', sdl: `${FED2}${sdl}` })),
    })
    const sources = new Map([
      [
        'reviews',
        { sdl: `${FED2}type Product @key(fields: "sku") {\n  sku: ID! @inaccessible\n  reviews: Int\n}` },
      ],
    ])
    expect(printCompositionErrors(result.kind === 'failed' ? result.errors : [], sources)).toBe(
      [
        'error[SATISFIABILITY_ERROR]: "Product.reviews" cannot be resolved on the path Query.products (catalogue):',
        '  Query.products (catalogue)',
        '  └─ Product.reviews',
        '     ✗ from catalogue: the @key(fields: "sku") of subgraph "reviews" needs "Product.sku", which subgraph "catalogue" does not have',
        '  --> catalogue:2:14: the path comes to here',
        '  --> reviews:2:28',
        '   |',
        ' 2 | type Product @key(fields: "sku") {',
        '   |                            ^^^ not in subgraph "catalogue"',
        ' ...',
        ' 4 |   reviews: Int',
        '   |   ^^^^^^^ resolved here',
      ].join('\n'),
    )
  })

  it('draws long paths and many reasons without their middle', () => {
    const path = Array.from({ length: 300 }, (_, index) => ({ coordinate: `T${index}.x`, subgraph: 'a' }))
    const reasons = Array.from({ length: 300 }, (_, index) => ({
      subgraph: 'a',
      target: null,
      reason: `${index}`,
    }))
    const lines = printCompositionErrors([{ ...error(), path, reasons }], new Map()).split('\n')
    expect(lines.length).toBeLessThan(40)
    expect(lines.some((line) => line.includes('… 280 more steps'))).toBe(true)
    expect(lines.at(-1)).toMatch(/… and 290 more reasons$/)
  })

  it('paints with the style that it is given, and only then', () => {
    const paint = (name: string) => (text: string) => `<${name}>${text}</${name}>`
    const style = { red: paint('r'), yellow: paint('y'), dim: paint('d'), bold: paint('b') }
    expect(printCompositionErrors([error(at(1, 1))], new Map([['shop', { sdl: 'x' }]]), { style })).toBe(
      [
        '<r><b>error[SOME_CODE]</b></r>: <b>Something is wrong</b>',
        '  <d>--></d> shop:1:1',
        '<d>   |</d>',
        '<d> 1 |</d> x',
        '<d>   |</d> <r>^</r>',
      ].join('\n'),
    )
  })

  it('prints hints alike', () => {
    expect(printCompositionHints([error(at(1, 1))], new Map([['shop', { sdl: 'x' }]]))).toMatch(
      /^hint\[SOME_CODE\]: Something is wrong\n {2}--> shop:1:1\n/,
    )
  })

  it('counts errors and the subgraphs that they concern', () => {
    expect(summariseErrors([error()])).toBe('1 error in 1 subgraph')
    expect(summariseErrors([error(), { ...error(), subgraphs: ['a', 'shop'] }])).toBe(
      '2 errors in 2 subgraphs',
    )
    expect(summariseErrors([{ ...error(), subgraphs: [] }])).toBe('1 error')
    expect(summariseErrors([error()], 40)).toBe('40 errors in 1 subgraph')
  })
})

describe('a mistake with @key and @external, as it is printed', () => {
  it('names @external on the key of an own type as the cause', () => {
    const catalogue = `${FED2}
type Query { product: Product }
type Product @key(fields: "id") { id: ID! name: String }`
    const stock = `${FED2}
type Query { counted: Product }
type Product @key(fields: "id") { id: ID! @external count: Int }`
    expect(printedErrors({ catalogue, stock })).toBe(`
error[SATISFIABILITY_ERROR]: "Product.id" cannot be resolved on the path Query.counted (stock), and for the same reason neither can "Product.name":
  Query.counted (stock)
  └─ Product.id
     ✗ from stock: the @key(fields: "id") of subgraph "catalogue" needs "Product.id", which is @external in subgraph "stock" although a @key there names it, so "stock" cannot tell the key of its own objects; remove @external
     ✗ from stock: "Product.id" is @external there although a @key there names it, so "stock" cannot tell the key of its own objects; remove @external
  --> catalogue:4:28
   |
 4 | type Product @key(fields: "id") { id: ID! name: String }
   |                            ^^ @external in subgraph "stock"
   |                                   ^^ resolved here
  --> stock:3:14
   |
 3 | type Query { counted: Product }
   |              ^^^^^^^ the path comes to here
 4 | type Product @key(fields: "id") { id: ID! @external count: Int }
   |                                   ^^ @external here
   |                                           ^^^^^^^^^ remove this: the field is part of a @key
`)
  })

  it('shows both places of a key field whose types differ, also of the external one', () => {
    const catalogue = `${FED2}
type Query { product: Product }
type Product @key(fields: "id") { id: ID! name: String }`
    const stock = `${FED2}
extend type Product @key(fields: "id") { id: Int! @external count: Int }`
    expect(printedErrors({ catalogue, stock })).toBe(`
error[FIELD_TYPE_MISMATCH]: The types of field "Product.id" do not fit together: it is of type "ID!" in subgraph "catalogue", and "Int!" in subgraph "stock". Give it one type, or types of which one is a subtype of the others.
  --> catalogue:4:39
   |
 4 | type Product @key(fields: "id") { id: ID! name: String }
   |                                       ^^^ ID! here
  --> stock:3:46
   |
 3 | extend type Product @key(fields: "id") { id: Int! @external count: Int }
   |                                              ^^^^ Int! here, @external
`)
  })

  it('says of a forgotten @key where it is missing, and what to change', () => {
    const catalogue = `${FED2}
type Query { product: Product }
type Product @key(fields: "id") { id: ID! name: String }`
    const stock = `${FED2}
type Product { id: ID! count: Int }`
    expect(printedErrors({ catalogue, stock })).toBe(`
error[INVALID_FIELD_SHARING]: Field "Product.id" is resolved by subgraphs "catalogue" and "stock", and subgraph "stock" does not mark it @shareable. "Product" has no @key in subgraph "stock", while it has @key(fields: "id") in subgraph "catalogue". If both mean the same entity, add @key(fields: "id") to "Product" in subgraph "stock".
  --> catalogue:4:14
   |
 4 | type Product @key(fields: "id") { id: ID! name: String }
   |              ^^^^^^^^^^^^^^^^^^ the @key of "Product"
   |                                   ^^ part of a @key here
  --> stock:3:6
   |
 3 | type Product { id: ID! count: Int }
   |      ^^^^^^^ "Product" has no @key here
   |                ^^ not @shareable here
`)
  })

  it('says of a forgotten @key that other fields need @shareable besides', () => {
    const catalogue = `${FED2}
type Query { product: Product }
type Product @key(fields: "id sku") { id: ID! sku: ID! name: String }`
    const stock = `${FED2}
type Product { id: ID! @shareable name: String }`
    expect(printedErrors({ catalogue, stock })).toBe(`
error[INVALID_FIELD_SHARING]: Field "Product.name" is resolved by subgraphs "catalogue" and "stock", and none of them marks it @shareable. "Product" has no @key in subgraph "stock", while it has @key(fields: "id sku") in subgraph "catalogue". If both mean the same entity, add @key(fields: "id sku"), with the fields that it selects, to "Product" in subgraph "stock", and mark "Product.name" @shareable wherever it is resolved.
  --> catalogue:4:14
   |
 4 | type Product @key(fields: "id sku") { id: ID! sku: ID! name: String }
   |              ^^^^^^^^^^^^^^^^^^^^^^ the @key of "Product"
   |                                                        ^^^^ not @shareable here
  --> stock:3:6
   |
 3 | type Product { id: ID! @shareable name: String }
   |      ^^^^^^^ "Product" has no @key here
   |                                   ^^^^ not @shareable here
`)
  })
})

function printedErrors(sdls: Readonly<Record<string, string>>): string {
  const sources = new Map(Object.entries(sdls).map(([name, sdl]) => [name, { sdl }]))
  return `\n${printCompositionErrors(expectFailed(composeSdls(sdls)), sources)}\n`
}
