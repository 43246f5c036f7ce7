import { registryCommand } from '../../command/make-command.ts'
import { flag } from '../../command/options.ts'
import { printSchema, showSubgraph } from '../../subgraphs/show-subgraph.ts'
import { subgraphName } from '../../command/value-types.ts'

export const command = registryCommand({
  name: 'get',
  argument: { name: 'name', type: subgraphName },
  description: 'show a subgraph, or print its published schema',
  options: { schema: flag('--schema', 'print the schema and nothing else') },
  examples: ['subgraph get products', 'subgraph get products --schema'],
  run: (call) => (call.options.schema ? printSchema(call) : showSubgraph(call)),
})
