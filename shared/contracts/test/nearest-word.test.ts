import { describe, expect, it } from 'vitest'
import { didYouMean, nearestWord } from '../src/index.ts'

describe('the nearest known word', () => {
  it.each([
    ['prot', ['port', 'host'], 'port'],
    ['subgrahps', ['subgraph', 'subgraphs'], 'subgraphs'],
    ['enabeld', ['enabled', 'engine'], 'enabled'],
    ['share_inflite', ['share_inflight', 'timeout'], 'share_inflight'],
    ['hosst', ['port', 'host'], 'host'],
  ])('to %s is found', (word, known, nearest) => {
    expect(nearestWord(word, known)).toBe(nearest)
  })

  it.each([
    ['brut', ['port', 'host']],
    ['a', ['tls', 'cors']],
    ['', ['port']],
    ['timeouts_of_everything', ['timeout']],
    ['port', []],
  ])('is nothing for %j', (word, known) => {
    expect(nearestWord(word, known)).toBeNull()
  })

  it('is the nearest of several that are near, and none that is four edits away of a short one', () => {
    expect(nearestWord('reveiws', ['reviewers', 'reviews', 'previews'])).toBe('reviews')
    expect(nearestWord('kitten', ['sitting'])).toBeNull()
    expect(nearestWord('abcdefghijkl', ['abcdefghXXXX'])).toBe('abcdefghXXXX')
    expect(nearestWord('abcdefghijklmno', ['abcdefghXXXXX99'])).toBeNull()
  })

  it('is the same as by the whole table, for words that chance makes', () => {
    for (let seed = 1; seed < 3000; seed += 1) {
      const [one, other] = [randomWord(seed), randomWord(seed * 7919 + 13)]
      const allowed = Math.min(4, Math.max(1, Math.floor(other.length / 3)))
      const isNear = Math.abs(one.length - other.length) <= 2 && wholeTable(one, other) <= allowed
      expect(nearestWord(one, [other]), `${one} ${other}`).toBe(isNear ? other : null)
    }
  })

  it('is a sentence for the reader, or nothing', () => {
    expect(didYouMean('prodcts', new Set(['products', 'reviews']))).toBe(' Did you mean "products"?')
    expect(didYouMean('stock', ['products'])).toBe('')
  })

  it('looks at so many candidates and no more', () => {
    let looked = 0
    const endless = function* () {
      for (;;) {
        looked += 1
        if (looked > 5000) throw new Error('it does not stop')
        yield `a${'b'.repeat(98)}${looked % 10}`
      }
    }
    expect(nearestWord('c'.repeat(100), endless())).toBeNull()
    expect(looked).toBeLessThan(1100)
  })

  it('takes no time for a word of a megabyte', () => {
    expect(nearestWord('x'.repeat(1_000_000), ['port', 'host'])).toBeNull()
  })
})

/** Of up to ten letters of three. */
function randomWord(seed: number): string {
  let state = seed
  const next = () => (state = (state * 48_271) % 2_147_483_647)
  next()
  return Array.from({ length: next() % 11 }, () => 'abc'[next() % 3]).join('')
}

function wholeTable(one: string, other: string): number {
  const rows = Array.from({ length: one.length + 1 }, (_, i) =>
    Array.from({ length: other.length + 1 }, (__, j) => (i === 0 ? j : j === 0 ? i : 0)),
  )
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY
  for (let i = 1; i <= one.length; i += 1) {
    for (let j = 1; j <= other.length; j += 1) {
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      const row = rows[i] ?? []
      row[j] = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + (one[i - 1] === other[j - 1] ? 0 : 1),
        isSwap ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
  }
  return at(one.length, other.length)
}
