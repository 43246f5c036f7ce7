/** A sample of `make beside-one-server`. */
import { worldSeeds } from '@switchyard/corpus/generated'
import { RandomRun } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { checkWorld } from './check-world.ts'
import { openSurroundings } from './surroundings.ts'
import { Tally } from './tally.ts'

const RUN = new RandomRun(import.meta.url, 8, 80)

describe(`events that a router delivers (SEED=${RUN.seed} RUNS=${RUN.runs})`, () => {
  it('are what one server answers to their users', { timeout: RUN.timeout(60_000) }, async () => {
    await using stack = new AsyncDisposableStack()
    const surroundings = await openSurroundings(stack)
    const tally = new Tally()
    for (const seed of worldSeeds(RUN.seed, RUN.runs)) {
      const problems = await checkWorld(seed, surroundings, tally)
      if (problems.length > 0) expect.fail(problems.join('\n'))
    }
    console.log(tally.toString())
    expect(tally.worlds).toBeGreaterThan(RUN.runs / 4)
    expect(tally.unauthorized).toBeGreaterThan(tally.events / 20)
    expect(tally.shared).toBeGreaterThan(0)
    expect(tally.lost).toBeGreaterThan(tally.lossy / 20)
    expect([tally.moved, tally.changed].every((count) => count > RUN.runs / 4)).toBe(true)
  })
})
