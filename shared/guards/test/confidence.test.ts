import { describe, expect, it } from 'vitest'
import { Random } from '../bench/random.ts'
import { alphaOf, alphaOfGoingOn, parseGuards, type Tested, testedBy } from '../src/index.ts'
import { degreesOfFreedom } from '../src/cluster-rates.ts'
import { mixtureBoundary, normalTail, studentValue } from '../src/confidence.ts'

describe('the boundary of a sum that is looked at all the time', () => {
  it('is crossed by a random walk in less than the allowed share of runs, and in more than a third of it', () => {
    const runs = 1000
    const random = new Random(1)
    let crossed = 0
    for (let run = 0; run < runs; run += 1) {
      let sum = 0
      // Steps grow, so that few of them cover variances from 0.1 to 100,000.
      for (let variance = 0.1; variance < 100_000; variance *= 1.02) {
        sum += Math.sqrt(variance * 0.02) * random.normal()
        if (sum <= mixtureBoundary(0.1, variance) * Math.sqrt(variance)) continue
        crossed += 1
        break
      }
    }
    expect(crossed / runs).toBeLessThan(0.1)
    expect(crossed / runs).toBeGreaterThan(0.033)
  })

  it('is lowest at some tens of events, and rises slowly from there on', () => {
    const at = (variance: number): number => mixtureBoundary(0.001, variance)
    expect(at(80)).toBeCloseTo(4.04, 2)
    for (const variance of [0.01, 1, 8, 2000, 1e6, 1e9]) expect(at(variance)).toBeGreaterThan(at(80))
    expect(at(1e6)).toBeLessThan(5.2)
  })
})

describe("the values of Student's t", () => {
  // From tables: the value that t exceeds with the probability with which a normal variable exceeds z.
  it.each([
    [2.3263, 10, 2.7638],
    [3.2905, 20, 3.8495],
    [3.2905, 60, 3.4602],
    [1.96, 30, 2.0423],
    [3.2905, 120, 3.3735],
  ])('for z = %d and %d degrees of freedom are %d', (z, degrees, value) => {
    expect(studentValue(z, degrees) / value).toBeCloseTo(1, 2)
  })

  it('are those of the normal distribution for many degrees of freedom', () => {
    expect(studentValue(4, 1e6)).toBeCloseTo(4, 4)
  })
})

describe('the values of the normal distribution', () => {
  it.each([
    [0.05, 1.644_854],
    [0.025, 1.959_964],
    [0.001, 3.090_232],
    [1e-6, 4.753_424],
  ])('exceeded with a probability of %d are %d', (probability, value) => {
    expect(normalTail(probability)).toBeCloseTo(value, 5)
  })

  it('are bounded for probabilities outside of its range', () => {
    expect(normalTail(0)).toBe(normalTail(1e-10))
    expect(normalTail(1)).toBe(normalTail(0.07))
  })
})

describe('the levels of a ramp', () => {
  const guards = ['errors=+1pt', 'errors=1.5x,p50=1.2x,p90=1.2x,p95=1.2x,p99=1.2x', 'p99=1.3x'].map(
    parseGuards,
  )

  it('are at most 1 % together, also where steps are begun again without end', () => {
    for (const each of guards) {
      for (const steps of [1, 5, 20]) {
        const levels = Array.from({ length: 200 }, (_, begun) =>
          testedBy(each).map((tested) => alphaOf(tested, each, { steps, begun: begun + 1, attempt: 1 })),
        ).flat()
        const sum = levels.reduce((total, level) => total + level, 0)
        expect(sum).toBeLessThanOrEqual(0.01 + 1e-12)
        expect(sum).toBeGreaterThan(0.0099)
      }
    }
  })

  it('give the total of errors twice as much as others', () => {
    const place = { steps: 5, begun: 2, attempt: 1 }
    const level = (tested: Tested): number => alphaOf(tested, parseGuards('errors=+1pt,p99=1.3x'), place)
    expect(level('errors')).toBeCloseTo(0.0009, 9)
    expect(level('errors-by-operation')).toBeCloseTo(0.000_45, 9)
    expect(level('p99')).toBeCloseTo(0.000_45, 9)
  })

  it('of going on are at most 5 % together, however often it is asked', () => {
    const levels = Array.from({ length: 100 }, (_, at) =>
      alphaOfGoingOn({ steps: 5, begun: 1, attempt: at + 1 }),
    )
    expect(levels[0]).toBe(0.025)
    expect(levels.reduce((sum, level) => sum + level, 0)).toBeLessThanOrEqual(0.05)
  })
})

it('the example of docs/guards.md is computed as the page says', () => {
  const guards = parseGuards('errors=+0.5pt')
  const level = alphaOf('errors', guards, { steps: 5, begun: 2, attempt: 1 })
  const variance = (rate: number, requests: number): number => (1.3 * rate * (1 - rate)) / requests
  const inside = variance(95 / 4500, 4500)
  const control = variance(86 / 85_500, 85_500)
  const standardError = Math.sqrt(inside + control)
  expect(Math.sqrt(inside) * 100).toBeCloseTo(0.244, 3)
  expect(Math.sqrt(control) * 100).toBeCloseTo(0.012, 3)
  expect(standardError * 100).toBeCloseTo(0.245, 3)
  const size = 1 / (1 / 4500 + 1 / 85_500)
  const boundary = mixtureBoundary(level, (size * standardError) ** 2)
  const degrees = degreesOfFreedom([inside, 52], [control, 52])
  expect(boundary).toBeCloseTo(3.98, 2)
  expect(studentValue(boundary, degrees)).toBeCloseTo(4.33, 2)
  const excess = 95 / 4500 - 86 / 85_500 - 0.005
  expect((excess - studentValue(boundary, degrees) * standardError) * 100).toBeCloseTo(0.45, 2)
  expect(studentValue(normalTail(0.025), degrees)).toBeCloseTo(2.01, 2)
})
