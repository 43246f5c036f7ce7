import { writeCommand } from '../../command/make-command.ts'
import { required } from '../../command/options.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { REFUSED_LABEL } from '../../command/shared-options.ts'
import { baseSubgraphName, newName, routingUrl } from '../../command/value-types.ts'

export const command = writeCommand({
  name: 'create',
  argument: { name: 'name', type: newName('feature subgraph') },
  description: 'create a feature subgraph; it has no effect until an enabled feature flag names it',
  options: {
    routingUrl: required('--routing-url <url>', 'where routers reach it', routingUrl),
    subgraph: required('--subgraph <name>', 'the subgraph that it replaces', baseSubgraphName),
    label: REFUSED_LABEL,
  },
  examples: [
    'feature-subgraph create products-next --subgraph products --routing-url http://localhost:4201/graphql',
  ],
  request: ({ namespace, argument, options }) => ({
    method: 'POST',
    path: apiPath('feature-subgraphs', namespace),
    body: { name: argument, routingUrl: options.routingUrl, subgraph: options.subgraph },
  }),
})
