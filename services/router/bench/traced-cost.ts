/**
 * Measures the cost of a trace for a request that asks for one, and for a request that does not. See
 * README.md.
 *
 *   node services/router/bench/traced-cost.ts [--rounds 40] [--milliseconds 100] [--against <work tree>]
 *   [--only <name>] [--sleep]
 */
import { benchOptions } from './bench-options.ts'
import { ask, repeat } from './load.ts'
import type { MeasuredProcess } from './measured-process.ts'
import { alternate, median, medianRatio, row, Warehouse } from './warehouse.ts'

const LIMIT_ASKED = 2
const LIMIT_NOT_ASKED = 1.05

const options = benchOptions({ rounds: 40, milliseconds: 100, against: null, only: '', sleep: false })
const { rounds, milliseconds } = options

/** Each asks for what its name says: what is shown of it in a trace is about as much. */
const OPERATIONS: Readonly<Record<string, string>> = {
  'small answer': '{ item { id name color } }',
  '8 KB answer': '{ items { id name color again: name hue: color } }',
  'list of 100, entity hop': '{ items { id name count } }',
}
/** Headers of a request in production: with credentials, which must be found wherever they went. */
const HEADERS = {
  authorization: 'Bearer 0a1b2c3d4e5f60718293a4b5c6d7e8f9',
  'x-api-key': 'key-of-a-client-17',
}

const HERE = new URL('../../..', import.meta.url)

await using warehouse = await Warehouse.open({ polls: !options.sleep })
const operations = Object.entries(OPERATIONS).filter(([name]) => name.includes(options.only))
if (options.against === null) await compareWithUntraced()
else await compareWith(new URL(`file://${options.against}/`))

async function compareWithUntraced(): Promise<void> {
  const router = await warehouse.startRouter(HERE, { DEV_MODE: 'true' })
  console.log(
    `CPU per answer of the router in µs, medians of ${rounds} rounds; limit of the ratio: ${LIMIT_ASKED}`,
  )
  console.log(row(['operation', 'bytes', 'traced', 'CPU', 'traced', 'ratio']))
  for (const [name, query] of operations) {
    const sizes = [await sizeOf(router, query, false), await sizeOf(router, query, true)]
    const spent = await alternate(
      [false, true].map((traced) => ({
        process: router,
        work: (count: number) => askMany(router, query, count, traced),
      })),
      { rounds, milliseconds },
    )
    const [untraced = [], traced = []] = spent
    const costs = spent.map((each) => median(each).toFixed(1))
    console.log(row([name, ...sizes.map(String), ...costs, medianRatio(traced, untraced).toFixed(2)]))
  }
}

/**
 * Requests that ask for no trace, on another version of the router and on this one, where everybody may. A
 * second router of the other version shows what the measurement makes of no difference.
 */
async function compareWith(other: URL): Promise<void> {
  const before = await warehouse.startRouter(other, { DEV_MODE: 'true' })
  const after = await warehouse.startRouter(HERE, { DEV_MODE: 'true' })
  const again = await warehouse.startRouter(other, { DEV_MODE: 'true' })
  console.log(
    `CPU per answer without a trace in µs, ${rounds} rounds in turns; limit of the median ratio: ${LIMIT_NOT_ASKED}`,
  )
  console.log(row(['operation', 'other', 'this', 'other', 'ratio', 'no change']))
  for (const [name, query] of operations) {
    const works = [before, after, again].map((process) => ({
      process,
      work: (count: number) => askMany(process, query, count, false),
    }))
    const spent = await alternate(works, { rounds, milliseconds })
    const [first = [], ...others] = spent
    const costs = spent.map((each) => median(each).toFixed(1))
    console.log(row([name, ...costs, ...others.map((each) => medianRatio(each, first).toFixed(2))]))
  }
}

/** Bytes of an answer, which is checked: what fails is cheap. */
async function sizeOf(router: MeasuredProcess, query: string, traced: boolean): Promise<number> {
  const answer = await askOne(router, query, traced)
  if (answer.includes('"errors"')) throw new Error(`${query} was answered with errors: ${answer}`)
  if (answer.includes('"trace"') !== traced) throw new Error(`${query} was answered so: ${answer}`)
  return Buffer.byteLength(answer)
}

function askMany(router: MeasuredProcess, query: string, count: number, traced: boolean): Promise<void> {
  return repeat(count, () => askOne(router, query, traced))
}

function askOne(router: MeasuredProcess, query: string, traced: boolean): Promise<string> {
  const headers = traced ? { ...HEADERS, 'x-vendor-trace': 'true' } : HEADERS
  return ask(`${router.url}/graphql`, JSON.stringify({ query }), headers)
}
