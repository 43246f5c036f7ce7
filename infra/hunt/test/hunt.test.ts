/** A small part of every campaign. Times are not judged here: `make hunt` does that. */
import { FIXED_SEED } from '@switchyard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hunt } from '../src/campaign.ts'
import { type Ground, openGround } from '../src/ground/ground.ts'
import { openTargets } from '../src/targets/all-targets.ts'

const INPUTS = 170
const TARGETS = ['documents', 'variables', 'answers', 'framing', 'records', 'schemas']
/** Fewer than in a campaign, so that the graph is there soon. */
const TYPES = 60

let ground: Ground
beforeAll(async () => {
  ground = await openGround(TYPES)
})
afterAll(() => ground[Symbol.asyncDispose]())

describe('inputs that are made to do harm', () => {
  it('are made for each of these', () => {
    expect(openTargets(ground).map(({ name }) => name)).toEqual(TARGETS)
  })

  it.each(TARGETS)('get a clear answer: %s', async (name) => {
    const target = openTargets(ground).find((known) => known.name === name)
    if (target === undefined) throw new Error(`There is no target ${name}.`)
    const { tried, worst, outcomes } = await hunt(target, {
      seed: FIXED_SEED,
      inputs: INPUTS,
      until: Number.POSITIVE_INFINITY,
      measuresTimes: false,
    })
    expect(worst.flatMap(({ complaint }) => complaint ?? [])).toEqual([])
    expect(tried).toBe(INPUTS)
    // A hunt that is always answered alike tries nothing.
    expect(outcomes.size).toBeGreaterThan(2)
  })
})
