import { NamespaceList } from '@switchyard/contracts'
import { registryCommand } from '../../command/make-command.ts'
import { tableResult } from '../../output/shown-results.ts'
import { apiPath } from '../../registry/registry-client.ts'

export const command = registryCommand({
  name: 'list',
  description: 'list the namespaces',
  namespaced: false,
  examples: ['namespace list', 'namespace list --json'],
  run: async ({ registry, context }) => {
    const found = await registry.get(apiPath('namespaces'), NamespaceList)
    const rows = found.namespaces.map(({ name, previewHosts }) => [name, previewHosts.join(' ') || '-'])
    return tableResult(
      found,
      { columns: ['name', 'hosts of previews'], rows, whenEmpty: 'No namespaces.' },
      context,
    )
  },
})
