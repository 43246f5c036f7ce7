import { SubgraphList } from '@switchyard/contracts'
import { parseLabels } from '../arguments.ts'
import { addGroup, addReadCommand, addWriteCommand } from '../make-command.ts'
import type { Invocation, Noun } from '../command.ts'
import { listed } from '../command-result.ts'
import type { CliCommand } from '../command-tree.ts'
import { UsageError } from '../errors.ts'
import { readSchema } from '../files.ts'
import { chosenLabels, flag, list, optional, required } from '../options.ts'
import { apiPath } from '../registry/registry-client.ts'
import { printSchema, showSubgraph } from '../subgraphs/show-subgraph.ts'
import { deleteRequest, publishRequest, updateRequest } from '../subgraphs/subgraph-requests.ts'
import { filePath, newName, routingUrl, subgraphName } from '../value-types.ts'
import { addSubgraphCheck } from './subgraph/check.ts'
import { addSubgraphIntrospect } from './subgraph/introspect.ts'

export function addSubgraphCommands(program: CliCommand, invocation: Invocation, noun: Noun): void {
  const subgraph = addGroup(program, noun)

  addWriteCommand(subgraph, invocation, {
    name: 'create',
    argument: { name: 'name', type: newName('subgraph') },
    description: 'create a subgraph; it takes part in graphs once its schema is published',
    options: {
      routingUrl: required('--routing-url <url>', 'where routers reach it', routingUrl),
      label: list('--label <labels...>', 'key=value labels that graphs match it by', parseLabels),
    },
    examples: ['subgraph create products --routing-url http://localhost:4101/graphql --label team=shop'],
    request: ({ namespace, argument, options }) => ({
      method: 'POST',
      path: apiPath('subgraphs', namespace),
      body: { name: argument, routingUrl: options.routingUrl, labels: options.label ?? [] },
    }),
  })

  addWriteCommand(subgraph, invocation, {
    name: 'publish',
    annotated: true,
    argument: { name: 'name', type: subgraphName },
    description: 'publish a schema to a subgraph or a feature subgraph',
    options: {
      schema: required('--schema <file>', 'the SDL of the subgraph; - reads standard input', filePath),
      routingUrl: optional(
        '--routing-url <url>',
        'creates the subgraph when it does not exist yet',
        routingUrl,
      ),
      label: list('--label <labels...>', 'labels of a subgraph created by this', parseLabels),
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

  addWriteCommand(subgraph, invocation, {
    name: 'update',
    argument: { name: 'name', type: subgraphName },
    description: 'change the routing URL or the labels of a subgraph',
    options: {
      routingUrl: optional('--routing-url <url>', 'where routers reach it from now on', routingUrl),
      label: list('--label <labels...>', 'all of its labels from now on', parseLabels),
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

  addWriteCommand(subgraph, invocation, {
    name: 'delete',
    argument: { name: 'name', type: subgraphName },
    description: 'delete a subgraph, and with it the feature subgraphs that replace it',
    examples: ['subgraph delete products', 'subgraph delete products --force'],
    confirm: async ({ registry, namespace, argument }) => {
      const { readNamespace, subgraphDeletion } = await import('../consequences.ts')
      return subgraphDeletion(await readNamespace(registry, namespace), argument)
    },
    request: deleteRequest,
  })

  addReadCommand(subgraph, invocation, {
    name: 'list',
    description: 'list the subgraphs of a namespace, feature subgraphs too',
    examples: ['subgraph list', 'subgraph list -n staging --json'],
    run: async ({ namespace, registry, context }) => {
      const found = await registry.get(apiPath('subgraphs', namespace), SubgraphList)
      return listed(
        found,
        {
          columns: ['name', 'labels', 'schema', 'replaces', 'routing url'],
          rows: found.subgraphs.map((item) => [
            item.name,
            item.labels.join(' ') || '-',
            item.published ? 'published' : 'not published',
            item.base ?? '-',
            item.routingUrl,
          ]),
          whenEmpty: `No subgraphs in namespace "${namespace}".`,
        },
        context,
      )
    },
  })

  addReadCommand(subgraph, invocation, {
    name: 'get',
    argument: { name: 'name', type: subgraphName },
    description: 'show a subgraph, or print its published schema',
    options: { schema: flag('--schema', 'print the schema and nothing else') },
    examples: ['subgraph get products', 'subgraph get products --schema'],
    run: (call) => (call.options.schema ? printSchema(call) : showSubgraph(call)),
  })

  addSubgraphCheck(subgraph, invocation)
  addSubgraphIntrospect(subgraph, invocation)
}
