/** Random operations on the schema that clients see, the same for the same seed. */
import type { SuiteEngine } from '../harness/run-engine.ts'
import { Random, randomOperation } from '@switchyard/samples'
import type { SuiteOperation } from '../harness/suite.ts'

const TAPE = 160

/** Generates an operation, and draws which of the graph's override labels are active. */
export function generateOperation({ schema, graph }: SuiteEngine, seed: number): SuiteOperation {
  const random = new Random(seed)
  const length = 20 + random.below(TAPE)
  const tape = Array.from({ length }, () => random.below(5040))
  return { ...randomOperation(schema, tape), labels: graph.labels.filter(() => random.chance(50)) }
}
