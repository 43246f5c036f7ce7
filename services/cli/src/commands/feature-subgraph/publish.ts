import { UsageError } from '../../run/errors.ts'
import { readSchema } from '../../files/files.ts'
import { writeCommand } from '../../command/make-command.ts'
import { optional, required } from '../../command/options.ts'
import { publishRequest } from '../../subgraphs/subgraph-requests.ts'
import { REFUSED_LABEL } from '../../command/shared-options.ts'
import { expectFeatureSubgraph } from '../../subgraphs/expect-feature-subgraph.ts'
import { baseSubgraphName, featureSubgraphName, filePath, routingUrl } from '../../command/value-types.ts'

export const command = writeCommand({
  name: 'publish',
  annotated: true,
  argument: { name: 'name', type: featureSubgraphName },
  description:
    'publish the schema of a feature subgraph; with --subgraph and --routing-url it is created if missing',
  options: {
    schema: required('--schema <file>', 'the SDL of the feature subgraph; - reads standard input', filePath),
    routingUrl: optional('--routing-url <url>', 'where routers reach it (needs --subgraph)', routingUrl),
    subgraph: optional(
      '--subgraph <name>',
      'the subgraph that it replaces (needs --routing-url)',
      baseSubgraphName,
    ),
    label: REFUSED_LABEL,
  },
  examples: [
    'fs publish products-next --schema products-next.graphql',
    'fs publish products-next --schema products-next.graphql --subgraph products --routing-url http://localhost:4201/graphql',
  ],
  request: async (call) => {
    const { context, options } = call
    if ((options.routingUrl === undefined) !== (options.subgraph === undefined)) {
      throw new UsageError(
        'To create a feature subgraph while publishing, both --subgraph and --routing-url are needed; for one that exists, neither.',
      )
    }
    const schema = await readSchema(options.schema, context)
    if (options.subgraph === undefined) {
      await expectFeatureSubgraph(
        call,
        'publish',
        '; to create it now, give both --subgraph and --routing-url',
      )
    }
    return publishRequest(call, schema, { routingUrl: options.routingUrl, subgraph: options.subgraph })
  },
})
