/**
 * Measures what clients notice of answers that are compared: two routers in processes of their own, one with
 * a rollout of mode `shadow` and one without, are asked the same in pairs, in turns. See README.md.
 *
 *   node services/router/bench/shadow-cost.ts [--pairs 3000] [--percent 100] [--every 4]
 *
 * `--every`: milliseconds from one pair to the next. With 0, the next pair begins when the one before is
 * answered, so that comparisons of one request meet the next one.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { benchOptions } from './bench-options.ts'
import { ask } from './load.ts'
import { ConfigWorld } from '../test/support/config-world.ts'
import { rollout } from '../test/support/rollouts.ts'
import { type RouterProcess, startRouterProcess } from '../test/support/router-process.ts'
import { startShop } from '../test/support/shop.ts'

const options = benchOptions({ pairs: 3000, percent: 100, every: 4 })
const WARM_UP = 500
const QUERIES = [
  '{ topProducts { upc name price } }',
  '{ topProducts { upc name reviews { id body } } version }',
]

await using shop = await startShop()
await using plainWorld = await ConfigWorld.create()
await using shadowWorld = await ConfigWorld.create()
const graph = { revision: 1, base: shop.base, flags: { next: shop.flag } }
await plainWorld.publish(graph)
const shadow = rollout({ name: 'compare', mode: 'shadow', percent: options.percent, key: [] })
await shadowWorld.publish({ ...graph, rollouts: [shadow] })
const settings = 'access_log: { enabled: false }'
await using plain = await startRouterProcess(plainWorld, settings)
await using shadowed = await startRouterProcess(shadowWorld, settings)

for (const query of QUERIES) {
  const times: [number, number][] = []
  let others = 0
  for (let pair = -WARM_UP; pair < options.pairs; pair++) {
    const began = performance.now()
    const isFirst = pair % 2 === 0
    const first = await timed(isFirst ? plain : shadowed, query)
    const second = await timed(isFirst ? shadowed : plain, query)
    const [without, with_] = isFirst ? [first, second] : [second, first]
    if (without.text !== with_.text) others++
    if (pair >= 0) times.push([without.milliseconds, with_.milliseconds])
    const left = options.every - (performance.now() - began)
    if (left > 0) await delay(left)
  }
  tell(query, times, others)
}

async function timed({ graphqlUrl }: RouterProcess, query: string) {
  const began = performance.now()
  const text = await ask(graphqlUrl, JSON.stringify({ query }))
  return { text, milliseconds: performance.now() - began }
}

function tell(query: string, times: readonly (readonly [number, number])[], others: number): void {
  const at = (values: readonly number[], part: number): string =>
    `${Math.round(1000 * (values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? 0))} µs`
  const columns = [
    ['without', times.map(([without]) => without)],
    ['with', times.map(([, with_]) => with_)],
    ['difference of pairs', times.map(([without, with_]) => with_ - without)],
  ] as const
  console.log(`${query}: ${times.length} pairs, ${others} answers of other bytes`)
  for (const [name, values] of columns)
    console.log(
      `  ${name.padEnd(20)} p50 ${at(values, 0.5)}, p90 ${at(values, 0.9)}, p99 ${at(values, 0.99)}`,
    )
}
