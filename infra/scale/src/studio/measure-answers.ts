/** Reads each route that pages of Studio read, and measures what an answer costs the registry. */
import type { Table } from '@switchyard/lab'
import { BROKEN_GRAPH, GRAPH, typeName } from './large-graph.ts'
import type { Platform } from './platform.ts'

const { namespace, graph } = GRAPH
const of = `${namespace}/${graph}`
const ROUTES: readonly string[] = [
  'namespaces',
  `graphs/${namespace}`,
  `graphs/${of}`,
  `graphs/${of}/revisions?limit=20`,
  `graphs/${of}/types?composition=base`,
  `graphs/${of}/types?composition=flag:flag-3`,
  `graphs/${of}/types/${typeName(77)}?composition=base`,
  `graphs/${of}/types/Query?composition=base`,
  `graphs/${of}/search?composition=base&q=label1&limit=30`,
  `graphs/${of}/difference?from=base&to=flag:flag-3`,
  `graphs/${namespace}/${BROKEN_GRAPH}/errors`,
  `namespaces/${namespace}/snapshot`,
  `subgraphs/${namespace}`,
  `subgraphs/${namespace}/service-7`,
  `subgraphs/${namespace}/service-7/schema`,
  `subgraphs/${namespace}/notes/history?limit=20`,
  `feature-flags/${namespace}`,
  `feature-flags/${namespace}/flag-3`,
  `rollouts/${namespace}`,
  `usage/${of}?group=operation`,
  `usage/${of}?group=client`,
  `usage/${of}?group=hour`,
  `usage/${of}?group=coordinate&coordinate=${typeName(0)}.id`,
  `usage/${of}/unused`,
  `figures/${of}`,
  'log?order=newest&limit=100',
  'routers',
  'services',
  'api-keys',
]

export async function measureAnswers(platform: Platform, only = ''): Promise<Table> {
  const rows: string[][] = []
  const measure = async (name: string, ask: () => Promise<{ readonly bytes: number }>) => {
    if (!name.includes(only)) return
    const cells: string[] = []
    let size = 0
    for (let time = 0; time < 2; time++) {
      const before = await platform.spent()
      const { bytes } = await ask()
      const after = await platform.spent()
      size = bytes
      const cpu = (after.process - before.process) / 1000
      cells.push(`${cpu.toFixed(0)} ms`, `${(after.longestTurn / 1000).toFixed(0)} ms`)
    }
    console.log(name, size, cells.join(' '))
    rows.push([`\`/v1/${name}\``, `${(size / 1024).toFixed(0)} KiB`, ...cells])
  }
  for (const route of ROUTES) await measure(route, () => platform.client.read(route))
  return {
    head: ['route', 'answer', 'CPU', 'longest turn', 'CPU again', 'longest turn again'],
    rows,
  }
}
