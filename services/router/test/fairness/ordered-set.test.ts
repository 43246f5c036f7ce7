import { array, assert, constantFrom, integer, property, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OrderedSet } from '../../src/fairness/ordered-set.ts'

const step = record({
  kind: constantFrom('add', 'add', 'delete', 'first'),
  value: integer({ min: 0, max: 8 }),
})

describe('an ordered set', () => {
  it('is a set of which the first value is known, whatever was added and deleted', () => {
    assert(
      property(array(step, { maxLength: 80 }), (steps) => {
        const ordered = new OrderedSet<number>()
        const expected = new Set<number>()
        for (const { kind, value } of steps) {
          if (kind === 'add') {
            ordered.add(value)
            expected.add(value)
          } else if (kind === 'delete') expect(ordered.delete(value)).toBe(expected.delete(value))
          else {
            expect(ordered.first).toBe([...expected][0] ?? null)
            expect(ordered.has(value)).toBe(expected.has(value))
          }
          expect(ordered.size).toBe(expected.size)
        }
        const values: number[] = []
        for (let { first } = ordered; first !== null; first = ordered.first) {
          values.push(first)
          ordered.delete(first)
        }
        expect(values).toEqual([...expected])
      }),
    )
  })
})
