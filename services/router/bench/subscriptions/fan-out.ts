/**
 * Measures what it costs the router to deliver events: one source, and very many clients that all subscribe
 * to it. See README.md.
 *
 *   node services/router/bench/subscriptions/fan-out.ts [--clients 1000] [--rate 100] [--seconds 10]
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { waitFor } from '@switchyard/testkit'
import { type EventGraph, startEventGraph } from '../../test/subscriptions/support/event-graph.ts'
import { type RouterProcess, startRouterProcess } from '../../test/support/router-process.ts'
import { benchOptions } from '../bench-options.ts'
import { Clients, type ClientsSetUp } from './clients.ts'

const options = benchOptions({ clients: 1000, rate: 100, seconds: 10 })
const SETTINGS = `
access_log: { enabled: false }
subscriptions: { enabled: true, queue: { max_events: 100000, max_size: 100MiB } }`
const FORMS: readonly (readonly [string, Pick<ClientsSetUp, 'kind' | 'connections' | 'subscriptions'>])[] = [
  ['event streams', { kind: 'event-streams', connections: options.clients, subscriptions: 1 }],
  ['WebSockets', { kind: 'sockets', connections: options.clients, subscriptions: 1 }],
]
const QUERIES = [
  ['as it comes', 'subscription { changed { upc } }'],
  ['with a call', 'subscription { changed { upc price } }'],
] as const
const ARRIVED = { withinMs: 60_000, everyMs: 200 }

console.log(`${options.clients} clients of one source, ${options.rate} events a second`)
for (const [form, clients] of FORMS) {
  for (const [name, query] of QUERIES) {
    await using graph = await startEventGraph()
    await using router = await startRouterProcess(graph.config, SETTINGS)
    const cost = await deliver(graph, router, { ...clients, port: router.port, query })
    const { p99, max } = await router.delays()
    const cells = [
      `${cost.toFixed(2)} µs an event`,
      `loop p99 ${p99.toFixed(0)} ms, max ${max.toFixed(0)} ms`,
    ]
    console.log(`${form}, ${name}`.padEnd(28), ...cells.map((cell) => cell.padStart(22)))
  }
}

/** Returns the microseconds of CPU of the router for each event of a client. */
async function deliver(graph: EventGraph, router: RouterProcess, setUp: ClientsSetUp): Promise<number> {
  await using clients = await Clients.open(setUp)
  await waitFor('all clients to have subscribed', async () => {
    const before = await clients.events()
    graph.events.send({ changed: { upc: '0' } })
    await sleep(1000)
    return (await clients.events()) - before === options.clients || undefined
  })
  const sendAll = async (count: number): Promise<void> => {
    const before = await clients.events()
    await send(graph, count)
    const expected = before + count * options.clients
    await waitFor(
      'every event',
      async () => {
        const got = await clients.events()
        if (got !== expected) throw new Error(`${got} of ${expected}`)
        return true
      },
      ARRIVED,
    )
  }
  // V8 compiles what the events need.
  await sendAll(options.rate)
  await router.delays()
  const { cpu } = await router.look()
  const sent = options.rate * options.seconds
  await sendAll(sent)
  return ((await router.look()).cpu - cpu) / (sent * options.clients)
}

async function send(graph: EventGraph, count: number): Promise<void> {
  const started = performance.now()
  for (let index = 0; index < count; index++) {
    const due = started + (index * 1000) / options.rate
    await sleep(Math.max(0, due - performance.now()))
    graph.events.send({ changed: { upc: String(index) } })
  }
}
