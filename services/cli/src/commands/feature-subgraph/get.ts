import { registryCommand } from '../../command/make-command.ts'
import { flag } from '../../command/options.ts'
import { printSchema, showSubgraph } from '../../subgraphs/show-subgraph.ts'
import { expectFeatureSubgraph } from '../../subgraphs/expect-feature-subgraph.ts'
import { featureSubgraphName } from '../../command/value-types.ts'

export const command = registryCommand({
  name: 'get',
  argument: { name: 'name', type: featureSubgraphName },
  description: 'show a feature subgraph, or print its published schema',
  options: { schema: flag('--schema', 'print the schema and nothing else') },
  examples: ['fs get products-next', 'fs get products-next --schema'],
  run: async (call) => {
    await expectFeatureSubgraph(call, 'get')
    return call.options.schema ? printSchema(call) : showSubgraph(call)
  },
})
