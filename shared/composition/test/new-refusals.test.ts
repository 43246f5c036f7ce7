/** What the version before took composes: a new rule gives a hint for one minor version. */
import { compose } from '@switchyard/composition'
import { describe, expect, it } from 'vitest'
import { type ErrorSet, F } from './errors/error-set.ts'
import { byText, placesOf, readMarks } from './errors/marks.ts'
import { composeSdls, expectComposed } from './subgraph-fixtures.ts'

const SETS: readonly ErrorSet[] = [
  {
    code: 'INVALID_GRAPHQL',
    name: 'a field of a @oneOf type is required',
    subgraphs: { a: `${F} type Query { a(i: In): Int } input In ‹@oneOf› { x: ‹Int!› y: Int }` },
    labels: ['', 'Int! here'],
    says: '"In.x" is a field of a @oneOf type',
  },
  {
    code: 'FIELD_TYPE_MISMATCH',
    name: 'the field of an interface has different types',
    subgraphs: {
      a: `${F} type Query { a: I } interface I { x: ‹Int› } type A implements I { x: Int }`,
      b: `${F} type Query { b: I } interface I { x: ‹String› }`,
    },
    labels: ['Int here', 'String here'],
    says: 'The types of field "I.x" do not fit together',
  },
]

describe('a mistake that the version before took', () => {
  it.each(SETS)('composes with a hint: $name', (set) => {
    const { sdls, marks } = readMarks(set)
    const result = composeSdls(sdls)
    expectComposed(result)
    expect(result.hints.map(({ code }) => code)).toEqual([set.code])
    const [hint] = result.hints
    expect(hint?.message).toContain(set.says ?? '')
    expect(hint?.message).toMatch(/This is a hint in this version, and an error from 0\.2 on\.$/)
    expect(result.hints.flatMap(placesOf).sort(byText)).toEqual([...marks].sort(byText))
  })

  it.each(SETS)('is refused where that is asked for: $name', (set) => {
    const { sdls } = readMarks(set)
    const named = Object.entries(sdls).map(([name, sdl]) => ({ name, sdl, routingUrl: `http://${name}` }))
    const result = compose({ subgraphs: named, isStrict: true })
    expect(result).toMatchObject({ kind: 'failed', errors: [{ code: set.code }], hints: [] })
    const [error] = result.kind === 'failed' ? result.errors : []
    expect(error?.message).toContain(set.says ?? '')
    expect(error?.message).not.toContain('hint')
  })
})
