import { describe, expect, it } from 'vitest'
import { Random } from '@switchyard/samples'
import {
  type LabelledComposition,
  OverrideLabels,
} from '../../../src/concerns/override-labels/override-labels.ts'
import type { Asking } from '../../../src/request/asking.ts'

const always = (...labels: string[]) => new Set(labels)
const NOBODY: Asking = {
  address: '',
  clientName: '',
  clientVersion: '',
  headers: {},
  identity: null,
  visitor: null,
}
const BASE: LabelledComposition = { flag: null, config: { graph: null, featureFlags: new Set() } }

/** Labels that nobody's key decides. */
function drawn(random: () => number, alwaysActive = always()) {
  const labels = new OverrideLabels({ alwaysActive, key: [], random })
  return (asked: readonly string[]) => labels.activeOf(asked, NOBODY, BASE).labels
}

describe('labels of progressive overrides', () => {
  it.each([0, 0.01, 12.5, 33.333, 50, 99.9, 100])('are active for %s percent of many requests', (percent) => {
    const label = `percent(${percent})`
    const random = new Random(42)
    const activeOf = drawn(() => random.next())
    const draws = 100_000
    let active = 0
    for (let draw = 0; draw < draws; draw++) active += activeOf([label]).size
    const share = percent / 100
    // Four standard deviations: a right source fails once in sixteen thousand seeds, and this seed is fixed.
    const tolerance = 4 * Math.sqrt((share * (1 - share)) / draws)
    expect(Math.abs(active / draws - share)).toBeLessThanOrEqual(tolerance)
  })

  it('are never active at 0 and always at 100, whatever is drawn', () => {
    for (const value of [0, Number.MIN_VALUE, 0.5, 1 - Number.EPSILON / 2]) {
      expect(drawn(() => value)(['percent(0)', 'percent(0.0)'])).toEqual(new Set())
      expect(drawn(() => value)(['percent(100)', 'percent(100.00)']).size).toBe(2)
    }
  })

  it('are drawn independently of each other, each once', () => {
    const draws = [0.1, 0.9, 0.1]
    expect(drawn(() => draws.shift() ?? 1)(['percent(40)', 'percent(50)', 'percent(60)'])).toEqual(
      new Set(['percent(40)', 'percent(60)']),
    )
    expect(draws).toEqual([])
  })

  it('are not drawn where an operation has none', () => {
    const activeOf = drawn(() => {
      throw new Error('drawn')
    }, always('beta'))
    expect(activeOf([])).toEqual(new Set())
    expect(activeOf(['beta', 'percent(0)', 'percent(100)'])).toEqual(new Set(['beta', 'percent(100)']))
  })

  it('of other kinds are active only when the settings name them', () => {
    const activeOf = drawn(() => 0, always('beta', 'percent(0)'))
    expect(activeOf(['beta', 'gamma', 'percent', 'percent(x)', 'percent(0)'])).toEqual(new Set(['beta']))
  })

  it('are percentages only in their exact form', () => {
    const odd = ['percent()', 'percent(-1)', 'percent(1e2)', 'percent(5) ', 'Percent(5)', 'percent(.5)']
    expect(drawn(() => 0)(odd)).toEqual(new Set())
    expect(drawn(() => 0)(['percent(5)', 'percent(5.25)']).size).toBe(2)
  })
})
