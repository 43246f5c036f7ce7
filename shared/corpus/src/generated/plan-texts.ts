import { operationSeed, Tally, tryWorld } from './campaign.ts'
import { generateOperation } from './operations.ts'

const OPERATIONS = 5

/** Printed plans of some operations of a world; none when its split is refused. */
export function planTexts(seed: number): readonly string[] {
  const bench = tryWorld(seed, new Tally())
  if (bench === null) return []
  return Array.from({ length: OPERATIONS }, (_, index) =>
    bench.engine.printPlan(generateOperation(bench.engine, operationSeed(seed, index))),
  )
}
