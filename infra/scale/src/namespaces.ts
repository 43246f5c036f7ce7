/** Namespaces: what each costs when it is written, and what all of them cost a service that starts. */
import { CpuMeter, megabytes, seconds, type Table, usageOf } from '@switchyard/lab'
import { apply, programOf, restart, startSystem, type System } from './system.ts'

const SIZES = [10, 100, 1000]
/** The number of namespaces that are written at the same time. */
const AT_ONCE = 8
const SERVICES = ['registry-0', 'composer-0', 'config-distribution'] as const

export async function measureNamespaces(): Promise<Table> {
  await using system = await startSystem()
  const rows: string[][] = []
  let written = 0
  for (const size of SIZES) {
    const cpu = new CpuMeter(system.programs)
    const added = size - written
    await write(system, written, size)
    written = size
    const perNamespace = ['registry', 'composer', 'config-distribution'].map((prefix) =>
      seconds(cpu.secondsOf(prefix) / added),
    )
    const starts: string[] = []
    for (const name of SERVICES) {
      const start = await restart(system, name)
      starts.push(`${seconds(start)}, ${megabytes(usageOf(programOf(system, name).pid).resident)}`)
    }
    rows.push([String(size), perNamespace.join(' / '), ...starts])
  }
  return {
    head: [
      'namespaces',
      'CPU to write one: registry / composers / config-distribution',
      'start of the registry',
      'start of a composer',
      'start of config-distribution',
    ],
    rows,
  }
}

async function write(system: System, from: number, to: number): Promise<void> {
  let next = from
  const lane = async (): Promise<void> => {
    while (next < to) {
      const namespace = `n${next++}`
      await system.manage('POST', '/v1/namespaces', { name: namespace })
      await apply(system, namespace, stateOf(namespace))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
}

function stateOf(namespace: string): object {
  const subgraph = (name: string, sdl: string) => ({
    name,
    routingUrl: `http://127.0.0.1:1/${name}`,
    labels: ['team=web'],
    sdl,
  })
  const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.5", import: ["@key"])'
  return {
    graphs: [{ name: 'shop', labelMatchers: ['team=web'] }],
    subgraphs: [
      subgraph(
        'users',
        `${link} type Query { me: User } type User @key(fields: "id") { id: ID! ${namespace}: Int }`,
      ),
      subgraph('reviews', `${link} type User @key(fields: "id") { id: ID! reviews: [String!] }`),
    ],
  }
}
