import { RolloutList } from '@switchyard/contracts'
import { registryCommand } from '../../command/make-command.ts'
import { optional } from '../../command/options.ts'
import { graphName } from '../../command/value-types.ts'
import { tableResult } from '../../output/shown-results.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { printAudience, printFlagState, printKey, printPercent } from '../../rollouts/print-rollout.ts'

export const command = registryCommand({
  name: 'list',
  description: 'list the rollouts of a namespace, by graph, in the order in which requests try them',
  options: { graph: optional('--graph <name>', 'only those of this federated graph', graphName) },
  examples: ['rollout list', 'rollout list --graph shop --json'],
  run: async ({ namespace, registry, options: { graph }, context }) => {
    const { rollouts: all } = await registry.get(apiPath('rollouts', namespace), RolloutList)
    const rollouts = graph === undefined ? all : all.filter((rollout) => rollout.graph === graph)
    const now = Date.now()
    return tableResult(
      { rollouts },
      {
        columns: [
          'graph',
          'name',
          'flag',
          'flag state',
          'mode',
          'percent',
          'audience',
          'key',
          'state',
          'routers',
        ],
        rows: rollouts.map((item) => [
          item.graph,
          item.name,
          item.flag,
          printFlagState(item),
          item.mode,
          printPercent(item, now),
          printAudience(item).join('; '),
          printKey(item),
          item.state,
          item.routers.total === 0 ? '-' : `${item.routers.serving}/${item.routers.total}`,
        ]),
        whenEmpty: `No rollouts ${graph === undefined ? '' : `of federated graph "${graph}" `}in namespace "${namespace}".`,
      },
      context,
    )
  },
})
