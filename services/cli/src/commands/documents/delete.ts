import { writeCommand } from '../../command/make-command.ts'
import { required } from '../../command/options.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { graphName, newName } from '../../command/value-types.ts'

export const command = writeCommand({
  name: 'delete',
  argument: { name: 'name', type: newName('manifest') },
  description: 'delete a manifest of documents of a graph',
  options: { graph: required('--graph <name>', 'the federated graph', graphName) },
  examples: ['documents delete web --graph shop', 'documents delete web --graph shop --force'],
  confirm: async ({ registry, namespace, argument, options }) => {
    const { documentsDeletion, readNamespace } = await import('../../command/consequences.ts')
    return documentsDeletion(await readNamespace(registry, namespace), options.graph, argument)
  },
  request: ({ namespace, argument, options }) => ({
    method: 'DELETE',
    path: apiPath('graphs', namespace, options.graph, 'documents', argument),
    body: {},
  }),
})
