import { FederatedGraphDetail } from '@switchyard/contracts'
import type { CommandResult } from '../../output/command-result.ts'
import type { CliContext } from '../../run/context.ts'
import { registryCommand } from '../../command/make-command.ts'
import { printRevision } from '../../output/revision.ts'
import { describeCompositions } from '../../output/outcome.ts'
import { detailsResult } from '../../output/shown-results.ts'
import { styleFor } from '../../output/style.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { schemaSources, type SchemaSources } from '../../registry/schema-sources.ts'
import { servedBy } from '../../registry/served-graphs.ts'
import { graphName } from '../../command/value-types.ts'

export const command = registryCommand({
  name: 'get',
  argument: { name: 'name', type: graphName },
  description: 'show a federated graph: subgraphs, feature flags, what routers serve, composition errors',
  examples: ['graph get shop', 'graph get shop --json'],
  run: async ({ namespace, registry, argument, context }) => {
    const found = await registry.get(apiPath('graphs', namespace, argument), FederatedGraphDetail)
    return describeGraph(found, await schemaSources(found.compositions, namespace, registry), context)
  },
})

async function describeGraph(
  graph: FederatedGraphDetail,
  sources: SchemaSources,
  context: CliContext,
): Promise<CommandResult> {
  const { compositions, routers, ...result } = graph
  const shown = detailsResult(
    { result, compositions, routers },
    [
      ['name', graph.name],
      ['namespace', graph.namespace],
      ['label matchers', graph.labelMatchers.join(' ')],
      ...(graph.allowUnenforcedAuthorization ? [['unenforced authorization', 'allowed'] as const] : []),
      ...(graph.publicUrl === null ? [] : [['public URL', graph.publicUrl] as const]),
      ['base', graph.base],
      ['revision', printRevision(graph)],
      ['routers', routers.total === 0 ? 'none has reported' : `${routers.serving}/${routers.total} serve it`],
      ['subgraphs', graph.subgraphs],
      ['feature flags', graph.featureFlags.map(({ name, state }) => `${name}: ${state}`)],
    ],
    context,
  )
  const told = describeCompositions(
    compositions,
    sources,
    styleFor(context.stdout, context.env),
    new Map([[graph.name, servedBy(graph)]]),
  )
  return { ...shown, text: [shown.text, told].filter((text) => text !== '').join('\n\n') }
}
