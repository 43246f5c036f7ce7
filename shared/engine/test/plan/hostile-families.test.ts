import { describe, expect, it } from 'vitest'
import { compileSupergraph } from '../../src/graph/compile.ts'
import { openGraph } from '../../src/graph/graph.ts'
import { prepareOperation } from '../../src/operation/operation.ts'
import { DEFAULT_STEP_LIMIT } from '../../src/work/planning-budget.ts'
import { planOperation } from '../../src/plan/plan-operation.ts'
import { HOSTILE_FAMILIES, type HostileFamily } from './support/hostile-families.ts'

/** Of an operation twice the size; the rest is room for what sorting takes. */
const MOST = 2.5

/** On a graph nothing was planned on before. Goes through all limits for operations. */
function stepsOf({ graph, operation }: HostileFamily, n: number): number {
  const opened = openGraph(compileSupergraph(graph(n)))
  const prepared = prepareOperation(opened, { document: operation(n) })
  const conditions = new Map(prepared.conditions.map((name) => [name, true]))
  let steps = 0
  planOperation(prepared, conditions, {
    onSteps: (taken) => {
      steps = taken
    },
  })
  return steps
}

describe('planning of operations made to be expensive', () => {
  it.each(HOSTILE_FAMILIES)('takes steps in proportion to the size: $name', (family) => {
    const steps = family.sizes.map((n) => stepsOf(family, n))
    const ratios = steps.slice(1).map((count, index) => count / (steps[index] ?? 1))
    expect(Math.max(...ratios), `steps ${steps.join(', ')}`).toBeLessThanOrEqual(MOST)
    expect(Math.max(...steps)).toBeLessThan(DEFAULT_STEP_LIMIT / 2)
  })
})
