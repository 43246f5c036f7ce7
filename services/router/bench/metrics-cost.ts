/**
 * Measures the share of a router's CPU that keeping metrics takes, by a profile of one router that answers
 * small requests. Two processes differ by more than that share on a machine that does other things as well.
 * See README.md.
 *
 *   node services/router/bench/metrics-cost.ts [--requests 20000] [--tree <work tree, installed>]
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@switchyard/testkit'
import { benchOptions } from './bench-options.ts'
import { ask, repeat } from './load.ts'
import { row, Warehouse } from './warehouse.ts'

/** Percent. */
const LIMIT = 2
/** Requests before the router is taken as it is in the long run. */
const WARM_UP = 10_000
/** Matches the sources that keep metrics: the package of OpenTelemetry, and ours. */
const METRICS = /sdk-metrics|exporter-prometheus|service-kit\/src\/metrics\/|request-phases|perf_hooks/
/** Done once, at the start. */
const START = /^(?:startWithMetrics|startMetrics)$/

type Frame = { readonly functionName: string; readonly url: string }
type Profile = {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: Frame
    readonly children?: readonly number[]
  }[]
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

type Shares = {
  /** Microseconds in which something was done. */
  readonly total: number
  /** Times below functions of metrics, by the outermost such function. */
  readonly byName: ReadonlyMap<string, number>
}

const options = benchOptions({ requests: 20_000, tree: null })
const tree = options.tree === null ? new URL('../../..', import.meta.url) : new URL(`file://${options.tree}/`)

const directory = await mkdtemp(join(tmpdir(), 'switchyard-profile-'))
try {
  await profileRouter()
  report(await mainThread())
} finally {
  await rm(directory, { recursive: true })
}

/** Its processes are told to write profiles by the options of this one. */
async function profileRouter(): Promise<void> {
  process.execArgv.push('--cpu-prof', `--cpu-prof-dir=${directory}`, '--cpu-prof-interval=200')
  await using warehouse = await Warehouse.open({ polls: false })
  const router = await warehouse.startRouter(tree, { SWITCHYARD_METRICS_PORT: String(await freePort()) })
  const body = JSON.stringify({ query: '{ item { id name } }' })
  const one = () => ask(`${router.url}/graphql`, body)
  await repeat(WARM_UP, one)
  const before = await router.cpu()
  const count = options.requests
  await repeat(count, one)
  const cpu = ((await router.cpu()) - before) / count
  console.log(`${count} small answers, ${cpu.toFixed(1)} µs of CPU each, with the profiler`)
}

/**
 * Returns the shares of the router's main thread, which has been busy for longer than the thread that
 * compiled its graph.
 */
async function mainThread(): Promise<Shares> {
  const threads: Shares[] = []
  for (const file of await readdir(directory)) {
    const profile: Profile = JSON.parse(await readFile(join(directory, file), 'utf8'))
    if (profile.nodes.some(({ callFrame }) => callFrame.url.includes('/services/router/src/')))
      threads.push(sharesOf(profile))
  }
  const [busiest] = threads.toSorted((a, b) => b.total - a.total)
  if (busiest === undefined) throw new Error('the router wrote no profile')
  return busiest
}

function report({ total, byName }: Shares): void {
  const sum = [...byName.values()].reduce((all, one) => all + one, 0)
  const percent = (time: number): string => `${((100 * time) / total).toFixed(2)} %`
  for (const [name, time] of [...byName].toSorted(([, a], [, b]) => b - a).slice(0, 10))
    console.log(row([name, percent(time)]))
  console.log(row([`all of metrics; limit ${LIMIT} %`, percent(sum)]))
}

function sharesOf({ nodes, samples, timeDeltas }: Profile): Shares {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])))
  const byName = new Map<string, number>()
  let total = 0
  for (const [index, sample] of samples.entries()) {
    const { functionName = '' } = frames.get(sample) ?? {}
    const time = timeDeltas[index] ?? 0
    if (functionName === '(idle)' || functionName === '(program)') continue
    const name = metricsFunction(sample, frames, parents)
    if (name === 'at the start') continue
    total += time
    if (name !== null) byName.set(name, (byName.get(name) ?? 0) + time)
  }
  return { total, byName }
}

/** Returns the name of the metrics function on the stack of the sample, or null if there is none. */
function metricsFunction(
  sample: number,
  frames: ReadonlyMap<number, Frame>,
  parents: ReadonlyMap<number, number>,
): string | null {
  let found: string | null = null
  for (let id: number | undefined = sample; id !== undefined; id = parents.get(id)) {
    const { functionName = '', url = '' } = frames.get(id) ?? {}
    if (START.test(functionName)) return 'at the start'
    if (METRICS.test(url)) found = functionName === '' ? 'without a name' : functionName
  }
  return found
}
