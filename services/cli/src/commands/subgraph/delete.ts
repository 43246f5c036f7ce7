import { writeCommand } from '../../command/make-command.ts'
import { deleteRequest } from '../../subgraphs/subgraph-requests.ts'
import { subgraphName } from '../../command/value-types.ts'

export const command = writeCommand({
  name: 'delete',
  argument: { name: 'name', type: subgraphName },
  description: 'delete a subgraph, and with it the feature subgraphs that replace it',
  examples: ['subgraph delete products', 'subgraph delete products --force'],
  confirm: async ({ registry, namespace, argument }) => {
    const { readNamespace, subgraphDeletion } = await import('../../command/consequences.ts')
    return subgraphDeletion(await readNamespace(registry, namespace), argument)
  },
  request: deleteRequest,
})
