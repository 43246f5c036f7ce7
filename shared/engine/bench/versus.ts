/**
 * Plans generated operations with this planner and with the one of Hive's router, and compares requests,
 * depth, cost by our function, and CPU time. See README.md.
 *
 *   node shared/engine/bench/versus.ts [--sizes 10x120,50x600,150x2000] [--operations 10000]
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { compileSupergraph, openGraph, planOperation, prepareOperation } from '../src/index.ts'
import { generateOperations } from './generated-operations.ts'
import { generateSupergraph } from './generated-supergraph.ts'
import { manyPlansOperation, manyPlansSupergraph } from './many-plans.ts'

const SEED = 20_260_101
/** Ignored by git. The package has no dependencies and no install scripts; its licence is MIT. */
const FOLDER = fileURLToPath(new URL('../../../.cache/other-planner/', import.meta.url))
const OTHER = '@graphql-hive/router-query-planner'
const VERSION = '0.0.38'

type OtherNode = {
  readonly kind: string
  readonly nodes?: readonly OtherNode[]
  readonly node?: OtherNode
}
type OtherPlanner = {
  plan(query: string, name: null, labels: Set<string>, percentage: number): { readonly node?: OtherNode }
}
type Cost = { readonly requests: number; readonly depth: number; readonly cost: number }

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10x120,50x600,150x2000' },
    operations: { type: 'string', default: '10000' },
  },
})
const Other = installed()
compare('many plans', manyPlansSupergraph(), () => Array.from({ length: 10 }, () => manyPlansOperation()))
for (const size of options.sizes.split(',')) {
  const [subgraphs = 10, types = 120] = size.split('x').map(Number)
  const sdl = generateSupergraph({ subgraphs, types, seed: SEED })
  compare(size, sdl, (graph) => generateOperations(graph, Number(options.operations), SEED))
}

/** Installs the other planner outside of the workspace. */
function installed(): new (sdl: string) => OtherPlanner {
  mkdirSync(FOLDER, { recursive: true })
  const manifest = { name: 'other-planner', private: true, dependencies: { [OTHER]: VERSION } }
  writeFileSync(`${FOLDER}package.json`, JSON.stringify(manifest))
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: FOLDER })
  const loaded: { readonly QueryPlanner: new (sdl: string) => OtherPlanner } = createRequire(FOLDER)(OTHER)
  return loaded.QueryPlanner
}

function compare(
  title: string,
  sdl: string,
  operationsOf: (graph: ReturnType<typeof openGraph>) => readonly string[],
): void {
  const [graph, ourBuild] = timed(() => openGraph(compileSupergraph(sdl)))
  const [other, otherBuild] = timed(() => new Other(sdl))
  const times = { ours: [] as number[], other: [] as number[] }
  const sums = { ours: { requests: 0, cost: 0 }, other: { requests: 0, cost: 0 } }
  const counts = { dearer: 0, cheaper: 0, unplanned: 0, otherFailed: 0 }
  let depths = [0, 0]
  for (const document of operationsOf(graph)) {
    const prepared = prepareOperation(graph, { document })
    const [plan, ourTime] = timed(() => planOperation(prepared, new Map()))
    times.ours.push(ourTime)
    if (plan.unreachable.length > 0) counts.unplanned++
    let theirs: Cost
    try {
      const [found, time] = timed(() => other.plan(document, null, new Set(), 0))
      times.other.push(time)
      theirs = costOf(found.node)
    } catch {
      counts.otherFailed++
      continue
    }
    depths = [Math.max(depths[0] ?? 0, plan.depth), Math.max(depths[1] ?? 0, theirs.depth)]
    sums.ours.requests += plan.fetches.length
    sums.ours.cost += plan.cost
    sums.other.requests += theirs.requests
    sums.other.cost += theirs.cost
    if (plan.cost > theirs.cost) {
      counts.dearer++
      console.log(`  dearer, ${plan.cost} and ${theirs.cost}: ${document.slice(0, 2000)}`)
    } else if (plan.cost < theirs.cost) counts.cheaper++
  }
  console.log(`${title}: ${JSON.stringify(counts)}`)
  for (const [index, who] of (['ours', 'other'] as const).entries())
    console.log(
      `  ${who}: ${sums[who].requests} requests, depth up to ${depths[index]}, cost ${sums[who].cost}; ` +
        `CPU ms to build ${(who === 'ours' ? ourBuild : otherBuild).toFixed(0)}, to plan ${percentiles(times[who])}`,
    )
}

/** Adds up the cost of another plan by our function. Its sequences wait for all that comes before. */
function costOf(root: OtherNode | undefined): Cost {
  let requests = 0
  let depth = 0
  let cost = 0
  const walk = (node: OtherNode, level: number): number => {
    if (node.kind === 'Sequence') return (node.nodes ?? []).reduce((at, one) => walk(one, at), level)
    if (node.kind === 'Parallel') return Math.max(...(node.nodes ?? []).map((one) => walk(one, level)))
    if (node.kind === 'Flatten' && node.node !== undefined) return walk(node.node, level)
    if (node.kind !== 'Fetch' && node.kind !== 'BatchFetch') throw new RangeError(`A node ${node.kind}.`)
    requests++
    depth = Math.max(depth, level + 1)
    cost += 1000 + 100 * level
    return level + 1
  }
  if (root !== undefined) walk(root, 0)
  return { requests, depth, cost }
}

function timed<Result>(work: () => Result): readonly [Result, number] {
  const before = process.cpuUsage()
  const result = work()
  const { user, system } = process.cpuUsage(before)
  return [result, (user + system) / 1000]
}

function percentiles(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return `p50 ${at(0.5).toFixed(2)}  p99 ${at(0.99).toFixed(2)}  max ${at(1).toFixed(2)}`
}
