/**
 * Measures what planning costs on generated supergraphs. See README.md.
 *
 *   node shared/engine/bench/planning.ts [--sizes 10x120,50x600,150x2000] [--operations 400] [--warm-up 400]
 *   [--runs 5]
 */
import { parseArgs } from 'node:util'
import {
  compileSupergraph,
  type Graph,
  openGraph,
  type Operation,
  planOperation,
  prepareOperation,
} from '../src/index.ts'
import { generateOperations } from './generated-operations.ts'
import { generateSupergraph } from './generated-supergraph.ts'

const SEED = 20_260_101

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10x120,50x600,150x2000' },
    operations: { type: 'string', default: '400' },
    'warm-up': { type: 'string', default: '400' },
    runs: { type: 'string', default: '5' },
  },
})

type Times = { readonly p50: number; readonly p90: number; readonly p99: number; readonly max: number }
type Run = {
  readonly first: Times
  readonly again: Times
  readonly stepsPerMs: number
  readonly mostSteps: number
  readonly fetches: number
  readonly unreachable: number
}

for (const size of options.sizes.split(',')) {
  const [subgraphs = 10, types = 120] = size.split('x').map(Number)
  const sdl = generateSupergraph({ subgraphs, types, seed: SEED })
  const compiled = compileSupergraph(sdl)
  const count = Number(options.operations)
  const open = () => openGraph(compiled)
  const warmUp = Number(options['warm-up'])
  const prepared = prepareAll(open(), count + warmUp)
  const runs = Array.from({ length: Number(options.runs) }, () => run(open(), prepared, warmUp))
  report(
    `${subgraphs} subgraphs, ${types} types (${Math.round(sdl.length / 1024)} KiB), ${count} operations`,
    runs,
  )
}

function prepareAll(graph: Graph, count: number): readonly Operation[] {
  return generateOperations(graph, count, SEED).map((document) => prepareOperation(graph, { document }))
}

/**
 * On a graph nothing was planned on yet; the first ones warm up: the code, and facts about the graph as far
 * as they went.
 */
function run(graph: Graph, prepared: readonly Operation[], unmeasured: number): Run {
  const warmUp = prepared.slice(0, unmeasured)
  const measured = prepared.slice(unmeasured)
  for (const operation of warmUp) planOperation(operation, new Map())
  let steps = 0
  let mostSteps = 0
  let fetches = 0
  let unreachable = 0
  const onSteps = (taken: number) => {
    steps += taken
    mostSteps = Math.max(mostSteps, taken)
  }
  const pass = (): readonly number[] =>
    measured.map((operation) => {
      const before = process.cpuUsage()
      const plan = planOperation(operation, new Map(), { onSteps })
      const { user, system } = process.cpuUsage(before)
      fetches += plan.fetches.length
      unreachable += plan.unreachable.length
      return (user + system) / 1000
    })
  const first = pass()
  const spent = first.reduce((sum, time) => sum + time, 0)
  const facts = { stepsPerMs: steps / spent, mostSteps: Math.round(mostSteps), fetches, unreachable }
  return { first: percentiles(first), again: percentiles(pass()), ...facts }
}

function percentiles(times: readonly number[]): Times {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) }
}

function report(title: string, runs: readonly Run[]): void {
  const median = (value: (run: Run) => number): number =>
    runs.map(value).sort((a, b) => a - b)[Math.floor(runs.length / 2)] ?? 0
  const line = (pass: 'first' | 'again') =>
    (['p50', 'p90', 'p99', 'max'] as const)
      .map((name) => `${name} ${median((run) => run[pass][name]).toFixed(2)}`)
      .join('  ')
  const [one] = runs
  console.log(title)
  console.log(`  planned for the first time, CPU ms: ${line('first')}`)
  console.log(`  planned again, CPU ms:              ${line('again')}`)
  console.log(
    `  ${Math.round(median((run) => run.stepsPerMs))} steps per ms, most steps ${one?.mostSteps}, ` +
      `${((one?.fetches ?? 0) / 2 / Number(options.operations)).toFixed(1)} fetches per plan, ${one?.unreachable} fields unreachable`,
  )
}
