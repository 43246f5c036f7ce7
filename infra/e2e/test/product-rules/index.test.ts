import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { REPOSITORY } from '../../src/index.ts'
import { ALL_CHAPTERS } from './chapters.ts'
import { RULES } from './rules.ts'
import { SHOWN_ELSEWHERE } from './shown-elsewhere.ts'

it('every rule has a case that shows it', () => {
  const shown = new Set<string>(
    Object.values(ALL_CHAPTERS).flatMap((cases) => cases.flatMap(({ rules }) => rules)),
  )
  expect(Object.keys(RULES).filter((rule) => !shown.has(rule))).toEqual([])
})

it('every case shows a rule, and no two have one name', () => {
  const cases = Object.values(ALL_CHAPTERS).flat()
  expect(cases.filter(({ rules }) => rules.length === 0).map((item) => item.it)).toEqual([])
  expect(new Set(cases.map((item) => item.it)).size).toBe(cases.length)
})

it.each(Object.values(SHOWN_ELSEWHERE))('a test of its own shows: $rule', ({ file, tests }) => {
  const text = readFileSync(join(REPOSITORY, file), 'utf8')
  expect(tests.filter((name) => !text.includes(`it('${name}'`))).toEqual([])
})
