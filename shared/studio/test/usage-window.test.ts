import { expect, it } from 'vitest'
import { beginningOf, hoursIn } from '../src/page/parts/usage/choices.ts'

it('takes windows of usage from addresses, which begin at whole hours', () => {
  expect([hoursIn('24'), hoursIn(5), hoursIn(undefined)]).toEqual([24, undefined, undefined])
  expect(beginningOf(24, 86_400_000 + 1_800_000)).toBe(3_600_000)
})
