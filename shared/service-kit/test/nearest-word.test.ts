import { describe, expect, it } from 'vitest'
import { nearestWord } from '../src/nearest-word.ts'

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

  it('takes no time for a word of a megabyte', () => {
    expect(nearestWord('x'.repeat(1_000_000), ['port', 'host'])).toBeNull()
  })
})
