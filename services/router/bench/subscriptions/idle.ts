/**
 * Measures the memory of subscriptions that wait for events: on event streams, each of which is a connection,
 * and on WebSockets, beside the same WebSockets without subscriptions. See README.md.
 *
 *   node services/router/bench/subscriptions/idle.ts [--subscriptions 50000] [--each 100] [--streams 15000]
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { waitFor } from '@switchyard/testkit'
import { startEventGraph } from '../../test/subscriptions/support/event-graph.ts'
import { startRouterProcess } from '../../test/support/router-process.ts'
import { benchOptions } from '../bench-options.ts'
import { Clients, type ClientsSetUp } from './clients.ts'

const { subscriptions, each, streams } = benchOptions({ subscriptions: 50_000, each: 100, streams: 15_000 })
const SETTINGS = `
access_log: { enabled: false }
traffic: { max_connections: 100000, max_connections_per_client: 100000 }
subscriptions: { enabled: true, max_subscriptions: 100000, sockets: { max: 100000, max_per_client: 100000 } }`
const QUERY = 'subscription { changed { upc price } }'
const ASKED = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{"query":"{ __typename }"}',
}
const IDLE_MS = 15_000
const OPENED = { withinMs: 600_000, everyMs: 200 }

const row = (name: string, ...cells: readonly string[]): void =>
  console.log(name.padEnd(44), ...cells.map((cell) => cell.padStart(10)))

row('bytes each, after a collection', 'heap', 'resident', 'CPU/s idle')
await measure('event streams', { kind: 'event-streams', connections: streams, subscriptions: 1 })
const connections = Math.ceil(subscriptions / each)
const bare = await measure('WebSockets', { kind: 'sockets', connections, subscriptions: 0 })
await measure(
  `subscriptions, ${each} on a WebSocket`,
  { kind: 'sockets', connections, subscriptions: each },
  bare,
)

type Taken = { readonly heap: number; readonly resident: number }

/** Measures what the clients take of a router of their own, beyond `less` of their connections. */
async function measure(
  name: string,
  setUp: Pick<ClientsSetUp, 'kind' | 'connections' | 'subscriptions'>,
  less: Taken = { heap: 0, resident: 0 },
): Promise<Taken> {
  await using graph = await startEventGraph()
  await using router = await startRouterProcess(graph.config, SETTINGS)
  await (await fetch(router.graphqlUrl, ASKED)).text()
  const before = await router.measure()
  await using clients = await Clients.open({ ...setUp, port: router.port, query: QUERY })
  const count = setUp.connections * Math.max(1, setUp.subscriptions)
  const expected = setUp.subscriptions * setUp.connections
  // Equal subscriptions share one at the subgraph, so that each client shows by an event that it is there.
  await waitFor(
    'an event for each client',
    async () => {
      const already = await clients.events()
      graph.events.send({ changed: { upc: '1' } })
      await sleep(expected / 5)
      return (await clients.events()) - already === expected || undefined
    },
    OPENED,
  )
  await sleep(2000)
  const [start] = [await router.measure()]
  await sleep(IDLE_MS)
  const after = await router.measure()
  const taken = {
    heap: after.heap - before.heap - less.heap,
    resident: after.resident - before.resident - less.resident,
  }
  const idle = `${(((after.cpu - start.cpu) / IDLE_MS) * 0.1).toFixed(1)} %`
  row(`${count} ${name}`, (taken.heap / count).toFixed(0), (taken.resident / count).toFixed(0), idle)
  return { heap: after.heap - before.heap, resident: after.resident - before.resident }
}
