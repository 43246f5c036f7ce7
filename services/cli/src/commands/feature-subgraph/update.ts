import { writeCommand } from '../../command/make-command.ts'
import { required } from '../../command/options.ts'
import { updateRequest } from '../../subgraphs/subgraph-requests.ts'
import { REFUSED_LABEL } from '../../command/shared-options.ts'
import { expectFeatureSubgraph } from '../../subgraphs/expect-feature-subgraph.ts'
import { featureSubgraphName, routingUrl } from '../../command/value-types.ts'

export const command = writeCommand({
  name: 'update',
  argument: { name: 'name', type: featureSubgraphName },
  description: 'change the routing URL of a feature subgraph',
  options: {
    routingUrl: required('--routing-url <url>', 'where routers reach it from now on', routingUrl),
    label: REFUSED_LABEL,
  },
  examples: ['fs update products-next --routing-url http://localhost:4202/graphql'],
  request: async (call) => {
    await expectFeatureSubgraph(call, 'update')
    return updateRequest(call, { routingUrl: call.options.routingUrl })
  },
})
