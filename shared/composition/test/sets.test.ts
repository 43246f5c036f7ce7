import { describe, expect, it } from 'vitest'
import { SETS } from './sets/index.ts'
import { composeSdls, expectComposed, expectFailed } from './subgraph-fixtures.ts'
import { readFacts } from '../differential/supergraph-facts.ts'

describe.each(Object.entries(SETS))('composing %s', (_topic, sets) => {
  it.each(sets)('$name', (set) => {
    const result = composeSdls(set.subgraphs)
    if ('refused' in set) {
      const codes = new Set(expectFailed(result).map(({ code }) => code))
      expect([...codes].sort()).toEqual(set.refused)
      return
    }
    const facts = new Set(readFacts(expectComposed(result)))
    const wrong = set.facts.filter((fact) =>
      fact.startsWith('!') ? facts.has(fact.slice(1)) : !facts.has(fact),
    )
    expect(wrong).toEqual([])
  })
})

describe('the sets', () => {
  it('show each rule once, and say what they expect', () => {
    const sets = Object.values(SETS).flat()
    expect(new Set(sets.map(({ name }) => name)).size).toBe(sets.length)
    expect(sets.filter((set) => ('facts' in set ? set.facts : set.refused).length === 0)).toEqual([])
  })
})
