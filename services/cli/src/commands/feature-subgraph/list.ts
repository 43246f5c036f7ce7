import { SubgraphList } from '@switchyard/contracts'
import { registryCommand } from '../../command/make-command.ts'
import { tableResult } from '../../output/shown-results.ts'
import { apiPath } from '../../registry/registry-client.ts'

export const command = registryCommand({
  name: 'list',
  description: 'list the feature subgraphs of a namespace',
  examples: ['fs list'],
  run: async ({ namespace, registry, context }) => {
    const all = await registry.get(apiPath('subgraphs', namespace), SubgraphList)
    const found = { subgraphs: all.subgraphs.filter(({ base }) => base !== null) }
    return tableResult(
      found,
      {
        columns: ['name', 'replaces', 'schema', 'routing url'],
        rows: found.subgraphs.map((item) => [
          item.name,
          item.base ?? '',
          item.published ? 'published' : 'not published',
          item.routingUrl,
        ]),
        whenEmpty: `No feature subgraphs in namespace "${namespace}".`,
      },
      context,
    )
  },
})
