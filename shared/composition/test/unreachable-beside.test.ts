/** Fields that cannot be reached are told beside errors of other types. */
import { describe, expect, it } from 'vitest'
import { F } from './errors/error-set.ts'
import { composeSdls } from './subgraph-fixtures.ts'

/** `T.far` is in a subgraph that nobody can go to: it has no key. */
const UNREACHABLE = {
  a: `${F} type Query { t: T } type T { near: Int @shareable }`,
  b: `${F} type Query { other: Int } type T { near: Int @shareable far: Int }`,
}

function codesOf(sdls: Readonly<Record<string, string>>): readonly string[] {
  const result = composeSdls(sdls)
  return result.kind === 'failed' ? result.errors.map(({ code }) => code) : []
}

describe('a field that cannot be reached', () => {
  it('is told alone where nothing else is wrong', () => {
    expect(codesOf(UNREACHABLE)).toEqual(['SATISFIABILITY_ERROR'])
  })

  it('is told beside the error of another type', () => {
    const { a, b } = UNREACHABLE
    const sdls = {
      a: `${a} type S { x: Int @shareable } extend type Query { s: S }`,
      b: `${b} type S { x: String @shareable }`,
    }
    expect(codesOf(sdls)).toEqual(['FIELD_TYPE_MISMATCH', 'SATISFIABILITY_ERROR'])
  })

  it('is not told beside an error of its own type, which may be the reason', () => {
    const { a, b } = UNREACHABLE
    const sdls = {
      a: a.replace('near: Int', 'near: String'),
      b,
    }
    expect(codesOf(sdls)).toEqual(['FIELD_TYPE_MISMATCH'])
  })

  it('is not told where a type on the way to it has an error', () => {
    const { a, b } = UNREACHABLE
    const sdls = {
      a: `${a.replace('t: T', 's: S')} type S { x: Int @shareable t: T }`,
      b: `${b} type S { x: String @shareable }`,
    }
    expect(codesOf(sdls)).toEqual(['FIELD_TYPE_MISMATCH'])
  })

  it('is no reason to judge a graph that cannot be one', () => {
    const sdls = {
      a: `${F} type Query { t: T } type T @shareable { x: Int } interface K { x: Int }`,
      b: `${F} type T @shareable { x: String } type K { x: Int }`,
    }
    expect(codesOf(sdls)).toEqual(['TYPE_KIND_MISMATCH', 'FIELD_TYPE_MISMATCH'])
  })
})
