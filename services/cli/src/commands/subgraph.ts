import { SubgraphList } from '@switchyard/contracts'
import type { Command } from 'commander'
import { parseLabels, parseName, parseNamespace, parseRoutingUrl } from '../arguments.ts'
import {
  checkWriting,
  finishList,
  finishWrite,
  withExamples,
  withRegistry,
  withWrite,
} from '../command-builder.ts'
import type { Invocation, RegistryOptions, WritingOptions } from '../command-builder.ts'
import { readSchemaFile } from '../files.ts'
import { apiPath, connectRegistry } from '../registry/registry-client.ts'

type CreateOptions = WritingOptions & { readonly routingUrl: string; readonly label?: readonly string[] }
type PublishOptions = WritingOptions & {
  readonly schema: string
  readonly routingUrl?: string
  readonly label?: readonly string[]
}

export function addSubgraphCommands(program: Command, invocation: Invocation): void {
  const subgraph = program
    .command('subgraph')
    .description('the services that a federated graph is composed from')

  withExamples(
    withWrite(
      subgraph
        .command('create <name>')
        .description('create a subgraph; it takes part in graphs once its schema is published')
        .requiredOption('--routing-url <url>', 'where routers reach it')
        .option('--label <labels...>', 'key=value labels that graphs match it by'),
    ),
    'subgraph create products --routing-url http://localhost:4101/graphql --label team=shop',
  ).action(async (name: string, options: CreateOptions) => {
    checkWriting(options)
    const namespace = parseNamespace(options.namespace)
    const body = {
      name: parseName('subgraph', name),
      routingUrl: parseRoutingUrl(options.routingUrl),
      labels: parseLabels(options.label),
    }
    const registry = await connectRegistry(invocation.context, options.dataDir)
    await finishWrite(
      invocation,
      options,
      await registry.write('POST', apiPath('subgraphs', namespace), body, options),
    )
  })

  withExamples(
    withWrite(
      subgraph
        .command('publish <name>')
        .description('publish a schema to a subgraph or a feature subgraph')
        .requiredOption('--schema <file>', 'the SDL of the subgraph')
        .option('--routing-url <url>', 'creates the subgraph when it does not exist yet')
        .option('--label <labels...>', 'labels of a subgraph created by this'),
    ),
    'subgraph publish products --schema products.graphql',
    'subgraph publish products --schema products.graphql --routing-url http://localhost:4101/graphql --label team=shop',
  ).action(async (name: string, options: PublishOptions) => {
    checkWriting(options)
    const namespace = parseNamespace(options.namespace)
    const subgraphName = parseName('subgraph', name)
    const routingUrl =
      options.routingUrl === undefined ? {} : { routingUrl: parseRoutingUrl(options.routingUrl) }
    const labels = options.label === undefined ? {} : { labels: parseLabels(options.label) }
    const sdl = await readSchemaFile(options.schema, invocation.context.cwd)
    const registry = await connectRegistry(invocation.context, options.dataDir)
    const path = apiPath('subgraphs', namespace, subgraphName, 'schema')
    const outcome = await registry.write('PUT', path, { sdl, ...routingUrl, ...labels }, options)
    await finishWrite(invocation, options, outcome, new Map([[subgraphName, { sdl, file: options.schema }]]))
  })

  withExamples(
    withRegistry(
      subgraph.command('list').description('list the subgraphs of a namespace, feature subgraphs too'),
    ),
    'subgraph list',
    'subgraph list -n staging --json',
  ).action(async (options: RegistryOptions) => {
    const namespace = parseNamespace(options.namespace)
    const registry = await connectRegistry(invocation.context, options.dataDir)
    const list = await registry.get(apiPath('subgraphs', namespace), SubgraphList)
    finishList(invocation, list, {
      columns: ['name', 'labels', 'schema', 'replaces', 'routing url'],
      rows: list.subgraphs.map((item) => [
        item.name,
        item.labels.join(' ') || '-',
        item.published ? 'published' : 'not published',
        item.base ?? '-',
        item.routingUrl,
      ]),
      whenEmpty: `No subgraphs in namespace "${namespace}".`,
    })
  })
}
