import { CHECK_NOTES, CHECK_OPTIONS, runCheck } from '../../check/run-check.ts'
import { registryCommand } from '../../command/make-command.ts'
import { optional } from '../../command/options.ts'
import { labels } from '../../command/shared-options.ts'
import { routingUrl, subgraphName } from '../../command/value-types.ts'

export const command = registryCommand({
  name: 'check',
  annotated: true,
  argument: { name: 'name', type: subgraphName },
  description: 'try out a schema, or a removal, on every graph and flag it would affect; writes nothing',
  options: {
    ...CHECK_OPTIONS,
    label: labels('labels of a subgraph that does not exist yet'),
    routingUrl: optional('--routing-url <url>', 'of a subgraph that does not exist yet', routingUrl),
  },
  notes: CHECK_NOTES,
  examples: [
    'subgraph check products --schema products.graphql',
    'subgraph check products --schema products.graphql --output github',
    'subgraph check products --schema products.graphql --strict',
    'subgraph check products --schema products.graphql --usage 30d',
    'subgraph check offers --schema offers.graphql --label team=shop',
    'subgraph check products --delete',
  ],
  run: (call) => {
    const { label: labels, routingUrl: url } = call.options
    return runCheck(call, { featureSubgraph: false, labels, routingUrl: url, base: undefined })
  },
})
