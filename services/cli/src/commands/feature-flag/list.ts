import { FeatureFlagList } from '@switchyard/contracts'
import { registryCommand } from '../../command/make-command.ts'
import { lastNamed, stageOf } from '../../output/flag-stage.ts'
import { tableResult } from '../../output/shown-results.ts'
import { apiPath } from '../../registry/registry-client.ts'

export const command = registryCommand({
  name: 'list',
  description: 'list the feature flags of a namespace, and where they are served',
  examples: ['ff list', 'ff list --json'],
  run: async ({ namespace, registry, context }) => {
    const found = await registry.get(apiPath('feature-flags', namespace), FeatureFlagList)
    return tableResult(
      found,
      {
        columns: ['name', 'state', 'last named', 'labels', 'feature subgraphs', 'graphs'],
        rows: found.featureFlags.map((item) => [
          item.name,
          stageOf(item),
          lastNamed(item),
          item.labels.join(' ') || '-',
          item.featureSubgraphs.join(' ') || '-',
          item.graphs.map(({ graph, state }) => `${graph}: ${state}`).join('; ') || '-',
        ]),
        whenEmpty: `No feature flags in namespace "${namespace}".`,
      },
      context,
    )
  },
})
