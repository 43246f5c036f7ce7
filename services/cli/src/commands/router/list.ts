import { RouterList, type RouterView } from '@switchyard/contracts'
import { registryCommand } from '../../command/make-command.ts'
import { optional } from '../../command/options.ts'
import { LOAD_COLUMNS, loadCells } from '../../output/load-cells.ts'
import { tableResult } from '../../output/shown-results.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { graphName, namespaceName } from '../../command/value-types.ts'

export const command = registryCommand({
  name: 'list',
  description:
    'list the routers that report to the registry: what each serves, how old that is, which version it runs, and how busy it is',
  namespaced: false,
  options: {
    namespace: optional(
      '-n, --namespace <namespace>',
      'only routers of graphs in this namespace',
      namespaceName,
    ),
    graph: optional('--graph <name>', 'only routers of this graph', graphName),
  },
  examples: ['router list', 'router list -n staging --graph shop --json'],
  run: async ({ options, registry, context }) => {
    const query = new URLSearchParams()
    if (options.namespace !== undefined) query.set('namespace', options.namespace)
    if (options.graph !== undefined) query.set('graph', options.graph)
    const suffix = query.size === 0 ? '' : `?${query.toString()}`
    const found = await registry.get(`${apiPath('routers')}${suffix}`, RouterList)
    return tableResult(
      found,
      {
        columns: [
          'instance',
          'graph',
          'state',
          'revision',
          'flags served',
          'config age',
          'version',
          ...LOAD_COLUMNS,
          'requests/s',
          'heard',
        ],
        rows: found.routers.map((item) => [
          item.instance,
          `${item.namespace}/${item.graph}`,
          item.alive ? item.state : `${item.state} (lost)`,
          revisionOf(item),
          item.flags.join(' ') || '-',
          item.configCreatedAt === null ? '-' : ageOf(item.configCreatedAt),
          item.version ?? '-',
          ...loadCells(item.load),
          item.requestsPerSecond === undefined ? '-' : String(Math.round(item.requestsPerSecond * 10) / 10),
          heardOf(item),
        ]),
        whenEmpty: 'No router reports to the registry.',
      },
      context,
    )
  },
})

/** Returns the revision with what is wrong about it, since its number alone does not identify a manifest. */
function revisionOf({ revision, serves, leftOut, rejected }: RouterView): string {
  const remarks = [
    ...(serves === 'older' ? ['not the newest'] : []),
    ...(serves === 'not-in-log' ? ['not in the log'] : []),
    ...(leftOut === undefined ? [] : [leftOutOf(leftOut)]),
    ...(rejected === undefined ? [] : [rejectionOf(rejected)]),
  ]
  return remarks.length === 0 ? String(revision) : `${revision} (${remarks.join(', ')})`
}

function leftOutOf({ flags, documents }: NonNullable<RouterView['leftOut']>): string {
  const parts = [
    ...(flags.length === 0 ? [] : [`flags ${flags.join(' ')}`]),
    ...(documents.length === 0 ? [] : [`documents ${documents.join(' ')}`]),
  ]
  return `without ${parts.join(' and ')}: damaged in the config store`
}

/** Describes a rejected manifest. Its revision is 0 if the router could not read the manifest. */
function rejectionOf({ revision, code }: NonNullable<RouterView['rejected']>): string {
  return revision === 0 ? `rejected what it was offered: ${code}` : `rejected ${revision}`
}

function ageOf(time: string): string {
  return spanOf(Math.max(0, Math.round((Date.now() - Date.parse(time)) / 1000)))
}

/**
 * Returns when the router was last heard. If clocks differ, it says so, since the router then takes nothing
 * new.
 */
function heardOf({ ageSeconds, clockAheadSeconds: ahead = 0 }: RouterView): string {
  const heard = `${Math.round(ageSeconds)} s ago`
  if (ahead === 0) return heard
  return `${heard} (clock off by ${spanOf(Math.abs(ahead))}: ${ahead > 0 ? 'ahead' : 'behind'})`
}

function spanOf(seconds: number): string {
  if (!(seconds >= 120)) return `${seconds} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} d`
}
