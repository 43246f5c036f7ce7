/**
 * Measures the memory that a router holds after very many different operations. See README.md.
 *
 *   node services/router/bench/soak.ts [--operations 38000] [--connections 20] [--only <part of a name>]
 *   [--snapshot <file>]
 */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { benchOptions } from './bench-options.ts'
import { ConfigWorld } from '../test/support/config-world.ts'
import { startRouterProcess, type RouterProcess } from '../test/support/router-process.ts'
import { startShop } from '../test/support/shop.ts'

const options = benchOptions({
  operations: 38_000,
  connections: 20,
  only: '',
  settings: '',
  snapshot: null,
})
const { connections, operations } = options
const SAMPLES = 8
/** Milliseconds for work that is done some time after the last request, such as ending planning threads. */
const REST_MS = 65_000

const numbered = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join(' ')
const padding = 'x'.repeat(300_000)

/** The body of the n-th request, by name. All of them are different operations. */
const SHAPES: Readonly<Record<string, (n: number) => object>> = {
  small: (n) => ({ query: `{ a${n}: version }` }),
  'three subgraph calls': (n) => ({
    query: `query Page { product(upc: "${n}") { name price reviews { id body } } b: topProducts(first: 1) { upc reviews { id } } }`,
  }),
  'forty aliases': (n) => ({ query: `{ ${numbered(40, (index) => `alias${n}x${index}: version`)} }` }),
  'twenty hops': (n) => ({
    query: `{ ${numbered(20, (index) => `a${n}x${index}: product(upc: "1") { name reviews { id } }`)} }`,
  }),
  '4 KB of blanks': (n) => ({ query: `{ a${n}: ${' '.repeat(4096)} version }` }),
  'small, in 300 KB': (n) => ({ query: `{ alias${n}: version }`, extensions: { padding } }),
  introspection: (n) => ({ query: `{ a${n}: __schema { types { name fields { name type { name } } } } }` }),
  invalid: (n) => ({ query: `{ unknown${n} }` }),
  'planned in a thread': (n) => ({
    query: `{ ${numbered(150, (index) => `a${n}x${index}: product(upc: "1") { name price b: reviews { id body } }`)} }`,
  }),
}
const MIXED = Object.entries(SHAPES).flatMap(([name, make]) =>
  name === 'planned in a thread' || name === 'small, in 300 KB' ? [] : [make],
)
const soaks = {
  mixed: (n: number) => MIXED[n % MIXED.length]?.(n) ?? {},
  ...SHAPES,
}

const agent = new Agent({ keepAlive: true, maxSockets: connections })

async function ask(url: string, body: object): Promise<number> {
  const text = JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        agent,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
      },
      (response) => {
        response.resume()
        response.on('end', () => resolve(response.statusCode ?? 0))
        response.on('error', reject)
      },
    )
    outgoing.on('error', reject)
    outgoing.end(text)
  })
}

const MB = (bytes: number) => `${Math.round(bytes / 2 ** 20)}`.padStart(7)

async function tell(router: RouterProcess, name: string, collect: boolean): Promise<number> {
  const { resident, heap, heapTotal, external, buffers, remembered } = await (collect
    ? router.measure()
    : router.look())
  console.log(
    name.padEnd(24),
    MB(resident),
    MB(heap),
    MB(heapTotal),
    MB(external),
    MB(buffers),
    MB(remembered),
  )
  return resident
}

await using shop = await startShop()
await using world = await ConfigWorld.create()
await world.publish({ revision: 1, base: shop.base })
for (const [name, make] of Object.entries(soaks)) {
  if (options.only === '' ? name !== 'mixed' : !name.includes(options.only)) continue
  await using router = await startRouterProcess(
    world,
    `planning: { budget: 1h }\naccess_log: { enabled: false }\n${options.settings.replaceAll('\\n', '\n')}`,
  )
  console.log(`\n${name}, ${operations} operations; MiB`)
  console.log(
    ''.padEnd(24),
    ...['resident', 'heap', 'total', 'external', 'buffers', 'said'].map((text) => text.padStart(7)),
  )
  const statuses = new Map<number, number>()
  let next = 0
  const send = async (upTo: number) => {
    while (next < upTo) {
      const status = await ask(router.graphqlUrl, make(next++))
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await send(200)
  await tell(router, 'start', false)
  for (let sample = 1; sample <= SAMPLES; sample++) {
    const upTo = Math.round((operations * sample) / SAMPLES)
    await Promise.all(Array.from({ length: connections }, () => send(upTo)))
    await tell(router, `${upTo}`, false)
  }
  await sleep(REST_MS)
  await tell(router, 'a minute later', false)
  await tell(router, 'collected', true)
  if (options.snapshot !== null) await router.snapshot(options.snapshot)
  console.log([...statuses].map(([status, count]) => `${count} × ${status}`).join(', '))
}
agent.destroy()
