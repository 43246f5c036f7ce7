/** What each choice of a composition says about a flag. */
import { describe, expect, it } from 'vitest'
import { evaluate } from '../../../src/concerns/ofrep/evaluation.ts'
import type { FlagChoice } from '../../../src/flags/flag-choice.ts'

type Kind = 'unbuilt' | 'building' | 'built' | 'damaged' | 'failed'

const by = (flag: string, percent: number) => ({ rollout: 'r', flag, percent, key: null })
const CHOICES = {
  none: { from: 'none' },
  'named by header': { from: 'header', name: 'new' },
  'named by cookie': { from: 'cookie', name: 'new' },
  'another one named': { from: 'header', name: 'other' },
  'inside of 50 %': { from: 'rollout', name: 'new', by: by('new', 50) },
  'inside of 100 %': { from: 'rollout', name: 'new', by: by('new', 100) },
  'inside of another': { from: 'rollout', name: 'other', by: by('other', 50) },
  outside: { from: 'rollout-control', by: by('new', 50) },
  'outside of another': { from: 'rollout-control', by: by('other', 50) },
} as const satisfies Readonly<Record<string, FlagChoice>>

function saidOf(choice: FlagChoice, kind: Kind | null): string {
  const served = kind === null ? new Map() : new Map([['new', { state: { kind } }]])
  const evaluation = evaluate('new', choice, served)
  if (evaluation === null) return 'error'
  const { key, value, variant, reason } = evaluation
  expect([key, value]).toEqual(['new', variant === 'on'])
  return `${variant} ${reason}`
}

describe('a flag that is served', () => {
  it.each<[keyof typeof CHOICES, string]>([
    ['none', 'off DEFAULT'],
    ['named by header', 'on STATIC'],
    ['named by cookie', 'on STATIC'],
    ['another one named', 'off STATIC'],
    ['inside of 50 %', 'on SPLIT'],
    ['inside of 100 %', 'on TARGETING_MATCH'],
    ['inside of another', 'off DEFAULT'],
    ['outside', 'off SPLIT'],
    ['outside of another', 'off DEFAULT'],
  ])('%s: %s', (choice, expected) => {
    expect(saidOf(CHOICES[choice], 'built')).toBe(expected)
  })
})

describe('a flag whose composition is not built yet', () => {
  it.each<Kind>(['unbuilt', 'building'])(
    'answers who names it, and not who is in its rollout (%s)',
    (kind) => {
      expect(saidOf(CHOICES['named by header'], kind)).toBe('on STATIC')
      expect(saidOf(CHOICES['inside of 50 %'], kind)).toBe('off DEFAULT')
      expect(saidOf(CHOICES['inside of 100 %'], kind)).toBe('off DEFAULT')
    },
  )
})

describe('a flag whose artifact is damaged', () => {
  it('has no value for who names it, since base does not answer either', () => {
    expect(saidOf(CHOICES['named by header'], 'damaged')).toBe('error')
    expect(saidOf(CHOICES['inside of 50 %'], 'damaged')).toBe('off DEFAULT')
    expect(saidOf(CHOICES.none, 'damaged')).toBe('off DEFAULT')
  })
})

describe('a flag that the router does not serve', () => {
  it.each(Object.keys(CHOICES) as (keyof typeof CHOICES)[])('is disabled: %s', (choice) => {
    expect(saidOf(CHOICES[choice], null)).toBe('off DISABLED')
    expect(saidOf(CHOICES[choice], 'failed')).toBe('off DISABLED')
  })
})
