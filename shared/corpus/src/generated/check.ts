/**
 * One operation of one world: the engine's answer beside the monolith's, and the rules that hold whatever the
 * answer is.
 */
import { compose } from '@switchyard/composition'
import { findSchemaChanges } from 'graphql'
import { type Plan, prepareOperation } from '@switchyard/engine'
import { dataText, explainedNulls } from '../harness/compare.ts'
import { createMonolith, type Monolith } from '../harness/monolith.ts'
import { createEngine, type SuiteEngine } from '../harness/run-engine.ts'
import { subgraphInputs, type Suite, type SuiteOperation } from '../harness/suite.ts'
import { naiveRequestCount } from '../naive/naive-planner.ts'
import { withoutSkipped } from '@switchyard/samples'
import { NoCommonValue, type World, worldSuite } from './world.ts'

export type Bench = {
  readonly world: World
  readonly suite: Suite
  readonly supergraphSdl: string
  readonly monolith: Monolith
  readonly engine: SuiteEngine
}

export type Opened =
  | { readonly kind: 'opened'; readonly bench: Bench }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }

/** A broken rule. Its name stays the same while the case is made smaller. */
export type Fault = { readonly rule: Rule; readonly detail: string }

export type Rule =
  | 'client schema'
  | 'crash'
  | 'data'
  | 'errors'
  | 'order of definitions'
  | 'skipped parts'
  | 'spoilt answers'
  | 'subgraph rules'

/** The world with everything that is needed to ask it; refused where its split is not legal. */
export function openWorld(world: World): Opened {
  let suite: Suite
  try {
    suite = worldSuite(world)
  } catch (error) {
    if (error instanceof NoCommonValue)
      return { kind: 'refused', code: 'NO_COMMON_VALUE', message: error.message }
    throw error
  }
  const composed = compose({ subgraphs: subgraphInputs(suite) })
  if (composed.kind === 'failed') {
    const [first] = composed.errors
    return { kind: 'refused', code: first?.code ?? 'UNKNOWN', message: first?.message ?? '' }
  }
  const { supergraphSdl } = composed
  const engine = createEngine(suite, { supergraphSdl })
  return { kind: 'opened', bench: { world, suite, supergraphSdl, monolith: createMonolith(suite), engine } }
}

/** Clients see what the split was made from. */
export function checkClientSchema({ monolith, engine }: Bench): Fault | null {
  const changes = [
    ...findSchemaChanges(monolith.schema, engine.schema),
    ...findSchemaChanges(engine.schema, monolith.schema),
  ]
  if (changes.length === 0) return null
  return { rule: 'client schema', detail: changes.map(({ description }) => description).join('\n') }
}

export async function checkOperation(bench: Bench, operation: SuiteOperation): Promise<readonly Fault[]> {
  const oracle = await bench.monolith.answer(operation)
  try {
    const run = await bench.engine.run(operation)
    const faults: Fault[] = []
    if (run.complaints.length > 0) faults.push({ rule: 'subgraph rules', detail: run.complaints.join('\n') })
    const errors = run.result.errors.map((error) => `\n  ${JSON.stringify(error)}`).join('')
    if (dataText(oracle.data, operation) !== dataText(run.result.data, operation)) {
      const [expected, actual] = [oracle.data, run.result.data].map((data) => JSON.stringify(data))
      faults.push({ rule: 'data', detail: `expected ${expected}\ngot      ${actual}${errors}` })
    } else {
      const paths = run.result.errors.map((error) => JSON.stringify(error.path ?? []))
      const expected = explainedNulls(oracle.data, oracle.errorPaths).join(' ')
      const actual = explainedNulls(oracle.data, paths).join(' ')
      if (expected !== actual) {
        faults.push({ rule: 'errors', detail: `expected ${expected}\ngot      ${actual}${errors}` })
      }
    }
    return [...faults, ...checkSkipped(bench, operation, run.plan)]
  } catch (error) {
    return [
      { rule: 'crash', detail: error instanceof Error ? (error.stack ?? error.message) : String(error) },
    ]
  }
}

/** Checks that skipped selections cost nothing: the plan must be the one of the operation without them. */
function checkSkipped({ engine }: Bench, operation: SuiteOperation, plan: Plan): readonly Fault[] {
  const decided = withoutSkipped(operation)
  if (decided === null) return []
  const [expected, actual] = [engine.plan(decided), plan].map((some) => JSON.stringify(requestsOf(some)))
  return expected === actual
    ? []
    : [{ rule: 'skipped parts', detail: `without them ${expected}\nwith them    ${actual}` }]
}

/** Checks that the order of subgraphs and definitions does not change the requests of a plan. */
export function checkOrder({ suite, engine }: Bench, operations: readonly SuiteOperation[]): Fault | null {
  const reversed = createEngine(suite, { reversed: true })
  for (const operation of operations) {
    const [expected, actual] = [engine, reversed].map((some) =>
      JSON.stringify(requestsOf(some.plan(operation))),
    )
    if (expected !== actual) {
      const detail = `${operation.query}\nas written ${expected}\nreversed   ${actual}`
      return { rule: 'order of definitions', detail }
    }
  }
  return null
}

/** Subgraph, document and order of what a plan asks for. */
export function requestsOf(plan: Plan): readonly unknown[] {
  return plan.fetches.map(({ subgraph, document, variables, after }) => [
    subgraph,
    document,
    variables,
    after,
  ])
}

/** Null where the plan asks no more often than a planner that never looks for a better way. */
export function checkNaive({ engine }: Bench, operation: SuiteOperation): string | null {
  const prepared = prepareOperation(engine.graph, { document: operation.query })
  const variables = prepared.coerceVariables({ ...operation.variables })
  const naive = naiveRequestCount(engine.graph, prepared, variables, new Set(operation.labels))
  const { length } = engine.plan(operation).fetches
  if (naive === null || length <= naive) return null
  return `the naive planner asks ${naive} times, the plan ${length} times`
}

/** The world and the question as a person would want to read them. */
export function describeCase(world: World, operation: SuiteOperation | null): string {
  const parts = Object.entries(world.subgraphs).map(([name, sdl]) => `# subgraph ${name}\n${sdl}`)
  const question =
    operation === null
      ? []
      : [
          operation.query,
          `# variables ${JSON.stringify(operation.variables ?? {})}, labels ${JSON.stringify(operation.labels ?? [])}`,
        ]
  return [...parts, `# salt ${world.salt}, failing ${world.failing}`, ...question].join('\n')
}
