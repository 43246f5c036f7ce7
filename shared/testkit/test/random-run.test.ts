import { RandomRun } from '@switchyard/testkit'
import { afterEach, describe, expect, it, vi } from 'vitest'

const FILE = 'shared/testkit/test/random-run.test.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

/** As in a shell where neither is set, and as in one where they are. */
function open(seed: string | undefined, runs: string | undefined, long?: '1'): RandomRun {
  vi.stubEnv('SEED', seed)
  vi.stubEnv('RUNS', runs)
  vi.stubEnv('SWITCHYARD_TEST_LONG', long)
  return new RandomRun(import.meta.url, 40, 200)
}

describe('a random run', () => {
  it('draws the same at any time, unless it is told what to draw', () => {
    vi.useFakeTimers({ now: 0 })
    const early = open(undefined, undefined)
    vi.setSystemTime(1e12)
    const late = open('', '')
    vi.useRealTimers()
    expect([late.seed, late.runs]).toEqual([early.seed, early.runs])
    expect(early.runs).toBe(40)
    const told = open('7', '3')
    expect([told.seed, told.runs]).toEqual([7, 3])
  })

  it('is longer among the long runs, unless it is told how long', () => {
    expect(open(undefined, undefined, '1').runs).toBe(200)
    expect(open(undefined, '3', '1').runs).toBe(3)
  })

  it('does not take for a number what is none', () => {
    expect(() => open('late', undefined)).toThrow(
      'SEED is "late", which is not a whole number of at least 0.',
    )
    expect(() => open('1', '-1')).toThrow('RUNS is "-1"')
  })

  it('may take longer when it is longer, and never less than usual', () => {
    expect(open(undefined, '401').timeout(900_000)).toBe(9_900_000)
    expect(open(undefined, '1').timeout(900_000)).toBe(900_000)
  })

  it('may always take ten minutes, so that a busy machine fails no test', () => {
    expect(open(undefined, undefined).timeout(1000)).toBe(600_000)
  })

  it('begins the error of a question with the command that asks it again', async () => {
    const run = open('5', '100')
    const fail = () => Promise.reject(new Error('not what was expected'))
    await expect(run.ask({ test: 'is right', seed: 9 }, fail)).rejects.toThrow(
      new Error(`SEED=9 RUNS=1 vitest run ${FILE} -t 'is right'\nnot what was expected`),
    )
    await expect(run.ask({ test: 'is right', seed: 9, world: 4 }, fail)).rejects.toThrow(
      /^WORLD=4 SEED=9 RUNS=1 vitest/,
    )
    expect(await run.ask({ test: 'is right', seed: 9 }, async () => 'an answer')).toBe('an answer')
  })
})
