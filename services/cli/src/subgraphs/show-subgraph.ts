/** One subgraph or feature subgraph with all that is known about it. */
import { SubgraphDetail, SubgraphSchema } from '@switchyard/contracts'
import { type CommandResult, successResult } from '../output/command-result.ts'
import type { CliContext } from '../run/context.ts'
import type { Detail } from '../output/details.ts'
import { detailsResult } from '../output/shown-results.ts'
import { apiPath, type RegistryClient } from '../registry/registry-client.ts'

type SubgraphToShow = {
  readonly registry: RegistryClient
  readonly namespace: string
  readonly argument: string
  readonly context: CliContext
}

/** All that the registry knows about a subgraph, as details. */
export async function showSubgraph({
  registry,
  namespace,
  argument,
  context,
}: SubgraphToShow): Promise<CommandResult> {
  const found = await registry.get(apiPath('subgraphs', namespace, argument), SubgraphDetail)
  const own: readonly Detail[] =
    found.base === null
      ? [
          ['labels', found.labels.join(' ')],
          ['feature subgraphs', found.featureSubgraphs],
        ]
      : [
          ['replaces', found.base],
          ['feature flags', found.featureFlags],
        ]
  return detailsResult(
    { result: found },
    [
      ['name', found.name],
      ['kind', found.base === null ? 'subgraph' : 'feature subgraph'],
      ['namespace', found.namespace],
      ['routing url', found.routingUrl],
      [
        'schema',
        found.published
          ? `published, ${found.bytes ?? 0} bytes, sha256 ${found.schema ?? '-'}`
          : 'not published',
      ],
      ...own,
      ['federated graphs', found.graphs],
    ],
    context,
  )
}

/** The published SDL and nothing else. */
export async function printSchema({ registry, namespace, argument }: SubgraphToShow): Promise<CommandResult> {
  const found = await registry.get(apiPath('subgraphs', namespace, argument, 'schema'), SubgraphSchema)
  // The line end that printing adds is the schema's own.
  return successResult({ result: found }, found.sdl.replace(/\n$/, ''))
}
