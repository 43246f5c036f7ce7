import { describe, expect, it } from 'vitest'
import { optionsIn } from '../../bench/bench-options.ts'

const DEFAULTS = { rounds: 40, only: '', sleep: false, against: null } as const

describe('the options of a benchmark', () => {
  it('are the defaults where nothing is said', () => {
    expect(optionsIn([], DEFAULTS)).toEqual(DEFAULTS)
  })

  it('are numbers, texts and switches', () => {
    const words = ['--rounds', '2.5', '--only', 'small', '--sleep', '--against', '/other']
    expect(optionsIn(words, DEFAULTS)).toEqual({
      rounds: 2.5,
      only: 'small',
      sleep: true,
      against: '/other',
    })
  })

  it.each([
    [['--rounds', 'x'], /--rounds is "x": expected a number of 0 or more/],
    [['--rounds', ''], /--rounds is ""/],
    [['--rounds=-1'], /--rounds is "-1"/],
    [['--rounds', 'Infinity'], /--rounds is "Infinity"/],
    [['--rounds'], /argument missing/],
    [['--round', '3'], /Unknown option '--round'/],
    [['3'], /Unexpected argument '3'/],
  ])('are refused as %j', (words, message) => {
    expect(() => optionsIn(words, DEFAULTS)).toThrow(message)
  })
})
