import { NamespaceList } from '@switchyard/contracts'
import { registryCommand } from '../../command/make-command.ts'
import { tableResult } from '../../output/shown-results.ts'
import { apiPath } from '../../registry/registry-client.ts'

export const command = registryCommand({
  name: 'list',
  description: 'list the namespaces; --json tells the hosts of their previews, too',
  namespaced: false,
  examples: ['namespace list', 'namespace list --json'],
  run: async ({ registry, context }) => {
    const found = await registry.get(apiPath('namespaces'), NamespaceList)
    const rows = found.namespaces.map(({ name }) => [name])
    return tableResult(found, { columns: ['name'], rows, whenEmpty: 'No namespaces.' }, context)
  },
})
