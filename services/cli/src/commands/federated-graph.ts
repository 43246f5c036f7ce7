import { FederatedGraphList } from '@switchyard/contracts'
import { parseLabelMatchers } from '../arguments.ts'
import { addGroup, addReadCommand, addWriteCommand, type Invocation } from '../command-builder.ts'
import { listed } from '../command-result.ts'
import type { CliCommand } from '../command-tree.ts'
import { list } from '../options.ts'
import { apiPath } from '../registry/registry-client.ts'
import { newName } from '../value-types.ts'

const labelMatcher = list(
  '--label-matcher <matchers...>',
  'which subgraphs belong to it: groups separated by spaces must all match, labels separated by commas are alternatives; none = only subgraphs without labels',
  parseLabelMatchers,
)

export function addFederatedGraphCommands(program: CliCommand, invocation: Invocation): void {
  const graph = addGroup(program, {
    name: 'federated-graph',
    alias: 'graph',
    description: 'graphs composed from the subgraphs whose labels match',
  })

  addWriteCommand(graph, invocation, {
    name: 'create',
    argument: { name: 'name', type: newName('federated graph') },
    description: 'create a federated graph',
    options: { labelMatcher },
    examples: [
      'federated-graph create shop --label-matcher team=shop',
      'graph create shop -n staging --label-matcher team=shop,team=billing env=prod',
    ],
    request: ({ namespace, argument, options }) => ({
      method: 'POST',
      path: apiPath('graphs', namespace),
      body: { name: argument, labelMatchers: options.labelMatcher ?? [] },
    }),
  })

  addReadCommand(graph, invocation, {
    name: 'list',
    description: 'list the federated graphs of a namespace',
    examples: ['graph list'],
    run: async ({ namespace, registry, context }) => {
      const found = await registry.get(apiPath('graphs', namespace), FederatedGraphList)
      return listed(
        found,
        {
          columns: ['name', 'label matchers', 'base', 'subgraphs'],
          rows: found.graphs.map((item) => [
            item.name,
            item.labelMatchers.join(' ') || '-',
            item.base,
            item.subgraphs.join(' ') || '-',
          ]),
          whenEmpty: `No federated graphs in namespace "${namespace}".`,
        },
        context,
      )
    },
  })
}
