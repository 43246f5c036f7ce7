/** One graph: what a change of it costs, by how many subgraphs, flags and types it has. */
import { setTimeout as sleep } from 'node:timers/promises'
import { FederatedGraphDetail } from '@switchyard/contracts'
import { CpuMeter, megabytes, seconds, type Table, usageOf } from '@switchyard/lab'
import { waitFor } from '@switchyard/testkit'
import { z } from 'zod'
import { type GraphSize, graphState } from './schemas.ts'
import { apply, longestDelay, programOf, startSystem, type System } from './system.ts'

/** Changes that are measured, after one that is not. */
const CHANGES = 3

export async function measureSubgraphs(): Promise<Table> {
  return await measure(
    'subgraphs',
    [10, 100, 300].map((subgraphs) => ({ label: String(subgraphs), size: { subgraphs, types: 6 } })),
  )
}

export async function measureFlags(): Promise<Table> {
  return await measure(
    'flags',
    [0, 10, 50].map((flags) => ({ label: String(flags), size: { subgraphs: 10, types: 20, flags } })),
  )
}

export async function measureSupergraphs(): Promise<Table> {
  return await measure(
    'types',
    [5, 50, 600].map((types) => ({ label: String(types * 20), size: { subgraphs: 20, types } })),
  )
}

type Case = { readonly label: string; readonly size: GraphSize }

async function measure(what: string, cases: readonly Case[]): Promise<Table> {
  const rows: string[][] = []
  for (const { label, size } of cases) {
    await using system = await startSystem()
    rows.push([label, ...(await measureChanges(system, size))])
  }
  return {
    head: [
      what,
      'supergraph',
      'from the change to all routers',
      'CPU of a change: registry',
      'composers',
      'config-distribution',
      'a router',
      'longest delay of a router’s event loop',
      'memory of a router',
    ],
    rows,
  }
}

async function measureChanges(system: System, size: GraphSize): Promise<string[]> {
  await apply(system, 'default', graphState(size))
  await served(system, 1)
  // The first compositions of a process compile its code.
  await change(system, size, 1)
  const router = programOf(system, 'router-0')
  const cpu = new CpuMeter(system.programs)
  await longestDelay(system, 'router-0')
  const waited: number[] = []
  for (let index = 2; index < CHANGES + 2; index++) waited.push(await change(system, size, index))
  const delay = await longestDelay(system, 'router-0')
  const used = ['registry', 'composer', 'config-distribution', 'router-0'].map((prefix) =>
    seconds(cpu.secondsOf(prefix) / CHANGES),
  )
  return [
    `${Math.round((await supergraphBytes(system)) / 1024)} KiB`,
    seconds(Math.max(...waited) / 1000),
    ...used,
    `${(delay * 1000).toFixed(0)} ms`,
    megabytes(usageOf(router.pid).resident),
  ]
}

/** Returns the milliseconds from a command until both routers serve its change. */
async function change(system: System, size: GraphSize, version: number): Promise<number> {
  const revision = await revisionOf(system)
  const began = performance.now()
  await apply(system, 'default', graphState(size, version))
  await served(system, revision + 1)
  const took = performance.now() - began
  // What follows a swap belongs to it: warming up, and letting go of what was served before.
  await sleep(2000)
  return took
}

async function served(system: System, revision: number): Promise<void> {
  for (const name of ['router-0', 'router-1']) {
    await waitFor(
      `${name} to serve revision ${revision}`,
      () => {
        const swap = Swap.parse(
          programOf(system, name).events.findLast(({ event }) => event === 'config.swapped'),
        )
        return swap.version.revision >= revision
      },
      { withinMs: 120_000, everyMs: 5 },
    )
  }
}

/** The log line of a router that serves another revision. */
const Swap = z.object({ version: z.object({ revision: z.number() }) }).catch({ version: { revision: 0 } })

async function revisionOf(system: System): Promise<number> {
  const { body } = await system.manage('GET', '/v1/graphs/default/shop')
  return FederatedGraphDetail.parse(body).revision ?? 0
}

async function supergraphBytes(system: System): Promise<number> {
  const { body } = await system.manage('GET', '/v1/graphs/default/shop/execution-config')
  return JSON.stringify(body['base'] ?? body).length
}
