import { CHECK_NOTES, CHECK_OPTIONS, runCheck } from '../../check/run-check.ts'
import { registryCommand } from '../../command/make-command.ts'
import { optional } from '../../command/options.ts'
import { REFUSED_LABEL } from '../../command/shared-options.ts'
import { baseSubgraphName, featureSubgraphName } from '../../command/value-types.ts'

export const command = registryCommand({
  name: 'check',
  annotated: true,
  argument: { name: 'name', type: featureSubgraphName },
  description: 'try out a schema, or a removal, on every graph and flag it would affect; writes nothing',
  options: {
    ...CHECK_OPTIONS,
    subgraph: optional(
      '--subgraph <name>',
      'what it replaces, for one that does not exist yet',
      baseSubgraphName,
    ),
    label: REFUSED_LABEL,
  },
  notes: CHECK_NOTES,
  examples: ['fs check products-next --schema products-next.graphql', 'fs check products-next --delete'],
  run: (call) =>
    runCheck(call, {
      featureSubgraph: true,
      labels: undefined,
      routingUrl: undefined,
      base: call.options.subgraph,
    }),
})
