import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeOperation } from '../../../src/concerns/usage/describe-operation.ts'
import { operationOf } from './schema.ts'

function described(document: string, name: string | null = null) {
  const steps = describeOperation(operationOf(document, name))
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}
const textOf = (document: string) => described(document).text?.replaceAll(/\s+/g, ' ')

describe('the description of an operation', () => {
  it('has 0, "", false, [] and {} for literals, and keeps null, enum values and conditions', () => {
    const document = `query Q($first: Int = 7, $f: Filter = {name: "x"}) {
      products(filter: {name: "secret", above: 1.5}, order: PRICE, first: $first, ids: ["a", "b"]) {
        name(upper: true) @include(if: true)
      }
      more: products(filter: $f) { id }
      node(id: 12) { id }
      search(by: {any: SECRET, of: [1]}, deep: null) { id }
      again: search(by: SECRET) { id }
    }`
    expect(textOf(document)).toBe(
      'query Q($first: Int = 0, $f: Filter = {}) { products(filter: {}, order: PRICE, first: $first, ids: []) { name(upper: false) @include(if: true) } more: products(filter: $f) { id } node(id: 0) { id } search(by: {}, deep: null) { id } again: search(by: "") { id } }',
    )
  })

  it('lists fields, arguments, input fields and enum values, also those inside of literals', () => {
    const document = `query Q($p: Float = 1) {
      products(filter: {and: [{order: PRICE, free: {name: NAME}}], above: $p}) { __typename ...F }
    }
    fragment F on Node { id ... on Product { price } }
    query Other { node(id: 1) { id } }`
    expect(described(document, 'Q').coordinates).toEqual([
      'Filter.above',
      'Filter.and',
      'Filter.free',
      'Filter.order',
      'Node.id',
      'Order.PRICE',
      'Product.price',
      'Query.products',
      'Query.products(filter:)',
    ])
    expect(described(document, 'Other').coordinates).toEqual(['Node.id', 'Query.node', 'Query.node(id:)'])
  })

  it('has one hash for operations that differ in literals, comments, blanks and other operations', () => {
    const hash = described('query Q { node(id: "1") { ...F } } fragment F on Node { id }').hash
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    const same = `# none\nquery Q {\n node(id: "2") { ...F, } } query R { node(id: 1) { id } }
      fragment F on Node { id }`
    expect(described(same, 'Q').hash).toBe(hash)
    expect(described('query Q { node(id: 1) { ...F } } fragment F on Node { id }').hash).not.toBe(hash)
    expect(described('query P { node(id: "1") { ...F } } fragment F on Node { id }').hash).not.toBe(hash)
  })

  it('leaves out the text of a long operation, and no coordinate', () => {
    const many = Array.from({ length: 300 }, (_, index) => `anAlias${index}: products { name }`).join(' ')
    const { text, coordinates } = described(`{ ${many} node(id: 1) { id } }`)
    expect(text).toBeNull()
    expect(coordinates).toEqual([
      'Node.id',
      'Product.name',
      'Query.node',
      'Query.node(id:)',
      'Query.products',
    ])
  })

  it('never has a value of a client in it', () => {
    const secret = fc.stringMatching(/^[a-z]{12}$/).map((text) => `secret${text}`)
    const value: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        secret.map((text) => JSON.stringify(text)),
        secret.map((text) => `"""\n ${text} "quoted" \\""" \n"""`),
        secret,
        fc.integer({ min: 70_000_000, max: 79_999_999 }).map(String),
        fc.integer({ min: 70_000_000, max: 79_999_999 }).map((number) => `-${number}.7e3`),
        fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(', ')}]`),
        fc.dictionary(secret, tie('value'), { maxKeys: 4 }).map(
          (fields) =>
            `{${Object.entries(fields)
              .map(([name, own]) => `${name}: ${own}`)
              .join(', ')}}`,
        ),
      ),
    })).value
    const shapes: readonly ((own: string) => string)[] = [
      (own) => `{ search(by: ${own}) { id } }`,
      (own) => `query Q($v: Anything = ${own}) { search(by: $v) { id } }`,
      (own) => `{ products(filter: {free: ${own}, and: [{free: [${own}]}]}) { id } }`,
      (own) =>
        `{ search(deep: [[{free: ${own}}]]) { ...F } } fragment F on Product { ... @include(if: true) { id } }`,
      (own) => `query Q($v: Filter = {free: ${own}}) { products(filter: $v) { name(upper: true) } }`,
    ]
    fc.assert(
      fc.property(value, fc.constantFrom(...shapes), (own, shape) => {
        const told = described(shape(own))
        const printed = JSON.stringify(told).replaceAll(told.hash, '')
        expect(printed).not.toMatch(/secret|7\d{7}|quoted/)
        const other = described(shape(own.replaceAll(/secret[a-z]{12}/g, (text) => `${text.slice(0, -1)}0`)))
        expect(other).toEqual(told)
      }),
      { numRuns: 300 },
    )
  })
})
