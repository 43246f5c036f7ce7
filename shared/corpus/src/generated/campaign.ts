/** Many worlds, several operations each. What is wrong is made small before it is reported. */
import * as fc from 'fast-check'
import {
  type Bench,
  checkClientSchema,
  checkNaive,
  checkOrder,
  checkOperation,
  describeCase,
  type Fault,
  openWorld,
} from './check.ts'
import type { SuiteOperation } from '../harness/suite.ts'
import { generateWorld } from './generate.ts'
import { generateOperation } from './operations.ts'
import { type Case, reduceCase } from './reduce.ts'
import { checkSpoilt } from './transport-faults.ts'
import type { World } from './world.ts'

export type Failure = {
  readonly world: number
  readonly operation: number | null
  readonly fault: Fault
  /** The smallest case found that fails in the same way. */
  readonly small: Case
  /** The same, to be read. */
  readonly text: string
}

/** A tally as it goes from one process to another. */
export type TallyCounts = {
  readonly tried: number
  readonly accepted: number
  readonly operations: number
  readonly refused: readonly (readonly [string, number])[]
  readonly features: readonly (readonly [string, number])[]
  readonly dearer: readonly string[]
}

export class Tally {
  tried = 0
  accepted = 0
  operations = 0
  /** Why splits were thrown away. */
  readonly refused = new Map<string, number>()
  /** The number of accepted worlds in which a feature occurs. */
  readonly features = new Map<string, number>()
  /** Operations that a naive planner answers with fewer requests: `world/operation: how many`. */
  readonly dearer: string[] = []

  counts(): TallyCounts {
    const { tried, accepted, operations, dearer } = this
    return {
      tried,
      accepted,
      operations,
      refused: [...this.refused],
      features: [...this.features],
      dearer: [...dearer],
    }
  }

  add(counts: TallyCounts): void {
    this.tried += counts.tried
    this.accepted += counts.accepted
    this.operations += counts.operations
    for (const [code, times] of counts.refused) count(this.refused, code, times)
    for (const [feature, times] of counts.features) count(this.features, feature, times)
    this.dearer.push(...counts.dearer)
  }

  toString(): string {
    const share = ((100 * this.accepted) / Math.max(1, this.tried)).toFixed(1)
    const lines = [
      `${this.tried} splits, ${this.accepted} accepted (${share} %), ${this.operations} operations`,
      `refused: ${listed(this.refused)}`,
      `features in accepted splits: ${listed(this.features)}`,
      `dearer than a naive plan: ${this.dearer.length} of ${this.operations}${this.dearer.map((one) => `\n  ${one}`).join('')}`,
    ]
    return lines.join('\n')
  }
}

export function listed(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')
}

export function count(counts: Map<string, number>, name: string, times = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + times)
}

/** The worlds of a run, all different in practice. */
export function worldSeeds(seed: number, length: number): number[] {
  return fc.sample(fc.noBias(fc.nat({ max: 2_000_000_000 })), { seed, numRuns: length })
}

/** Null when the world is refused. */
export function tryWorld(seed: number, tally: Tally): Bench | null {
  const world = generateWorld(seed)
  tally.tried++
  const opened = openWorld(world)
  if (opened.kind === 'refused') {
    count(tally.refused, opened.code)
    return null
  }
  tally.accepted++
  for (const feature of world.features.keys()) count(tally.features, feature)
  return opened.bench
}

/** The first thing that is wrong in a world, if any. */
export async function checkWorld(
  seed: number,
  bench: Bench,
  operations: number,
  tally: Tally,
): Promise<Failure | null> {
  const differences = checkClientSchema(bench)
  if (differences !== null) {
    const stillDiffers = async ({ world }: Case) => failsBySchema(world)
    const small = await reduceCase({ world: bench.world, operation: null }, stillDiffers)
    const text = `${describeCase(small.world, null)}\n# wrong: ${differences.rule}\n${differences.detail}`
    return { world: seed, operation: null, fault: differences, small, text }
  }
  const all = Array.from({ length: operations }, (_, index) =>
    generateOperation(bench.engine, operationSeed(seed, index)),
  )
  for (const [index, operation] of all.entries()) {
    tally.operations++
    const isSpoilt = index === 0
    const dearer = checkNaive(bench, operation)
    if (dearer !== null) tally.dearer.push(`${seed}/${index}: ${dearer}`)
    const [fault] = [
      ...(await checkOperation(bench, operation)),
      ...(isSpoilt ? await spoiltSeveralTimes(bench, operation) : []),
    ]
    if (fault === undefined) continue
    const small = await reduceCase({ world: bench.world, operation }, (candidate) =>
      failsBy(candidate, fault),
    )
    return { world: seed, operation: index, fault, small, text: await describeFailure(small, fault) }
  }
  const fault = seed % WORLDS_PER_REVERSAL === 0 ? checkOrder(bench, all) : null
  if (fault === null) return null
  const text = `${describeCase(bench.world, null)}\n# wrong: ${fault.rule}\n${fault.detail}`
  return { world: seed, operation: null, fault, small: { world: bench.world, operation: null }, text }
}

/** Composing a second time is dear. */
const WORLDS_PER_REVERSAL = 5
const SPOILT_RUNS = 4

async function spoiltSeveralTimes(bench: Bench, operation: SuiteOperation): Promise<readonly Fault[]> {
  const faults: Fault[] = []
  for (let run = 0; run < SPOILT_RUNS; run++) {
    const fault = await checkSpoilt(bench, operation, run)
    if (fault !== null) faults.push(fault)
  }
  return faults
}

/** Everything that may be wrong with an operation. */
async function faultsOf(
  bench: Bench,
  operation: SuiteOperation,
  rule: Fault['rule'],
): Promise<readonly Fault[]> {
  if (rule === 'spoilt answers') return await spoiltSeveralTimes(bench, operation)
  return await checkOperation(bench, operation)
}

export function operationSeed(world: number, index: number): number {
  return world * 1000 + index
}

function failsBySchema(world: World): boolean {
  try {
    const opened = openWorld(world)
    return opened.kind === 'opened' && checkClientSchema(opened.bench) !== null
  } catch {
    return false
  }
}

async function failsBy({ world, operation }: Case, { rule }: Fault): Promise<boolean> {
  if (operation === null) return false
  try {
    const opened = openWorld(world)
    if (opened.kind === 'refused') return false
    return (await faultsOf(opened.bench, operation, rule)).some((fault) => fault.rule === rule)
  } catch {
    // Not legal any more: the monolith's schema or the operation is not valid.
    return false
  }
}

async function describeFailure({ world, operation }: Case, { rule }: Fault): Promise<string> {
  const opened = openWorld(world)
  if (opened.kind === 'refused' || operation === null) return describeCase(world, operation)
  const faults = await faultsOf(opened.bench, operation, rule)
  const detail = faults.find((fault) => fault.rule === rule)?.detail ?? ''
  return `${describeCase(world, operation)}\n# wrong: ${rule}\n${detail}`
}
