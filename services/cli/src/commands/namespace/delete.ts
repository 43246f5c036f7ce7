import { writeCommand } from '../../command/make-command.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { namespaceName } from '../../command/value-types.ts'

export const command = writeCommand({
  name: 'delete',
  argument: { name: 'name', type: namespaceName },
  description: 'delete a namespace and everything in it; "default" cannot be deleted',
  namespaced: false,
  examples: ['namespace delete staging', 'namespace delete staging --force'],
  confirm: async ({ registry, argument }) => {
    const { namespaceDeletion, readNamespace } = await import('../../command/consequences.ts')
    return namespaceDeletion(await readNamespace(registry, argument))
  },
  request: ({ argument }) => ({
    method: 'DELETE',
    path: apiPath('namespaces', argument),
    body: {},
    namespace: argument,
  }),
})
