/**
 * Memory of a router while clients ask for large answers and do not read them. See README.md.
 *
 *   node services/router/bench/slow-readers.ts [--router <work tree, installed>] [--only <part of a row>]
 *   [--settings <YAML>]
 */
import { setTimeout as delay } from 'node:timers/promises'
import { benchOptions } from './bench-options.ts'
import { buildArtifact } from '../test/support/artifacts.ts'
import { ConfigWorld } from '../test/support/config-world.ts'
import { data, startRawSubgraph } from '../test/support/ledger.ts'
import { startRouterProcess } from '../test/support/router-process.ts'
import { openSlowReaders, type SlowReaderOptions } from '../test/support/slow-readers.ts'

const options = benchOptions({ router: null, only: '', settings: '' })

/** Milliseconds in which connections that the router gave up are closed. */
const SETTLING_MS = 2000
const MULTIPART = { accept: 'multipart/mixed;incrementalSpec=v0.2' }
const WHOLE = JSON.stringify({ query: '{ product(upc: "1") { name } }' })
const IN_PARTS = JSON.stringify({ query: '{ product(upc: "1") { upc ...@defer { name } } }' })

type Row = Pick<SlowReaderOptions, 'clients' | 'protocol'> & {
  /** Size of one answer. */
  readonly megabytes: number
  readonly inParts?: boolean
}

const ROWS: readonly Row[] = [
  { protocol: 'HTTP/1', clients: 20, megabytes: 32 },
  { protocol: 'HTTP/1', clients: 200, megabytes: 8 },
  { protocol: 'HTTP/2', clients: 20, megabytes: 32 },
  { protocol: 'HTTP/2', clients: 200, megabytes: 8 },
  { protocol: 'HTTP/2', clients: 2000, megabytes: 1 },
  { protocol: 'HTTP/1', clients: 200, megabytes: 8, inParts: true },
  { protocol: 'HTTP/2', clients: 2000, megabytes: 1, inParts: true },
]

await using stack = new AsyncDisposableStack()
const products = stack.use(await startRawSubgraph())
const reviews = stack.use(await startRawSubgraph())
const world = stack.use(await ConfigWorld.create())
await world.publish({
  revision: 1,
  base: buildArtifact('base', { products: products.url, reviews: reviews.url }),
})
const version = options.router === null ? {} : { tree: new URL(`file://${options.router}/`) }

console.log(
  'clients | protocol | MB of an answer | resident MB before | and while nobody reads | answers given up',
)
for (const row of ROWS) {
  const { protocol, clients, megabytes, inParts = false } = row
  const label = `${clients} | ${protocol}${inParts ? ', in parts' : ''} | ${megabytes}`
  if (!label.includes(options.only)) continue
  products.answers(data(`{"product":{"upc":"1","name":"${'x'.repeat(megabytes * 1e6)}"}}`))
  const settings = `engine: { enable_defer: true }\ntraffic: { write_timeout: 10m }\n${options.settings}`
  await using router = await startRouterProcess(world, settings, version)
  const before = await router.measure()
  await using readers = await openSlowReaders(router.port, {
    protocol,
    clients,
    body: inParts ? IN_PARTS : WHOLE,
    headers: inParts ? MULTIPART : {},
  })
  await readers.answered()
  await delay(SETTLING_MS)
  const after = await router.measure()
  const givenUp = router.logs.filter(({ stalled, code }) => stalled === true || code === 'OVERLOADED').length
  console.log([label, megabytesOf(before.resident), megabytesOf(after.resident), givenUp].join(' | '))
}

function megabytesOf(bytes: number): string {
  return String(Math.round(bytes / 1e6))
}
