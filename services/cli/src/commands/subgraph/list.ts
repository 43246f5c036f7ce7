import { SubgraphList } from '@switchyard/contracts'
import { registryCommand } from '../../command/make-command.ts'
import { tableResult } from '../../output/shown-results.ts'
import { apiPath } from '../../registry/registry-client.ts'

export const command = registryCommand({
  name: 'list',
  description: 'list the subgraphs of a namespace, feature subgraphs too',
  examples: ['subgraph list', 'subgraph list -n staging --json'],
  run: async ({ namespace, registry, context }) => {
    const found = await registry.get(apiPath('subgraphs', namespace), SubgraphList)
    return tableResult(
      found,
      {
        columns: ['name', 'labels', 'schema', 'replaces', 'routing url'],
        rows: found.subgraphs.map((item) => [
          item.name,
          item.labels.join(' ') || '-',
          item.published ? 'published' : 'not published',
          item.base ?? '-',
          item.routingUrl,
        ]),
        whenEmpty: `No subgraphs in namespace "${namespace}".`,
      },
      context,
    )
  },
})
