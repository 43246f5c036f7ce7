import { writeCommand } from '../../command/make-command.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { namespaceName, type ValueType } from '../../command/value-types.ts'

const newNamespace: ValueType<string> = { parse: namespaceName.parse }

export const command = writeCommand({
  name: 'create',
  argument: { name: 'name', type: newNamespace },
  description: 'create a namespace',
  namespaced: false,
  examples: ['namespace create staging'],
  request: ({ argument }) => ({
    method: 'POST',
    path: apiPath('namespaces'),
    body: { name: argument },
    namespace: argument,
  }),
})
