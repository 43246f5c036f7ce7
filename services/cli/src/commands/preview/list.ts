import { PreviewList } from '@switchyard/contracts'
import { registryCommand } from '../../command/make-command.ts'
import { tableResult } from '../../output/shown-results.ts'
import { apiPath } from '../../registry/registry-client.ts'

export const command = registryCommand({
  name: 'list',
  description: 'list the previews of a namespace, the names that requests give, and where they are served',
  examples: ['preview list', 'preview list --json'],
  run: async ({ namespace, registry, context }) => {
    const found = await registry.get(apiPath('previews', namespace), PreviewList)
    return tableResult(
      found,
      {
        columns: ['name', 'flag', 'ends', 'subgraphs', 'graphs'],
        rows: found.previews.map(({ name, flag, expires, subgraphs, graphs }) => [
          name,
          flag,
          expires,
          subgraphs.map(({ base }) => base).join(' '),
          graphs.map(({ graph, state }) => `${graph}: ${state}`).join('; ') || '-',
        ]),
        whenEmpty: `No previews in namespace "${namespace}".`,
      },
      context,
    )
  },
})
