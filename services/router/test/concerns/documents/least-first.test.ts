/** The order of documents that make room. */
import { RandomRun } from '@switchyard/testkit'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { LeastFirst } from '../../../src/concerns/documents/least-first.ts'

const RUN = new RandomRun(import.meta.url, 200)

it('the item with the least rank is first, whatever came and went', () => {
  const step = fc.record({ item: fc.nat(30), rank: fc.nat(50) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const heap = new LeastFirst<number>()
      const ranks = new Map<number, number>()
      for (const { item, rank } of steps) {
        if (ranks.delete(item)) heap.remove(item)
        else {
          ranks.set(item, rank)
          heap.add(item, rank)
        }
        expect(heap.size).toBe(ranks.size)
        const { first } = heap
        const least = Math.min(...ranks.values())
        if (first === null) expect(ranks.size).toBe(0)
        else expect(ranks.get(first)).toBe(least)
      }
      heap.remove(1000)
      expect(heap.size).toBe(ranks.size)
    }),
    RUN.parameters,
  )
})
