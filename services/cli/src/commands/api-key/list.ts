import { ApiKeyList } from '@switchyard/contracts'
import { registryCommand } from '../../command/make-command.ts'
import { tableResult } from '../../output/shown-results.ts'
import { apiPath } from '../../registry/registry-client.ts'

export const command = registryCommand({
  name: 'list',
  description: 'list the API keys, not their secrets',
  namespaced: false,
  examples: ['api-key list', 'api-key list --json'],
  run: async ({ registry, context }) => {
    const list = await registry.get(apiPath('api-keys'), ApiKeyList)
    const rows = list.apiKeys.map(({ id, name, scopes, createdAt, createdBy }) => [
      name,
      id,
      scopes.join(' '),
      createdAt,
      createdBy,
    ])
    const columns = ['name', 'id', 'scopes', 'created', 'created by']
    return tableResult(list, { columns, rows, whenEmpty: 'No API keys.' }, context)
  },
})
