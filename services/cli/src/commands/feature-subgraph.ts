import { SubgraphList } from '@switchyard/contracts'
import { addGroup, addReadCommand, addWriteCommand } from '../make-command.ts'
import type { Invocation, Noun } from '../command.ts'
import { listed } from '../command-result.ts'
import type { CliCommand } from '../command-tree.ts'
import { LocalRefusal, UsageError } from '../errors.ts'
import { readSchema } from '../files.ts'
import { flag, hidden, list, optional, required } from '../options.ts'
import { apiPath, type RegistryClient } from '../registry/registry-client.ts'
import { printSchema, showSubgraph } from '../subgraphs/show-subgraph.ts'
import { deleteRequest, publishRequest, updateRequest } from '../subgraphs/subgraph-requests.ts'
import { baseSubgraphName, featureSubgraphName, filePath, newName, routingUrl } from '../value-types.ts'
import { addFeatureSubgraphCheck } from './subgraph/check.ts'

/** Known, so that the refusal can say why. */
const label = hidden(
  list('--label <labels...>', 'refused', () => {
    throw new UsageError(
      'A feature subgraph has no labels: the labels of its feature flag decide which graphs it takes part in.',
    )
  }),
)

export function addFeatureSubgraphCommands(program: CliCommand, invocation: Invocation, noun: Noun): void {
  const featureSubgraph = addGroup(program, noun)

  addWriteCommand(featureSubgraph, invocation, {
    name: 'create',
    argument: { name: 'name', type: newName('feature subgraph') },
    description: 'create a feature subgraph; it has no effect until an enabled feature flag names it',
    options: {
      routingUrl: required('--routing-url <url>', 'where routers reach it', routingUrl),
      subgraph: required('--subgraph <name>', 'the subgraph that it replaces', baseSubgraphName),
      label,
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

  addWriteCommand(featureSubgraph, invocation, {
    name: 'publish',
    annotated: true,
    argument: { name: 'name', type: featureSubgraphName },
    description:
      'publish the schema of a feature subgraph; with --subgraph and --routing-url it is created if missing',
    options: {
      schema: required(
        '--schema <file>',
        'the SDL of the feature subgraph; - reads standard input',
        filePath,
      ),
      routingUrl: optional('--routing-url <url>', 'where routers reach it (needs --subgraph)', routingUrl),
      subgraph: optional(
        '--subgraph <name>',
        'the subgraph that it replaces (needs --routing-url)',
        baseSubgraphName,
      ),
      label,
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

  addWriteCommand(featureSubgraph, invocation, {
    name: 'update',
    argument: { name: 'name', type: featureSubgraphName },
    description: 'change the routing URL of a feature subgraph',
    options: {
      routingUrl: required('--routing-url <url>', 'where routers reach it from now on', routingUrl),
      label,
    },
    examples: ['fs update products-next --routing-url http://localhost:4202/graphql'],
    request: async (call) => {
      await expectFeatureSubgraph(call, 'update')
      return updateRequest(call, { routingUrl: call.options.routingUrl })
    },
  })

  addWriteCommand(featureSubgraph, invocation, {
    name: 'delete',
    argument: { name: 'name', type: featureSubgraphName },
    description: 'delete a feature subgraph; feature flags lose it',
    examples: ['fs delete products-next', 'fs delete products-next --force'],
    confirm: async (call) => {
      await expectFeatureSubgraph(call, 'delete')
      const { readNamespace, subgraphDeletion } = await import('../consequences.ts')
      return subgraphDeletion(await readNamespace(call.registry, call.namespace), call.argument)
    },
    request: async (call) => {
      await expectFeatureSubgraph(call, 'delete')
      return deleteRequest(call)
    },
  })

  addReadCommand(featureSubgraph, invocation, {
    name: 'list',
    description: 'list the feature subgraphs of a namespace',
    examples: ['fs list'],
    run: async ({ namespace, registry, context }) => {
      const all = await registry.get(apiPath('subgraphs', namespace), SubgraphList)
      const found = { subgraphs: all.subgraphs.filter(({ base }) => base !== null) }
      return listed(
        found,
        {
          columns: ['name', 'replaces', 'schema', 'routing url'],
          rows: found.subgraphs.map((item) => [
            item.name,
            item.base ?? '',
            item.published ? 'published' : 'not published',
            item.routingUrl,
          ]),
          whenEmpty: `No feature subgraphs in namespace "${namespace}".`,
        },
        context,
      )
    },
  })

  addReadCommand(featureSubgraph, invocation, {
    name: 'get',
    argument: { name: 'name', type: featureSubgraphName },
    description: 'show a feature subgraph, or print its published schema',
    options: { schema: flag('--schema', 'print the schema and nothing else') },
    examples: ['fs get products-next', 'fs get products-next --schema'],
    run: async (call) => {
      await expectFeatureSubgraph(call, 'get')
      return call.options.schema ? printSchema(call) : showSubgraph(call)
    },
  })

  addFeatureSubgraphCheck(featureSubgraph, invocation, label)
}

type Asked = { readonly registry: RegistryClient; readonly namespace: string; readonly argument: string }

/** Named kinds: what belongs to a subgraph is refused here, with the command for it. */
async function expectFeatureSubgraph(
  { registry, namespace, argument: name }: Asked,
  instead: string,
  whenMissing = '',
): Promise<void> {
  const { subgraphs } = await registry.get(apiPath('subgraphs', namespace), SubgraphList)
  const existing = subgraphs.find((item) => item.name === name)
  if (existing === undefined) {
    throw new LocalRefusal(
      'NOT_FOUND',
      `There is no feature subgraph "${name}" in namespace "${namespace}"${whenMissing}. Nothing was changed.`,
    )
  }
  if (existing.base === null) {
    throw new LocalRefusal(
      'FEATURE_SUBGRAPH_EXPECTED',
      `"${name}" is a subgraph, not a feature subgraph; use "switchyard subgraph ${instead}". Nothing was changed.`,
    )
  }
}
