import { PreviewView } from '@switchyard/contracts'
import { registryCommand } from '../../command/make-command.ts'
import { previewName } from '../../command/value-types.ts'
import { detailsResult } from '../../output/shown-results.ts'
import { apiPath } from '../../registry/registry-client.ts'

export const command = registryCommand({
  name: 'get',
  argument: { name: 'name', type: previewName },
  description:
    'show a preview: the name that requests give, its subgraphs, its end, and its state in every graph',
  examples: ['preview get pr-481', 'preview get pr-481 --json'],
  run: async ({ namespace, registry, argument, context }) => {
    const found = await registry.get(apiPath('previews', namespace, argument), PreviewView)
    return detailsResult(
      { result: found },
      [
        ['name', found.name],
        ['namespace', found.namespace],
        ['flag', found.flag],
        ['ends', found.expires],
        ['subgraphs', found.subgraphs.map(({ base, routingUrl }) => `${base}: ${routingUrl}`)],
        ['federated graphs', found.graphs.map(({ graph, state }) => `${graph}: ${state}`)],
      ],
      context,
    )
  },
})
