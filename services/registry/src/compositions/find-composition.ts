/** Finds the composition of a graph that a request names. */
import { type ArtifactReference, problem, ProblemError, referenceOf } from '@switchyard/contracts'
import { type NamedComposition, printCompositionName } from '@switchyard/contracts/studio'
import type { FederatedGraph, NamespaceState } from '@switchyard/domain'
import type { PublishedConfig } from '../reading/published-configs.ts'
import { resultOf } from '../views/composition-reports.ts'
import { newestResult, type ViewSources } from '../views/view-sources.ts'

/** Throws a ProblemError if there is no such composition. */
export async function findComposition(
  sources: ViewSources,
  state: NamespaceState,
  graph: FederatedGraph,
  named: NamedComposition,
): Promise<ArtifactReference> {
  const { revision, featureFlag } = named
  const id = { namespace: state.namespace, graph: graph.name }
  const { revisions } = sources
  if (revision === null) {
    const result = resultOf(newestResult(sources, state, graph), featureFlag)
    if (result === null) throw notFound(graph, named, 'the newest composition of the graph does not have it')
    // While the newest one fails, the one that is still served counts.
    const found = referenceOf(result) ?? servedBy(revisions.newest(id), featureFlag)
    if (found !== null) return found
    throw notFound(
      graph,
      named,
      result.status === 'empty' ? 'no schema was published yet' : 'it does not compose',
    )
  }
  const config = await revisions.find(id, revision)
  if (config === null) throw notFound(graph, named, await revisions.describeThose(id))
  const found = servedBy(config, featureFlag)
  if (found === null) throw notFound(graph, named, `revision ${revision} does not have it`)
  return found
}

function servedBy(config: PublishedConfig | null, featureFlag: string | null): ArtifactReference | null {
  if (featureFlag === null) return config?.base ?? null
  const variants = new Map(Object.entries({ ...config?.previews, ...config?.featureFlags }))
  return variants.get(featureFlag) ?? null
}

function notFound({ name }: FederatedGraph, named: NamedComposition, reason: string): ProblemError {
  const text = `There is no composition ${printCompositionName(named)} of federated graph "${name}": ${reason}.`
  return new ProblemError(problem('NOT_FOUND', text))
}
