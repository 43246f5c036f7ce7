import { writeCommand } from '../../command/make-command.ts'
import { deleteRequest } from '../../subgraphs/subgraph-requests.ts'
import { expectFeatureSubgraph } from '../../subgraphs/expect-feature-subgraph.ts'
import { featureSubgraphName } from '../../command/value-types.ts'

export const command = writeCommand({
  name: 'delete',
  argument: { name: 'name', type: featureSubgraphName },
  description: 'delete a feature subgraph; feature flags lose it',
  examples: ['fs delete products-next', 'fs delete products-next --force'],
  confirm: async (call) => {
    await expectFeatureSubgraph(call, 'delete')
    const { readNamespace, subgraphDeletion } = await import('../../command/consequences.ts')
    return subgraphDeletion(await readNamespace(call.registry, call.namespace), call.argument)
  },
  request: async (call) => {
    await expectFeatureSubgraph(call, 'delete')
    return deleteRequest(call)
  },
})
