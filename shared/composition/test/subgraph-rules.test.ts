/** The rules about single subgraphs find each marked mistake without the other subgraphs. */
import { describe, expect, it } from 'vitest'
import { eventErrors } from './errors/event-errors.ts'
import { invalidGraphql } from './errors/invalid-graphql.ts'
import { byText, placesOf, readMarks } from './errors/marks.ts'
import { ownErrors } from './errors/own-errors.ts'
import { subgraphErrors } from './errors/subgraph-errors.ts'
import { SETS } from './sets/index.ts'
import { errorsIn } from './subgraph-findings.ts'

/** Sets whose mistake shows only where subgraphs are merged. The list may only become shorter. */
const NEEDS_THE_MERGE: ReadonlySet<string> = new Set([
  'there is nothing to compose',
  'two subgraphs override a field one from another',
  'two subgraphs take over one field',
  'a type has a name of the join specification',
  'a composed directive is called as one of federation that the graph uses',
  'a subgraph has a key of an interface without interface objects and does not know all its types',
])

describe.each(Object.entries({ subgraphErrors, invalidGraphql, ownErrors, eventErrors }))(
  '%s',
  (_name, sets) => {
    it.each(sets.filter(({ name }) => !NEEDS_THE_MERGE.has(name)))('$code: $name', (set) => {
      const { sdls, marks } = readMarks(set)
      const errors = errorsIn(sdls)
      expect(errors.map(({ code }) => code)).toEqual(Array(set.errors ?? 1).fill(set.code))
      const places = new Map(errors.flatMap(placesOf).map((place) => [JSON.stringify(place), place]))
      expect([...places.values()].sort(byText)).toEqual([...marks].sort(byText))
      for (const error of errors) {
        expect(error.message).not.toMatch(/undefined|object Object/)
        expect(error.message).toContain(set.says ?? '')
        expect(error.message.startsWith(`[${error.subgraphs[0] ?? ''}] `)).toBe(true)
      }
    })
  },
)

describe('sets whose mistake shows in the merge only', () => {
  const all = [...subgraphErrors, ...invalidGraphql, ...ownErrors]
  it.each(all.filter(({ name }) => NEEDS_THE_MERGE.has(name)))('$code: $name', (set) => {
    expect(errorsIn(readMarks(set).sdls)).toEqual([])
  })
  it('are all sets of the table', () => {
    const names = new Set(all.map(({ name }) => name))
    expect([...NEEDS_THE_MERGE].filter((name) => !names.has(name))).toEqual([])
  })
})

describe.each(Object.entries(SETS))('%s that compose', (_topic, sets) => {
  it.each(sets.filter((set) => 'facts' in set))('$name', ({ subgraphs }) => {
    expect(errorsIn(subgraphs)).toEqual([])
  })
})
