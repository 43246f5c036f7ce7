/** Seeds of every target, and random changes of them. Times are not judged here: `make hunt` does that. */
import { FIXED_SEED, isLongRun } from '@switchyard/testkit'
import { sample } from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Ground } from '../src/ground/ground.ts'
import { openTargets } from '../src/targets/all-targets.ts'
import { tryInputs } from '../src/try-inputs.ts'
import { openSharedGround } from './shared-router.ts'

/** A thousand in all, of which all but `make test-long` try the first quarter of each. */
const INPUTS = {
  documents: 170,
  variables: 200,
  answers: 170,
  framing: 200,
  cuts: 60,
  publishes: 30,
  records: 220,
  schemas: 40,
} as const
/** Fewer than `make hunt` has, so that the graph is there soon. */
const TYPES = 60

let ground: Ground
beforeAll(async () => {
  ground = await openSharedGround(TYPES)
})
afterAll(() => ground[Symbol.asyncDispose]())

describe('inputs that are made to do harm', () => {
  it('are made for each of these', () => {
    expect(openTargets(ground).map(({ name }) => name)).toEqual(Object.keys(INPUTS))
  })

  it.each(Object.entries(INPUTS))('get a clear answer: %s', async (name, longInputs) => {
    const inputs = isLongRun() ? longInputs : Math.ceil(longInputs / 4)
    const target = openTargets(ground).find((known) => known.name === name)
    if (target === undefined) throw new Error(`There is no target ${name}.`)
    const drawn = sample(target.drawn, { seed: FIXED_SEED, numRuns: inputs })
    const named = [...Object.entries(target.seeds), ...drawn.map((bytes) => ['drawn', bytes] as const)]
    const outcomes = new Set<string>()
    const complaints: string[] = []
    for await (const { attempt, complaint } of tryInputs(target, named.slice(0, inputs))) {
      outcomes.add(attempt.outcome.name)
      if (complaint !== null) complaints.push(complaint)
    }
    expect(complaints).toEqual([])
    // Inputs that are always answered alike try nothing.
    expect(outcomes.size).toBeGreaterThan(2)
  })
})
