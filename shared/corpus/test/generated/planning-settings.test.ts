/** Settings of the planner change what plans cost, and no answer. */
import { RandomRun } from '@switchyard/testkit'
import { describe, expect, it } from 'vitest'
import { dataText } from '../../src/harness/compare.ts'
import { createEngine } from '../../src/harness/run-engine.ts'
import { generateOperation } from '../../src/generated/operations.ts'
import { SUITES } from '../../src/suites/index.ts'

/** The number of random operations on each of the graphs, beside those of its suite. */
const RUN = new RandomRun(import.meta.url, 20, 2000)

/** Suites with fields that several subgraphs have, and with requests that can be saved by postponing one. */
const NAMES = [
  'shared fields asked of several subgraphs at once',
  'a shared root returning an interface',
  'requires by detours',
]

describe.each(SUITES.filter(({ name }) => NAMES.includes(name)))('plans for $name', (suite) => {
  it('are never dearer by shared fields or fewer requests, and answered alike', {
    timeout: RUN.timeout(60_000),
  }, async () => {
    const usual = createEngine(suite)
    const single = createEngine(suite, { planning: { sharedFields: false } })
    const quick = createEngine(suite, { planning: { prefer: 'latency' } })
    let cheaper = 0
    const { operations } = suite
    for (let index = 0; index < operations.length + RUN.runs; index++) {
      await RUN.ask({ test: 'plans for', seed: RUN.seed + index }, async () => {
        const operation = operations[index] ?? generateOperation(usual, RUN.seed + index)
        const plan = usual.plan(operation)
        const others = [single, quick].filter((engine) => engine.plan(operation).cost !== plan.cost)
        for (const engine of others)
          expect(plan.cost, operation.query).toBeLessThan(engine.plan(operation).cost)
        expect(plan.depth, operation.query).toBeGreaterThanOrEqual(quick.plan(operation).depth)
        if (others.length === 0) return
        cheaper++
        const { result, complaints } = await usual.run(operation)
        expect(complaints).toEqual([])
        for (const engine of others) {
          const other = await engine.run(operation)
          expect(dataText(result.data, operation)).toBe(dataText(other.result.data, operation))
        }
      })
    }
    expect(cheaper).toBeGreaterThan(0)
  })
})
