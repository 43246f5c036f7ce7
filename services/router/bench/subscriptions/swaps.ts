/**
 * Swaps the schema very often under subscriptions that receive events: shows that those which can move get
 * each event once, that the others get one error each, and what memory is left. See README.md.
 *
 *   node services/router/bench/subscriptions/swaps.ts [--clients 5000] [--swaps 100] [--rate 2]
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { waitFor } from '@switchyard/testkit'
import { startEventGraph } from '../../test/subscriptions/support/event-graph.ts'
import { startRouterProcess } from '../../test/support/router-process.ts'
import { benchOptions } from '../bench-options.ts'
import { Clients } from './clients.ts'

const options = benchOptions({ clients: 5000, swaps: 100, rate: 2 })
const SETTINGS = `
access_log: { enabled: false }
subscriptions: { enabled: true, move_window: 1s, queue: { max_events: 1000 } }`
/** The subscriptions that lose their field with each other swap. */
const LEAVING = Math.ceil(options.clients / 10)
/** Events of the log that say that the source was lost. */
const LOST = new Set(['subscription.upstream-lost', 'subscription.upstream-reopened'])
const SERVED = { withinMs: 60_000, everyMs: 20 }

await using graph = await startEventGraph()
await using router = await startRouterProcess(graph.config, SETTINGS)
const memory = async (name: string) => {
  const { heap, resident } = await router.measure()
  console.log(
    name.padEnd(40),
    `heap ${(heap / 1e6).toFixed(0)} MB, resident ${(resident / 1e6).toFixed(0)} MB`,
  )
  return heap
}
await memory('no subscription')
const staying = await Clients.open({ ...setUp('{ upc price }'), connections: options.clients })
let sent = 0
const stop = new AbortController()
const sending = (async () => {
  while (!stop.signal.aborted) {
    graph.events.send({ changed: { upc: String(++sent) } })
    await sleep(1000 / options.rate)
  }
})()
const before = await memory(`${options.clients} subscriptions`)
let [expectedEnds, ends] = [0, 0]
const first = sent
for (let revision = 2; revision <= options.swaps + 1; revision++) {
  const hasWeight = revision % 2 === 0
  await graph.publish(revision, hasWeight ? 'price: Int weight: Int' : 'price: Int')
  await waitFor(
    `revision ${revision}`,
    () => router.logs.filter(({ event }) => event === 'config.swapped').length >= revision || undefined,
    SERVED,
  )
  if (!hasWeight || revision % 20 !== 2) continue
  // These have a field that the next swap takes away.
  await using leaving = await Clients.open({ ...setUp('{ upc weight }'), connections: LEAVING })
  expectedEnds += LEAVING
  await graph.publish(++revision, 'price: Int')
  const told = async () => (await leaving.received()).ends['SUBSCRIPTION_SCHEMA_CHANGED'] ?? 0
  await waitFor('the ends', async () => (await told()) >= LEAVING || undefined, SERVED)
  ends += await told()
}
stop.abort()
await sending
const all = await waitFor(
  'every event',
  async () => {
    const received = await staying.received()
    return received.events >= sent * options.clients - first ? received : undefined
  },
  { withinMs: 5000, everyMs: 100 },
).catch(() => staying.received())
const after = await memory(`after ${options.swaps} swaps`)
const { p99, max } = await router.delays()
console.log(
  `${sent - first} events during ${options.swaps} swaps for ${options.clients} clients: ${all.events} received, ${all.strays} lost or doubled, ${all.missed} dropped for slow clients, ${all.closed} closed; ${ends} of ${expectedEnds} that could not move got their error`,
)
console.log(
  `event loop p99 ${p99.toFixed(0)} ms, max ${max.toFixed(0)} ms; heap × ${(after / before).toFixed(2)}`,
)
for (const line of router.logs.filter(({ event = '' }) => LOST.has(event))) console.log(JSON.stringify(line))
await staying[Symbol.asyncDispose]()
await sleep(5000)
await memory('all clients gone')
if (all.strays > 0 || all.closed > 0 || ends !== expectedEnds) process.exitCode = 1

function setUp(fields: string) {
  const query = `subscription { changed ${fields} }`
  return { port: router.port, kind: 'event-streams', subscriptions: 1, query } as const
}
