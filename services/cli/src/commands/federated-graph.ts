import { FederatedGraphList } from '@switchyard/contracts'
import type { Command } from 'commander'
import { parseLabelMatchers, parseName, parseNamespace } from '../arguments.ts'
import {
  checkWriting,
  finishList,
  finishWrite,
  withExamples,
  withRegistry,
  withWrite,
} from '../command-builder.ts'
import type { Invocation, RegistryOptions, WritingOptions } from '../command-builder.ts'
import { apiPath, connectRegistry } from '../registry/registry-client.ts'

type CreateOptions = WritingOptions & { readonly labelMatcher?: readonly string[] }

export function addFederatedGraphCommands(program: Command, invocation: Invocation): void {
  const graph = program
    .command('federated-graph')
    .alias('graph')
    .description('graphs composed from the subgraphs whose labels match')

  withExamples(
    withWrite(
      graph
        .command('create <name>')
        .description('create a federated graph')
        .option(
          '--label-matcher <matchers...>',
          'which subgraphs belong to it: groups separated by spaces must all match, labels separated by commas are alternatives; none = only subgraphs without labels',
        ),
    ),
    'federated-graph create shop --label-matcher team=shop',
    'graph create shop -n staging --label-matcher team=shop,team=billing env=prod',
  ).action(async (name: string, options: CreateOptions) => {
    checkWriting(options)
    const namespace = parseNamespace(options.namespace)
    const body = {
      name: parseName('federated graph', name),
      labelMatchers: parseLabelMatchers(options.labelMatcher),
    }
    const registry = await connectRegistry(invocation.context, options.dataDir)
    await finishWrite(
      invocation,
      options,
      await registry.write('POST', apiPath('graphs', namespace), body, options),
    )
  })

  withExamples(
    withRegistry(graph.command('list').description('list the federated graphs of a namespace')),
    'graph list',
  ).action(async (options: RegistryOptions) => {
    const namespace = parseNamespace(options.namespace)
    const registry = await connectRegistry(invocation.context, options.dataDir)
    const list = await registry.get(apiPath('graphs', namespace), FederatedGraphList)
    finishList(invocation, list, {
      columns: ['name', 'label matchers', 'base', 'subgraphs'],
      rows: list.graphs.map((item) => [
        item.name,
        item.labelMatchers.join(' ') || '-',
        item.base,
        item.subgraphs.join(' ') || '-',
      ]),
      whenEmpty: `No federated graphs in namespace "${namespace}".`,
    })
  })
}
