/**
 * Measures the CPU time of answers in parts, compared with ordinary ones. See README.md.
 *
 *   node services/router/bench/deferred-cost.ts [--rounds 40] [--milliseconds 100] [--against <work tree>]
 *   [--only <name>] [--sleep]
 */
import { benchOptions } from './bench-options.ts'
import { ask, repeat } from './load.ts'
import type { MeasuredProcess } from './measured-process.ts'
import { alternate, median, medianRatio, row, Warehouse } from './warehouse.ts'

const LIMIT = 1.3

const options = benchOptions({ rounds: 40, milliseconds: 100, against: null, only: '', sleep: false })
const { rounds, milliseconds } = options

/** Operations whose deferred fields belong to another subgraph, unless the name says otherwise. */
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

await using warehouse = await Warehouse.open({ polls: !options.sleep })
const { subgraphs } = warehouse
const deferring = await startRouter(HERE, true)
const operations = Object.entries(OPERATIONS).filter(([name]) => name.includes(options.only))
if (options.against === null) await compareWithPlain()
else await compareWith(new URL(`file://${options.against}/`))

/**
 * Every fragment costs at least what a further call costs: something is sent and something comes back. So the
 * limit is 1.3 × (plain + fragments × the cost of a bare call); the stricter ratio counts only calls that the
 * plan has more.
 */
async function compareWithPlain(): Promise<void> {
  const caller = await warehouse.start(new URL('caller.ts', import.meta.url))
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
    const works = [
      { process: deferring, work: (count: number) => askMany(deferring, plain, count) },
      { process: deferring, work: (count: number) => askMany(deferring, query, count) },
      { process: caller, work: call },
    ]
    const spent = await alternate(works, { rounds, milliseconds })
    const [undeferred = [], deferred = [], bare = []] = spent
    const ratio = (further: number) =>
      medianRatio(
        deferred,
        undeferred.map((cost, round) => cost + further * (bare[round] ?? Number.NaN)),
      ).toFixed(2)
    const fragments = query.split('@defer').length - 1
    const further = Math.max(0, after.length - before.length)
    const costs = spent.map((each) => median(each).toFixed(1))
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
    const spent = await alternate(works, { rounds, milliseconds })
    const [first = [], ...others] = spent
    const costs = spent.map((each) => median(each).toFixed(1))
    console.log(row([name, ...costs, ...others.map((each) => medianRatio(each, first).toFixed(2))]))
  }
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

function startRouter(tree: URL, enableDefer: boolean): Promise<MeasuredProcess> {
  return warehouse.startRouter(tree, { ENGINE_ENABLE_DEFER: String(enableDefer) })
}
