import { RandomRun } from '@switchyard/testkit'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { RecentTexts } from '../../src/memory/recent-texts.ts'

const RUN = new RandomRun(import.meta.url, 100)

it('remembers what was asked for lately, and no more than there is room for', () => {
  const recent = new RecentTexts<number>(10_000)
  recent.set('kept', 1)
  for (let index = 0; index < 1000; index++) {
    recent.set(`text ${index}`, index)
    expect(recent.get('kept')).toBe(1)
    expect(recent.bytes).toBeLessThanOrEqual(10_000)
  }
  expect(recent.get('text 999')).toBe(999)
  expect(recent.get('text 0')).toBeUndefined()
})

it('gives what was set, or nothing', () => {
  const text = fc.oneof(
    fc.string(),
    fc.nat(30).map((size) => 'x'.repeat(size * 1000)),
  )
  fc.assert(
    fc.property(fc.array(text), (texts) => {
      const recent = new RecentTexts<number>(20_000)
      for (const one of texts) {
        recent.set(one, one.length)
        expect([one.length, undefined]).toContain(recent.get(one))
        expect(recent.bytes).toBeLessThanOrEqual(20_000)
      }
    }),
    RUN.parameters,
  )
})

it('forgets what would take all the room at once', () => {
  const recent = new RecentTexts<number>(1000)
  recent.set('x'.repeat(1000), 1)
  expect([recent.get('x'.repeat(1000)), recent.bytes]).toEqual([undefined, 0])
})
