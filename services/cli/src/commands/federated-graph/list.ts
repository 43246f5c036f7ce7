import { FederatedGraphList } from '@switchyard/contracts'
import { registryCommand } from '../../command/make-command.ts'
import { printRevision } from '../../output/revision.ts'
import { tableResult } from '../../output/shown-results.ts'
import { apiPath } from '../../registry/registry-client.ts'

export const command = registryCommand({
  name: 'list',
  description: 'list the federated graphs of a namespace',
  examples: ['graph list', 'graph list -n staging --json'],
  run: async ({ namespace, registry, context }) => {
    const found = await registry.get(apiPath('graphs', namespace), FederatedGraphList)
    return tableResult(
      found,
      {
        columns: ['name', 'label matchers', 'base', 'subgraphs', 'revision'],
        rows: found.graphs.map((item) => [
          item.name,
          item.labelMatchers.join(' ') || '-',
          item.base,
          item.subgraphs.join(' ') || '-',
          printRevision(item),
        ]),
        whenEmpty: `No federated graphs in namespace "${namespace}".`,
      },
      context,
    )
  },
})
