import { RandomRun } from '@switchyard/testkit'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  EmergencyStop,
  Guards,
  InvalidGuardError,
  parseEmergencyStop,
  parseGuards,
  printEmergencyStop,
  printGuards,
} from '../src/index.ts'

const run = new RandomRun(import.meta.url, 300)

const hundredths = (from: number, to: number) =>
  fc.integer({ min: from, max: to }).map((value) => value / 100)
const ratio = fc.record({ ratio: hundredths(101, 10_000) })
const guardsOf = fc
  .record(
    {
      errors: fc.oneof(fc.record({ points: hundredths(1, 10_000) }), ratio),
      p50: ratio,
      p90: ratio,
      p95: ratio,
      p99: ratio,
      minimumRequests: fc.integer({ min: 100, max: 1e9 }),
    },
    { requiredKeys: [] },
  )
  .filter((guards) => Object.keys(guards).some((name) => name !== 'minimumRequests'))

describe('guards', () => {
  it('are written as people say them', () => {
    expect(parseGuards('errors=+1pt,p99=1.3x')).toEqual({ errors: { points: 1 }, p99: { ratio: 1.3 } })
    expect(parseGuards('errors=1.5x, requests=2000')).toEqual({
      errors: { ratio: 1.5 },
      minimumRequests: 2000,
    })
    expect(parseGuards('errors=+0.25pt')).toEqual({ errors: { points: 0.25 } })
  })

  it('are the same after they were printed and parsed', () => {
    fc.assert(
      fc.property(guardsOf, (guards) => {
        expect(parseGuards(printGuards(Guards.parse(guards)))).toEqual(guards)
      }),
      run.parameters,
    )
  })

  it.each([
    [
      '',
      '"" is no guard. Expected errors=+1pt, errors=1.5x, p99=1.3x (also p50, p90 and p95) or requests=500',
    ],
    ['error=+1pt', '"error=+1pt" is no guard. Expected errors=+1pt'],
    ['errors=1pt', '"errors=1pt" is no guard. Expected errors=+1pt'],
    ['errors=+1pt,,p99=1.3x', '"" is no guard.'],
    ['p98=1.3x', '"p98=1.3x" is no guard.'],
    ['p99=+1pt', '"p99=+1pt" is no guard.'],
    ['errors=+1pt,errors=1.5x', '"errors=+1pt,errors=1.5x" has two guards of "errors"'],
    ['p99=1x', '"p99=1x" cannot be used: a ratio is at least 1.01'],
    ['errors=1x', '"errors=1x" cannot be used: a ratio is at least 1.01'],
    ['errors=+0pt', '"errors=+0pt" cannot be used: a limit in points is at least 0.01'],
    ['errors=+0.123pt', '"errors=+0.123pt" cannot be used: a limit in points has at most two decimals'],
    ['errors=+101pt', '"errors=+101pt" cannot be used: a limit in points is at most 100'],
    ['errors=+1pt,requests=10', 'cannot be used: the minimum of requests is at least 100'],
    ['requests=500', '"requests=500" cannot be used: guards limit errors or a latency, such as errors=+1pt'],
    ['__proto__=1.3x', '"__proto__=1.3x" is no guard.'],
    ['\u001b[31mred', '"?[31mred" is no guard.'],
  ])('say what is wrong with "%s"', (text, message) => {
    expect(() => parseGuards(text)).toThrow(InvalidGuardError)
    expect(() => parseGuards(text)).toThrow(message)
  })

  it('quote the beginning of a long text', () => {
    expect(() => parseGuards('x'.repeat(100_000))).toThrow(`"${'x'.repeat(60)}…" is no guard.`)
  })

  it.each([
    ['nothing', {}],
    ['two limits of errors', { errors: { points: 1, ratio: 1.5 } }],
    ['a number that is none', { errors: { points: Number.NaN } }],
    ['infinity', { p99: { ratio: Number.POSITIVE_INFINITY } }],
    ['a negative limit', { errors: { points: -1 } }],
    ['an unknown member', { errors: { points: 1 }, p98: { ratio: 2 } }],
  ])('are refused with %s', (_what, guards) => {
    expect(Guards.safeParse(guards).success).toBe(false)
  })
})

describe('an emergency stop', () => {
  it('is the same after it was printed and parsed', () => {
    expect(parseEmergencyStop('errors=20%')).toEqual({ errors: { percent: 20 } })
    fc.assert(
      fc.property(hundredths(100, 9900), (percent) => {
        const stop = EmergencyStop.parse({ errors: { percent } })
        expect(parseEmergencyStop(printEmergencyStop(stop))).toEqual(stop)
      }),
      run.parameters,
    )
  })

  it.each([
    ['errors=+20pt', '"errors=+20pt" is no emergency stop. Expected errors=20%'],
    ['20%', '"20%" is no emergency stop. Expected errors=20%'],
    ['errors=0%', '"errors=0%" cannot be used: an emergency stop is at 1% or more'],
    ['errors=100%', '"errors=100%" cannot be used: an emergency stop is at 99% or less'],
  ])('says what is wrong with "%s"', (text, message) => {
    expect(() => parseEmergencyStop(text)).toThrow(message)
  })
})
