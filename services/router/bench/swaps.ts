/**
 * Measures the memory that many swaps of a large supergraph with flags leave behind, and the delay of the
 * event loop meanwhile. See README.md.
 *
 *   node services/router/bench/swaps.ts [--swaps 200] [--types 9000] [--flags 10] [--every <milliseconds>]
 *   [--load <share of a CPU>]
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { benchOptions } from './bench-options.ts'
import type { BuiltArtifact } from '../test/support/artifacts.ts'
import { ConfigWorld } from '../test/support/config-world.ts'
import { startRouterProcess } from '../test/support/router-process.ts'
import { startShop } from '../test/support/shop.ts'
import { largeComposition } from './large-compositions.ts'
import { SteadyLoad } from './steady-load.ts'

const options = benchOptions({ swaps: 200, types: 9000, flags: 10, every: 0, load: 0 })
const { swaps, flags: flagCount, every } = options
const SAMPLES = 8
/** The thread that compiles ends after 10 s without work, and V8 keeps its pages for 8 s more. */
const REST_MS = 45_000
const RETURNED_MS = 20_000
const SERVED_WITHIN_MS = 120_000

await using shop = await startShop()
await using world = await ConfigWorld.create()
const bases = ['even', 'odd'].map((version) => largeComposition(shop.base, options.types, version))
const flags = Object.fromEntries(
  Array.from({ length: flagCount }, (_, index) => [
    `flag-${index}`,
    largeComposition(shop.flag, options.types, `flag${index}`),
  ]),
)
const size = (bases[0]?.artifact.supergraphSdl.length ?? 0) / 2 ** 20
await world.publish({ revision: 1, base: baseOf(1), flags, stored: 'both' })
await using router = await startRouterProcess(world, 'access_log: { enabled: false }')
await using load = new SteadyLoad(router, options.load)
let served = 0

console.log(`${swaps} swaps of ${size.toFixed(1)} MiB with ${flagCount} flags; MiB, and ms of delay`)
console.log(''.padEnd(24), ...['resident', 'heap', 'total', 'p99', 'max'].map((text) => text.padStart(8)))
for (const name of Object.keys(flags)) await ask(name)
await sleep(REST_MS)
const before = await tell('at rest, before', true)
await load.settle()
await tell('under load, before')
for (let swap = 1; swap <= swaps; swap++) {
  const revision = swap + 1
  const due = performance.now() + every
  await world.publish({ revision, base: baseOf(revision), flags, stored: 'both' })
  await untilServed(revision)
  if (flagCount > 0) await ask(`flag-${swap % flagCount}`)
  await sleep(Math.max(0, due - performance.now()))
  if (swap % Math.ceil(swaps / SAMPLES) === 0) await tell(`${swap}`)
}
await load.stop()
await tell('under load, after')
await sleep(REST_MS)
await tell('at rest')
await tell('collected', true)
// What was collected is returned to the system later.
await sleep(RETURNED_MS)
const after = await tell('at rest, after', true)
const grown = (name: 'resident' | 'heap') => `${name} × ${(after[name] / before[name]).toFixed(2)}`
console.log(`${grown('heap')}, ${grown('resident')}; ${load.summary}`)

function baseOf(swap: number): BuiltArtifact {
  const base = bases[swap % bases.length]
  if (base === undefined) throw new Error('there is no composition')
  return base
}

async function ask(flag: string): Promise<void> {
  const response = await fetch(router.graphqlUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-feature-flag': flag },
    body: '{"query":"{ version }"}',
  })
  const text = await response.text()
  if (!text.includes('products-next'))
    throw new Error(`a request with ${flag} was not answered by it: ${text}`)
}

/** The router tells each revision that it begins to serve. */
async function untilServed(revision: number): Promise<void> {
  const late = performance.now() + SERVED_WITHIN_MS
  for (;;) {
    for (; served < router.logs.length; served++) {
      const line = router.logs[served]
      if (line?.event === 'config.swapped' && isDeepStrictEqual(line['version'], { epoch: 1, revision }))
        return
    }
    if (performance.now() > late) throw new Error(`revision ${revision} was not served`)
    await sleep(5)
  }
}

async function tell(name: string, collect = false) {
  const memory = await (collect ? router.measure() : router.look())
  const { p99, max } = await router.delays()
  const MB = [memory.resident, memory.heap, memory.heapTotal].map((bytes) => (bytes / 2 ** 20).toFixed(0))
  console.log(name.padEnd(24), ...[...MB, p99.toFixed(0), max.toFixed(0)].map((text) => text.padStart(8)))
  return memory
}
