/** The evaluator that the flagd project publishes for JavaScript splits users as rollouts do. */
import { FlagdCore } from '@openfeature/flagd-core'
import { expect, it } from 'vitest'
import { flagDefinitions, flagsInside, keysLike, PERCENTAGES } from './flagd-flags.ts'

const core = new FlagdCore()
core.setConfigurations(flagDefinitions())

const flagsOn = (targetingKey: string) =>
  [...PERCENTAGES.keys()].filter((name) => core.resolveBooleanEvaluation(name, false, { targetingKey }).value)

it('the same users are inside of each percentage', () => {
  const keys = keysLike(5000)
  expect(keys.filter((key) => flagsInside(key).length > 1).length).toBeGreaterThan(4000)
  for (const key of keys) expect([key, flagsOn(key)]).toEqual([key, flagsInside(key)])
})

it('beyond ASCII it hashes other bytes than UTF-8, unlike flagd itself', () => {
  const keys = keysLike(200).map((key) => `ключ-${key}`)
  expect(keys.some((key) => flagsOn(key).join(' ') !== flagsInside(key).join(' '))).toBe(true)
})
