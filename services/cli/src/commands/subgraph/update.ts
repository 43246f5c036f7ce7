import { UsageError } from '../../run/errors.ts'
import { writeCommand } from '../../command/make-command.ts'
import { chosenLabels, flag, optional } from '../../command/options.ts'
import { updateRequest } from '../../subgraphs/subgraph-requests.ts'
import { labels } from '../../command/shared-options.ts'
import { routingUrl, subgraphName } from '../../command/value-types.ts'

export const command = writeCommand({
  name: 'update',
  argument: { name: 'name', type: subgraphName },
  description: 'change the routing URL or the labels of a subgraph',
  options: {
    routingUrl: optional('--routing-url <url>', 'where routers reach it from now on', routingUrl),
    label: labels('all of its labels from now on'),
    unsetLabels: flag('--unset-labels', 'remove all labels'),
  },
  examples: [
    'subgraph update products --routing-url http://localhost:4101/graphql',
    'subgraph update products --label team=shop env=prod',
    'subgraph update products --unset-labels',
  ],
  request: (call) => {
    const labels = chosenLabels(call.options)
    const { routingUrl: url } = call.options
    if (url === undefined && labels === undefined) {
      throw new UsageError(
        'subgraph update changes --routing-url, --label or --unset-labels; none was given.',
      )
    }
    return updateRequest(call, { routingUrl: url, labels })
  },
})
