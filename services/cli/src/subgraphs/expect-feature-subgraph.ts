import { didYouMean, SubgraphList } from '@switchyard/contracts'
import { LocalRefusal } from '../run/errors.ts'
import { apiPath, type RegistryClient } from '../registry/registry-client.ts'

type NamedFeatureSubgraph = {
  readonly registry: RegistryClient
  readonly namespace: string
  readonly argument: string
}

/**
 * Refuses the name of a subgraph where a feature subgraph is expected. The registry keeps both in one list
 * and would take either name.
 *
 * @param verb the command of `switchyard subgraph` that does the same to a subgraph
 * @param whenMissing what may be done when there is neither
 */
export async function expectFeatureSubgraph(
  { registry, namespace, argument: name }: NamedFeatureSubgraph,
  verb: string,
  whenMissing = '',
): Promise<void> {
  const { subgraphs } = await registry.get(apiPath('subgraphs', namespace), SubgraphList)
  const existing = subgraphs.find((item) => item.name === name)
  if (existing === undefined) {
    const known = subgraphs.filter(({ base }) => base !== null).map((item) => item.name)
    throw new LocalRefusal(
      'NOT_FOUND',
      `There is no feature subgraph "${name}" in namespace "${namespace}"${whenMissing}.${didYouMean(name, known)} Nothing was changed.`,
    )
  }
  if (existing.base === null) {
    throw new LocalRefusal(
      'FEATURE_SUBGRAPH_EXPECTED',
      `"${name}" is a subgraph, not a feature subgraph; use "switchyard subgraph ${verb}". Nothing was changed.`,
    )
  }
}
