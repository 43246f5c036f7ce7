import { expect, it } from 'vitest'
import { CHAPTERS } from './chapters.ts'
import { RULES } from './rules.ts'

it('every rule has a case that shows it', () => {
  const shown = new Set<string>(
    Object.values(CHAPTERS).flatMap((cases) => cases.flatMap(({ rules }) => rules)),
  )
  expect(Object.keys(RULES).filter((rule) => !shown.has(rule))).toEqual([])
})

it('every case shows a rule, and no two have one name', () => {
  const cases = Object.values(CHAPTERS).flat()
  expect(cases.filter(({ rules }) => rules.length === 0).map((item) => item.it)).toEqual([])
  expect(new Set(cases.map((item) => item.it)).size).toBe(cases.length)
})
