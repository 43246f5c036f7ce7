import { RouterList } from '@switchyard/contracts'
import type { Command } from 'commander'
import { parseName, parseNamespace } from '../arguments.ts'
import { finishList, withExamples, withJson } from '../command-builder.ts'
import type { Invocation } from '../command-builder.ts'
import { apiPath, connectRegistry } from '../registry/registry-client.ts'
import { addRouterCompose } from './router-compose.ts'
import { addRouterStart } from './router-start.ts'

type ListOptions = { readonly namespace?: string; readonly graph?: string; readonly dataDir?: string }

export function addRouterCommands(program: Command, invocation: Invocation): void {
  const router = program.command('router').description('compose for, start and look at routers')
  addRouterCompose(router, invocation)
  addRouterStart(router, invocation)

  withExamples(
    withJson(
      router
        .command('list')
        .description('list the routers that report to the registry: what each serves, and how old it is')
        .option('-n, --namespace <namespace>', 'only routers of graphs in this namespace')
        .option('--graph <name>', 'only routers of this graph')
        .option('--data-dir <dir>', 'data directory of "switchyard up", for its API key'),
    ),
    'router list',
    'router list -n staging --graph shop --json',
  ).action(async (options: ListOptions) => {
    const query = new URLSearchParams()
    if (options.namespace !== undefined) query.set('namespace', parseNamespace(options.namespace))
    if (options.graph !== undefined) query.set('graph', parseName('federated graph', options.graph))
    const registry = await connectRegistry(invocation.context, options.dataDir)
    const suffix = query.size === 0 ? '' : `?${query.toString()}`
    const list = await registry.get(`${apiPath('routers')}${suffix}`, RouterList)
    finishList(invocation, list, {
      columns: ['instance', 'graph', 'state', 'revision', 'flags served', 'config age', 'heard'],
      rows: list.routers.map((item) => [
        item.instance,
        `${item.namespace}/${item.graph}`,
        item.alive ? item.state : `${item.state} (lost)`,
        item.rejected === undefined
          ? String(item.revision)
          : `${item.revision} (rejected ${item.rejected.revision})`,
        item.flags.join(' ') || '-',
        item.configCreatedAt === null ? '-' : ageOf(item.configCreatedAt),
        `${Math.round(item.ageSeconds)} s ago`,
      ]),
      whenEmpty: 'No router has reported yet.',
    })
  })
}

function ageOf(time: string): string {
  const seconds = Math.max(0, Math.round((Date.now() - Date.parse(time)) / 1000))
  if (!(seconds >= 120)) return `${seconds} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} d`
}
