import { writeCommand } from '../../command/make-command.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { graphName } from '../../command/value-types.ts'

export const command = writeCommand({
  name: 'delete',
  argument: { name: 'name', type: graphName },
  description: 'delete a federated graph; its subgraphs and feature flags stay',
  examples: ['federated-graph delete shop', 'graph delete shop --force'],
  confirm: async ({ registry, namespace, argument }) => {
    const { graphDeletion, readNamespace } = await import('../../command/consequences.ts')
    return graphDeletion(await readNamespace(registry, namespace), argument)
  },
  request: ({ namespace, argument }) => ({
    method: 'DELETE',
    path: apiPath('graphs', namespace, argument),
    body: {},
  }),
})
