import { readSchema } from '../../files/files.ts'
import { writeCommand } from '../../command/make-command.ts'
import { optional, required } from '../../command/options.ts'
import { publishRequest } from '../../subgraphs/subgraph-requests.ts'
import { labels } from '../../command/shared-options.ts'
import { filePath, routingUrl, subgraphName } from '../../command/value-types.ts'

export const command = writeCommand({
  name: 'publish',
  annotated: true,
  argument: { name: 'name', type: subgraphName },
  description: 'publish a schema to a subgraph or a feature subgraph',
  options: {
    schema: required('--schema <file>', 'the SDL of the subgraph; - reads standard input', filePath),
    routingUrl: optional(
      '--routing-url <url>',
      'creates the subgraph when it does not exist yet; none for one of events',
      routingUrl,
    ),
    label: labels('labels of a subgraph created by this'),
  },
  examples: [
    'subgraph publish products --schema products.graphql',
    'subgraph publish products --schema - < products.graphql',
    'subgraph publish products --schema products.graphql --routing-url http://localhost:4101/graphql --label team=shop',
  ],
  request: async (call) => {
    const { routingUrl: url, label: labels } = call.options
    const schema = await readSchema(call.options.schema, call.context)
    return publishRequest(call, schema, { routingUrl: url, labels })
  },
})
