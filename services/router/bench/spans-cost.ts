/**
 * Measures the cost of OpenTelemetry's spans for a request: without an exporter, with one that samples 1 %,
 * and with one that exports all. See README.md.
 *
 *   node services/router/bench/spans-cost.ts [--rounds 40] [--milliseconds 100] [--against <work tree>]
 *   [--sleep]
 *
 * `--against`: without an exporter, on another version of the router and on this one.
 */
import { startCollector } from '@switchyard/testkit'
import { benchOptions } from './bench-options.ts'
import { ask, repeat } from './load.ts'
import type { MeasuredProcess } from './measured-process.ts'
import { alternate, median, medianRatio, row, Warehouse } from './warehouse.ts'

const options = benchOptions({ rounds: 40, milliseconds: 100, against: null, sleep: false })
const QUERY = '{ item { id name color } }'
const HERE = new URL('../../..', import.meta.url)

await using warehouse = await Warehouse.open({ polls: !options.sleep })
await using collector = await startCollector()
/** Metrics would be kept by the one that is first at their port. */
const OFF = { SWITCHYARD_METRICS_PORT: '0' }
const exporting = (ratio: string) => ({
  ...OFF,
  OTEL_TRACES_EXPORTER: 'otlp',
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
  OTEL_TRACES_SAMPLER_ARG: ratio,
})
const routers =
  options.against === null
    ? new Map([
        ['off', await warehouse.startRouter(HERE, OFF)],
        ['1 %', await warehouse.startRouter(HERE, exporting('0.01'))],
        ['all', await warehouse.startRouter(HERE, exporting('1'))],
        ['off again', await warehouse.startRouter(HERE, OFF)],
      ])
    : new Map([
        ['other', await warehouse.startRouter(new URL(`file://${options.against}/`), OFF)],
        ['this', await warehouse.startRouter(HERE, OFF)],
        ['other again', await warehouse.startRouter(new URL(`file://${options.against}/`), OFF)],
      ])
const works = [...routers.values()].map((process) => ({
  process,
  work: (count: number) => repeat(count, () => askOne(process)),
}))
const spent = await alternate(works, {
  rounds: options.rounds,
  milliseconds: options.milliseconds,
})
const [first = []] = spent
console.log(`CPU per small answer in µs, medians of ${options.rounds} rounds in turns`)
console.log(row([...routers.keys()]))
console.log(row(spent.map((each) => median(each).toFixed(1))))
console.log(row(spent.map((each) => medianRatio(each, first).toFixed(2))))
console.log(`${collector.spans.length} spans were exported`)

function askOne(router: MeasuredProcess): Promise<string> {
  return ask(`${router.url}/graphql`, JSON.stringify({ query: QUERY }), {})
}
