/** One operation of one world: the engine's answer beside the monolith's, and the rules that hold whatever the answer is. */
import { compose, type CompositionError } from '../../../composition/src/index.ts'
import { dataText, explainedNulls } from '../corpus/harness/compare.ts'
import { createMonolith, type Monolith } from '../corpus/harness/monolith.ts'
import { createEngine, type SuiteEngine } from '../corpus/harness/run-engine.ts'
import { subgraphInputs, type Suite, type SuiteOperation } from '../corpus/harness/suite.ts'
import { NoCommonValue, type World, worldSuite } from './world.ts'

export type Bench = {
  readonly world: World
  readonly suite: Suite
  readonly monolith: Monolith
  readonly engine: SuiteEngine
}

export type Opened =
  | { readonly kind: 'opened'; readonly bench: Bench }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }

/** The world with everything that is needed to ask it; refused where its split is not legal. */
export function openWorld(world: World): Opened {
  let suite: Suite
  try {
    suite = worldSuite(world)
  } catch (error) {
    if (error instanceof NoCommonValue) return { kind: 'refused', code: 'NO_COMMON_VALUE', message: error.message }
    throw error
  }
  const composed = compose({ subgraphs: subgraphInputs(suite) })
  if (composed.kind === 'failed') {
    const [first] = composed.errors as readonly CompositionError[]
    return { kind: 'refused', code: first?.code ?? 'UNKNOWN', message: first?.message ?? '' }
  }
  const engine = createEngine(suite, { supergraphSdl: composed.supergraphSdl })
  return { kind: 'opened', bench: { world, suite, monolith: createMonolith(suite), engine } }
}

/** What is wrong, in words; empty when nothing is. The first word names the kind of fault. */
export async function checkOperation(
  { suite, monolith, engine }: Bench,
  operation: SuiteOperation,
): Promise<readonly string[]> {
  const oracle = await monolith.answer(operation)
  const run = await engine.run(operation)
  const faults = run.complaints.map((complaint) => `complaint: ${complaint}`)
  const expected = dataText(oracle.data, operation)
  const actual = dataText(run.result.data, operation)
  const errors = run.result.errors.map((error) => `  ${JSON.stringify(error)}`).join('\n')
  if (expected !== actual) {
    faults.push(`data: expected ${JSON.stringify(oracle.data)}\n  got      ${JSON.stringify(run.result.data)}\n${errors}`)
  } else {
    const paths = run.result.errors.map((error) => JSON.stringify(error.path ?? []))
    const wanted = explainedNulls(oracle.data, oracle.errorPaths)
    const got = explainedNulls(oracle.data, paths)
    if (JSON.stringify(wanted) !== JSON.stringify(got)) {
      faults.push(`errors: expected at ${wanted.join(' ')}\n  got ${got.join(' ')}\n${errors}`)
    }
  }
  return faults
}

/** The world and the question as a person would want to read them. */
export function describeCase(world: World, operation: SuiteOperation | null): string {
  const parts = Object.entries(world.subgraphs).map(([name, sdl]) => `# subgraph ${name}\n${sdl}`)
  const question = operation === null ? [] : [operation.query, `variables ${JSON.stringify(operation.variables ?? {})}`]
  return [...parts, `# salt ${world.salt}, failing ${world.failing}`, ...question].join('\n')
}
