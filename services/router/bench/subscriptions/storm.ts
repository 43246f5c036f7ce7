/**
 * Lets very many clients connect within a second, each with a subscription, leave at the same time, and come
 * back, as after the restart of a load balancer. See README.md.
 *
 *   node services/router/bench/subscriptions/storm.ts [--clients 10000] [--times 3]
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { waitFor } from '@switchyard/testkit'
import { startEventGraph } from '../../test/subscriptions/support/event-graph.ts'
import { startRouterProcess } from '../../test/support/router-process.ts'
import { benchOptions } from '../bench-options.ts'
import { Clients, type ClientsSetUp } from './clients.ts'

const { clients: count, times } = benchOptions({ clients: 10_000, times: 3 })
const SETTINGS = `
access_log: { enabled: false }
traffic: { max_connections: 100000, max_connections_per_client: 100000 }
subscriptions: { enabled: true, max_subscriptions: 100000, sockets: { max: 100000, max_per_client: 100000 } }`
const QUERY = 'subscription { changed { upc price } }'
const PATIENTLY = { withinMs: 300_000, everyMs: 100 }

const row = (...cells: readonly string[]): void =>
  console.log(cells.map((cell) => cell.padStart(14)).join(' '))

await using graph = await startEventGraph()
for (const kind of ['sockets', 'event-streams'] as const) await storm(kind)

async function storm(kind: ClientsSetUp['kind']): Promise<void> {
  await using router = await startRouterProcess(graph.config, SETTINGS)
  console.log(`${count} clients within a second, ${kind}`)
  row('seconds', 'CPU µs each', 'late at most', 'heap MB', 'heap left MB')
  for (let time = 0; time < times; time++) {
    const before = await router.look()
    await router.delays()
    const began = performance.now()
    let heap = 0
    let seconds = 0
    {
      const setUp = {
        kind,
        connections: count,
        subscriptions: 1,
        within: 1000,
        port: router.port,
        query: QUERY,
      }
      await using clients = await Clients.open(setUp)
      // Each client shows by an event that it is there.
      await waitFor('an event for each client', () => hasReached(clients), PATIENTLY)
      seconds = (performance.now() - began) / 1000
      heap = (await router.look()).heap
    }
    const { cpu } = await router.look()
    const { max } = await router.delays()
    const { heap: left } = await router.measure()
    const megabytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(0)
    row(
      seconds.toFixed(1),
      ((cpu - before.cpu) / count).toFixed(0),
      `${max.toFixed(0)} ms`,
      megabytes(heap),
      megabytes(left),
    )
  }
}

async function hasReached(clients: Clients): Promise<true | undefined> {
  const already = await clients.events()
  graph.events.send({ changed: { upc: '1' } })
  await sleep(1000)
  return (await clients.events()) - already === count || undefined
}
