/**
 * What answers in parts cost beside ordinary ones. See README.md.
 *
 *   node services/router/bench/deferred-cost.ts [--rounds 25] [--milliseconds 200] [--against <work tree>] [--only <name>]
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ask, repeat } from './load.ts'
import { MeasuredProcess } from './measured-process.ts'

const LIMIT = 1.3
/** Answers until code is compiled, and long enough to tell how many fit into a round. */
const WARM_UP = 1_000

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '25' },
    milliseconds: { type: 'string', default: '200' },
    against: { type: 'string' },
    only: { type: 'string', default: '' },
  },
})
const rounds = Number(options.rounds)
const milliseconds = Number(options.milliseconds)

/** What is deferred is asked of another subgraph but where the name says otherwise. */
const OPERATIONS: Readonly<Record<string, string>> = {
  'one product': '{ item { id name ...@defer { count } } }',
  'one product, same subgraph': '{ item { id name ...@defer { color } } }',
  'list of 100': '{ items { id name ...@defer { count } } }',
  'nested, one product': '{ item { id name ...@defer { count ...@defer { stars } } } }',
  'nested, list of 100': '{ items { id name ...@defer { count ...@defer { stars } } } }',
  'three, one product': '{ item { id ...@defer { count } ...@defer { stars } ...@defer { color } } }',
  'three, list of 100': '{ items { id ...@defer { count } ...@defer { stars } ...@defer { color } } }',
}

const HERE = new URL('../../..', import.meta.url)

await using stack = new AsyncDisposableStack()
const directory = await mkdtemp(join(tmpdir(), 'switchyard-bench-'))
stack.defer(() => rm(directory, { recursive: true }))
const subgraphs = stack.use(await MeasuredProcess.start(new URL('subgraphs.ts', import.meta.url)))
await writeSupergraph()
const deferring = await startRouter(HERE, true)
const operations = Object.entries(OPERATIONS).filter(([name]) => name.includes(options.only))
if (options.against === undefined) await compareWithPlain()
else await compareWith(new URL(`file://${options.against}/`))

/**
 * Every fragment costs at least what a further call costs: something is sent and something comes back. So the limit is
 * 1.3 × (plain + fragments × the cost of a bare call); the stricter ratio counts only calls that the plan has more.
 */
async function compareWithPlain(): Promise<void> {
  const caller = stack.use(await MeasuredProcess.start(new URL('caller.ts', import.meta.url)))
  for (const [, query] of operations) await askMany(deferring, query, WARM_UP)
  console.log(
    `CPU per answer of the router in µs, medians of ${rounds} rounds; limit of the ratios: ${LIMIT}`,
  )
  console.log(row(['operation', 'plain', 'deferred', 'bare call', 'fragments', 'ratio', 'calls', 'ratio']))
  for (const [name, query] of operations) {
    const plain = query.replaceAll('@defer', '')
    const before = await callsFor(plain)
    const after = await callsFor(query)
    const request = after.at(-1) ?? ''
    const call = (count: number) => caller.tell({ url: subgraphs.url, request, count })
    const [undeferred = 0, deferred = 0, bare = 0] = await alternate([
      { process: deferring, work: (count) => askMany(deferring, plain, count) },
      { process: deferring, work: (count) => askMany(deferring, query, count) },
      { process: caller, work: call },
    ])
    const ratio = (further: number) => (deferred / (undeferred + further * bare)).toFixed(2)
    const fragments = query.split('@defer').length - 1
    const further = Math.max(0, after.length - before.length)
    const costs = [undeferred, deferred, bare].map((cost) => cost.toFixed(1))
    console.log(row([name, ...costs, `${fragments}`, ratio(fragments), `+${further}`, ratio(further)]))
  }
}

/** Operations without `@defer`, on another version of the router and on this one. */
async function compareWith(other: URL): Promise<void> {
  const before = await startRouter(other, false)
  const off = await startRouter(HERE, false)
  console.log('CPU per answer without @defer in µs, medians of', rounds, 'rounds')
  console.log(row(['operation', 'other', 'defer off', 'defer on', 'off/other', 'on/other']))
  for (const [name, query] of operations) {
    const plain = query.replaceAll('@defer', '')
    const works = [before, off, deferring].map((process) => ({
      process,
      work: (count: number) => askMany(process, plain, count),
    }))
    const [a = 0, b = 0, c = 0] = await alternate(works)
    console.log(row([name, a.toFixed(1), b.toFixed(1), c.toFixed(1), (b / a).toFixed(2), (c / a).toFixed(2)]))
  }
}

type Measured = { readonly process: MeasuredProcess; readonly work: (count: number) => Promise<unknown> }

/** CPU microseconds of each of some works, which take turns: what disturbs one disturbs all. */
async function alternate(works: readonly Measured[]): Promise<readonly number[]> {
  const counts: number[] = []
  for (const { work } of works) {
    await work(WARM_UP)
    const started = performance.now()
    await work(WARM_UP)
    counts.push(Math.ceil((WARM_UP * milliseconds) / (performance.now() - started)))
  }
  const spent: number[][] = works.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, { process, work }] of works.entries()) {
      const count = counts[index] ?? 1
      const before = await process.cpu()
      await work(count)
      spent[index]?.push(((await process.cpu()) - before) / count)
    }
  }
  return spent.map(median)
}

/** The requests that the subgraphs get for one answer, which is checked: what fails is cheap. */
async function callsFor(query: string): Promise<readonly string[]> {
  await subgraphs.tell('forget')
  const answer = await ask(`${deferring.url}/graphql`, JSON.stringify({ query }))
  if (answer.includes('"errors"')) throw new Error(`${query} was answered with errors: ${answer}`)
  const requests = await subgraphs.tell('requests')
  return Array.isArray(requests) ? requests.map(String) : []
}

function askMany(router: MeasuredProcess, query: string, count: number): Promise<void> {
  const body = JSON.stringify({ query })
  return repeat(count, () => ask(`${router.url}/graphql`, body))
}

async function startRouter(tree: URL, enableDefer: boolean): Promise<MeasuredProcess> {
  const router = await MeasuredProcess.start(new URL('services/router/src/main.ts', tree), {
    SWITCHYARD_SUPERGRAPH: join(directory, 'supergraph.graphql'),
    SWITCHYARD_LOG_LEVEL: 'warn',
    ENGINE_ENABLE_DEFER: String(enableDefer),
  })
  return stack.use(router)
}

async function writeSupergraph(): Promise<void> {
  const fixture = new URL('../test/fixtures/supergraph-warehouse.graphql', import.meta.url)
  const sdl = (await readFile(fixture, 'utf8')).replaceAll(/http:\/\/\w+\.invalid\/graphql/g, subgraphs.url)
  await writeFile(join(directory, 'supergraph.graphql'), sdl)
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

function row([name = '', ...cells]: readonly string[]): string {
  return `${name.padEnd(28)}${cells.map((cell) => cell.padStart(11)).join('')}`
}
