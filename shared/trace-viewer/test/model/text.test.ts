import { parse, print } from 'graphql'
import { describe, expect, it } from 'vitest'
import { byteSize, printDuration, durationDifference, percent } from '../../src/model/format.ts'
import { layOutGraphql } from '../../src/model/graphql-text.ts'
import { jsonDifferences } from '../../src/model/json-differences.ts'
import { ticksOf } from '../../src/model/rows.ts'

describe('quantities', () => {
  it.each([
    [0, '0'],
    [5, '5 ns'],
    [999, '999 ns'],
    [1_500, '1.5 µs'],
    [999_499, '999 µs'],
    [999_500, '1 ms'],
    [12_340_000, '12.3 ms'],
    [182_000_000, '182 ms'],
    [999_500_000, '1 s'],
    [2_024_000_000, '2.02 s'],
    [125_000_000_000, '125 s'],
  ])('%i ns are %s', (nanoseconds, text) => {
    expect(printDuration(nanoseconds)).toBe(text)
  })

  it('have signs and units', () => {
    expect([durationDifference(2_000), durationDifference(-2_000), durationDifference(0)]).toEqual([
      '+2 µs',
      '−2 µs',
      '±0',
    ])
    expect([byteSize(0), byteSize(1_023), byteSize(1_536), byteSize(1_048_576)]).toEqual([
      '0 B',
      '1023 B',
      '1.5 KiB',
      '1 MiB',
    ])
    expect([percent(1, 1_000), percent(1, 3), percent(0, 0)]).toEqual(['< 1 %', '33 %', '0 %'])
  })

  it('have round numbers on an axis', () => {
    expect(ticksOf(142, 6)).toEqual([0, 50, 100])
    expect(ticksOf(7, 14)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    expect(ticksOf(0, 6)).toEqual([0])
  })
})

describe('a document without white space', () => {
  const DOCUMENTS = [
    'query($r0:[_Any!]!){_entities(representations:$r0){...on Product{reviews(first:10,by:{a:[1,2],b:"x{y}"}){stars text}}}}',
    'query Q($a:Int=1,$b:[ID!]){x:a(b:$a)@include(if:$b){c d@skip(if:$a)...F ...@defer(label:"l"){e}}}fragment F on T{g}',
    '{a{b{c}}d on{f}}',
    'mutation{a(text:"""block " } quote"""){id}}',
  ]

  it('is laid out for reading', () => {
    expect(layOutGraphql(DOCUMENTS[0] ?? '')).toBe(`query($r0: [_Any!]!) {
  _entities(representations: $r0) {
    ... on Product {
      reviews(first: 10, by: { a: [1, 2], b: "x{y}" }) {
        stars
        text
      }
    }
  }
}`)
  })

  it.each(DOCUMENTS)('stays the same document: %s', (text) => {
    expect(print(parse(layOutGraphql(text)))).toBe(print(parse(text)))
  })

  it('is left as it is when it is no GraphQL', () => {
    for (const text of ['{a "', '<html>', '{a ~ b}']) expect(layOutGraphql(text)).toBe(text)
    expect(layOutGraphql('}}}')).toBe('}\n}\n}')
  })
})

describe('differences of JSON', () => {
  it('are named by their path, with what is absent', () => {
    const a = { x: [1, 2], y: null, only: true }
    const b = { x: [1, 3, 4], y: {} }
    expect(jsonDifferences(a, b, 10)).toEqual([
      { path: 'x.1', a: '2', b: '3' },
      { path: 'x.2', a: null, b: '4' },
      { path: 'y', a: 'null', b: '{}' },
      { path: 'only', a: 'true', b: null },
    ])
    expect(jsonDifferences(a, b, 2)).toHaveLength(2)
  })

  it('are not found in members that every object inherits', () => {
    expect(jsonDifferences(JSON.parse('{"__proto__":1}'), {}, 10)).toEqual([
      { path: '__proto__', a: '1', b: null },
    ])
  })
})
