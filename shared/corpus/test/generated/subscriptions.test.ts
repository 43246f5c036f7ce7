import { RandomRun } from '@switchyard/testkit'
import { Random } from '@switchyard/samples'
import { describe, expect, it } from 'vitest'
import { checkOperation, describeCase, openWorld } from '../../src/generated/check.ts'
import { generateWorld } from '../../src/generated/generate.ts'
import { worldSeeds } from '../../src/generated/campaign.ts'
import { generateSubscription, withSubscriptions } from '../../src/generated/subscriptions.ts'

const RUN = new RandomRun(import.meta.url, 10, 60)
const SUBSCRIPTIONS = 6

describe(`events of generated worlds (SEED=${RUN.seed} RUNS=${RUN.runs})`, () => {
  it('become what one server would answer', { timeout: RUN.timeout(300_000) }, async () => {
    let [opened, checked, joined] = [0, 0, 0]
    for (const seed of worldSeeds(RUN.seed, RUN.runs)) {
      const world = withSubscriptions(generateWorld(seed))
      const found = world && openWorld(world)
      if (found?.kind !== 'opened') continue
      opened++
      const random = new Random(seed)
      for (let left = SUBSCRIPTIONS; left > 0; left--) {
        const operation = generateSubscription(found.bench.engine, random)
        if (operation === null) continue
        checked++
        if (found.bench.engine.plan(operation).fetches.length > 1) joined++
        const faults = await checkOperation(found.bench, operation)
        if (faults.length > 0)
          expect.fail(`${describeCase(found.bench.world, operation)}\n${JSON.stringify(faults, null, 2)}`)
      }
    }
    console.log(`${opened} worlds, ${checked} subscriptions, ${joined} of several subgraphs`)
    expect(opened).toBeGreaterThan(RUN.runs / 4)
    expect(checked).toBeGreaterThan(opened)
    expect(joined).toBeGreaterThan(checked / 10)
  })
})
