import { FeatureFlagDetail } from '@switchyard/contracts'
import type { CommandResult } from '../../output/command-result.ts'
import type { CliContext } from '../../run/context.ts'
import { registryCommand } from '../../command/make-command.ts'
import { describeCompositions } from '../../output/outcome.ts'
import { requestLines } from '../../usage/flag-requests.ts'
import { lastNamed, promotedLines, stageOf } from '../../output/flag-stage.ts'
import { detailsResult } from '../../output/shown-results.ts'
import { styleFor } from '../../output/style.ts'
import { apiPath } from '../../registry/registry-client.ts'
import { schemaSources, type SchemaSources } from '../../registry/schema-sources.ts'
import { servedGraphs, type ServedGraphs } from '../../registry/served-graphs.ts'
import { featureFlagName } from '../../command/value-types.ts'

export const command = registryCommand({
  name: 'get',
  argument: { name: 'name', type: featureFlagName },
  description: 'show a feature flag: its state in every graph, and composition errors',
  examples: ['ff get new-pricing', 'ff get new-pricing --json'],
  run: async ({ namespace, registry, argument, context }) => {
    const found = await registry.get(apiPath('feature-flags', namespace, argument), FeatureFlagDetail)
    const sources = await schemaSources(found.compositions, namespace, registry)
    const served = await servedGraphs(found.compositions, namespace, registry)
    return describeFlag(found, sources, served, context)
  },
})

async function describeFlag(
  found: FeatureFlagDetail,
  sources: SchemaSources,
  served: ServedGraphs,
  context: CliContext,
): Promise<CommandResult> {
  const { compositions, ...result } = found
  const { launched } = found
  const shown = detailsResult(
    { result, compositions },
    [
      ['name', found.name],
      ['namespace', found.namespace],
      ['state', stageOf(found)],
      ['last named', lastNamed(found)],
      ...(launched === undefined ? [] : [['promoted', promotedLines(launched)] as const]),
      ['labels', found.labels.join(' ')],
      ['feature subgraphs', found.featureSubgraphs],
      ...requestLines(found),
      ['federated graphs', found.graphs.map(({ graph, state }) => `${graph}: ${state}`)],
    ],
    context,
  )
  const told = describeCompositions(compositions, sources, styleFor(context.stdout, context.env), served)
  return { ...shown, text: [shown.text, told].filter((text) => text !== '').join('\n\n') }
}
