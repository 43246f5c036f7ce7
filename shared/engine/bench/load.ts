/**
 * Measures what it costs to load a generated supergraph: compiling it in a thread, and adopting it in the
 * thread that serves. The serving thread never works longer than a few milliseconds without letting others
 * run. This benchmark measures the processor time of the longest such turn, next to opening the same graph in
 * one go.
 *
 *   node shared/engine/bench/load.ts [--sizes 10x120,50x600,150x2000] [--runs 5]
 */
import { setImmediate } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import {
  buffersOf,
  compileSupergraph,
  cutGraph,
  type GraphPieces,
  joinGraph,
  openGraph,
  prepareOperation,
} from '../src/index.ts'
import { generateSupergraph } from './generated-supergraph.ts'

const SEED = 20_260_101
const TURN_MS = 5

type Compiled = { readonly pieces: GraphPieces; readonly milliseconds: number }
type Run = {
  readonly compiling: number
  readonly adopting: number
  readonly longestTurn: number
  readonly atOnce: number
}

async function main(): Promise<void> {
  const { values: options } = parseArgs({
    options: {
      sizes: { type: 'string', default: '10x120,50x600,150x2000' },
      runs: { type: 'string', default: '5' },
    },
  })
  const worker = new Worker(new URL(import.meta.url))
  for (const size of options.sizes.split(',')) {
    const [subgraphs = 10, types = 120] = size.split('x').map(Number)
    const sdl = described(generateSupergraph({ subgraphs, types, seed: SEED }))
    const runs: Run[] = []
    for (let count = Number(options.runs); count > 0; count--) runs.push(await run(worker, sdl))
    report(`${subgraphs} subgraphs, ${types} types (${Math.round(sdl.length / 1024)} KiB)`, runs)
  }
  await worker.terminate()
}

/** Half of a real supergraph is what people wrote for each other. */
function described(sdl: string): string {
  return sdl.replaceAll(
    /^ {2}(?=\w+[(:])/gm,
    '  """What clients should know: where it comes from, when it is null."""\n  ',
  )
}

function compileHere(sdl: string): void {
  const started = process.threadCpuUsage()
  const pieces = cutGraph(compileSupergraph(sdl))
  const answer: Compiled = { pieces, milliseconds: since(started) }
  parentPort?.postMessage(answer, buffersOf(pieces))
}

async function run(worker: Worker, sdl: string): Promise<Run> {
  const answered = new Promise<Compiled>((resolve) => {
    worker.once('message', resolve)
  })
  worker.postMessage(sdl, [])
  const { pieces, milliseconds: compiling } = await answered

  const turns = new Turns()
  const compiled = await joinGraph(pieces, turns.pause)
  const graph = openGraph(compiled)
  await turns.next()
  prepareOperation(graph, { document: '{ __typename }' })
  await turns.next()
  return { compiling, adopting: turns.total, longestTurn: turns.longest, atOnce: await adoptedAtOnce(pieces) }
}

async function adoptedAtOnce(pieces: GraphPieces): Promise<number> {
  const started = process.threadCpuUsage()
  const graph = openGraph(await joinGraph(pieces, () => undefined))
  prepareOperation(graph, { document: '{ __typename }' })
  return since(started)
}

class Turns {
  longest = 0
  total = 0
  #started = process.threadCpuUsage()
  #began = performance.now()

  readonly pause = (): Promise<void> | undefined =>
    performance.now() - this.#began < TURN_MS ? undefined : this.next()

  async next(): Promise<void> {
    const took = since(this.#started)
    this.total += took
    this.longest = Math.max(this.longest, took)
    await setImmediate()
    this.#started = process.threadCpuUsage()
    this.#began = performance.now()
  }
}

function since(started: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(started)
  return (user + system) / 1000
}

function report(title: string, runs: readonly Run[]): void {
  const median = (value: (run: Run) => number) =>
    (runs.map(value).sort((a, b) => a - b)[Math.floor(runs.length / 2)] ?? 0).toFixed(1)
  console.log(title)
  console.log(`  compiling, in a thread of its own  ${median((run) => run.compiling)} ms`)
  console.log(`  adopting, all turns                ${median((run) => run.adopting)} ms`)
  console.log(`  the longest turn                   ${median((run) => run.longestTurn)} ms`)
  console.log(`  adopting at one go instead         ${median((run) => run.atOnce)} ms`)
}

if (isMainThread) await main()
else parentPort?.on('message', (sdl: string) => compileHere(sdl))
