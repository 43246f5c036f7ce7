import { writeCommand } from '../../command/make-command.ts'
import { required } from '../../command/options.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { labels } from '../../command/shared-options.ts'
import { newName, routingUrl } from '../../command/value-types.ts'

export const command = writeCommand({
  name: 'create',
  argument: { name: 'name', type: newName('subgraph') },
  description: 'create a subgraph; it takes part in graphs once its schema is published',
  options: {
    routingUrl: required(
      '--routing-url <url>',
      'where routers reach it; none for a subgraph of events',
      routingUrl,
    ),
    label: labels('key=value labels that graphs match it by'),
  },
  examples: ['subgraph create products --routing-url http://localhost:4101/graphql --label team=shop'],
  request: ({ namespace, argument, options }) => ({
    method: 'POST',
    path: apiPath('subgraphs', namespace),
    body: { name: argument, routingUrl: options.routingUrl, labels: options.label ?? [] },
  }),
})
