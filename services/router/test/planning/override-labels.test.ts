import { describe, expect, it } from 'vitest'
import { Random } from '@switchyard/samples'
import { OverrideLabels } from '../../src/planning/override-labels.ts'

const always = (...labels: string[]) => new Set(labels)
const drawing = (value: number) => new OverrideLabels({ alwaysActive: always(), random: () => value })

describe('labels of progressive overrides', () => {
  it.each([0, 0.01, 12.5, 33.333, 50, 99.9, 100])('are active for %s percent of many requests', (percent) => {
    const label = `percent(${percent})`
    const random = new Random(42)
    const labels = new OverrideLabels({ alwaysActive: always(), random: () => random.next() })
    const draws = 100_000
    let active = 0
    for (let draw = 0; draw < draws; draw++) active += labels.activeOf([label]).size
    const share = percent / 100
    // Four standard deviations: a right source fails once in sixteen thousand seeds, and this seed is fixed.
    const tolerance = 4 * Math.sqrt((share * (1 - share)) / draws)
    expect(Math.abs(active / draws - share)).toBeLessThanOrEqual(tolerance)
  })

  it('are never active at 0 and always at 100, whatever is drawn', () => {
    for (const value of [0, Number.MIN_VALUE, 0.5, 1 - Number.EPSILON / 2]) {
      expect(drawing(value).activeOf(['percent(0)', 'percent(0.0)'])).toEqual(new Set())
      expect(drawing(value).activeOf(['percent(100)', 'percent(100.00)']).size).toBe(2)
    }
  })

  it('are drawn independently of each other, each once', () => {
    const draws = [0.1, 0.9, 0.1]
    const labels = new OverrideLabels({ alwaysActive: always(), random: () => draws.shift() ?? 1 })
    expect(labels.activeOf(['percent(40)', 'percent(50)', 'percent(60)'])).toEqual(
      new Set(['percent(40)', 'percent(60)']),
    )
    expect(draws).toEqual([])
  })

  it('are not drawn where an operation has none', () => {
    const labels = new OverrideLabels({
      alwaysActive: always('beta'),
      random: () => {
        throw new Error('drawn')
      },
    })
    expect(labels.activeOf([])).toEqual(new Set())
    expect(labels.activeOf(['beta'])).toEqual(new Set(['beta']))
  })

  it('of other kinds are active only when the settings name them', () => {
    const labels = new OverrideLabels({ alwaysActive: always('beta', 'percent(0)'), random: () => 0 })
    expect(labels.activeOf(['beta', 'gamma', 'percent', 'percent(x)', 'percent(0)'])).toEqual(
      new Set(['beta']),
    )
  })

  it('are percentages only in their exact form', () => {
    const odd = ['percent()', 'percent(-1)', 'percent(1e2)', 'percent(5) ', 'Percent(5)', 'percent(.5)']
    expect(drawing(0).activeOf(odd)).toEqual(new Set())
    expect(drawing(0).activeOf(['percent(5)', 'percent(5.25)']).size).toBe(2)
  })
})
