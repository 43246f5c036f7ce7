/** Decides about a described request by the rollouts that the registry has, with the code of routers. */
import {
  FederatedGraphDetail,
  type ManifestRollout,
  RevisionList,
  RolloutList,
  type RolloutView,
} from '@switchyard/contracts'
import { type RolloutExplanation, RolloutTable } from '@switchyard/rollouts'
import { apiPath, type RegistryClient } from '../registry/registry-client.ts'
import { type DescribedRequest, describedReader } from './described-request.ts'

/** The rollouts of a graph in their order, and what they come to. */
export type ExplainedGraph = {
  readonly graph: string
  readonly rollouts: readonly RolloutView[]
  readonly explanation: RolloutExplanation
}

/** `name` is that of a graph, or of a rollout of the graph. */
export async function explainRollouts(
  registry: RegistryClient,
  namespace: string,
  name: string,
  request: DescribedRequest,
): Promise<ExplainedGraph> {
  const { rollouts: all } = await registry.get(apiPath('rollouts', namespace), RolloutList)
  const graph = await graphNamed(registry, namespace, name, all)
  const rollouts = all.filter((rollout) => rollout.graph === graph)
  const path = `${apiPath('graphs', namespace, graph, 'revisions')}?limit=1`
  const [newest] = (await registry.get(path, RevisionList)).revisions
  const table = new RolloutTable<DescribedRequest>({
    rollouts: rollouts.map(asInManifest),
    flags: new Set(newest?.featureFlags),
    readerOf: describedReader,
  })
  return { graph, rollouts, explanation: table.explain(request, Date.now()) }
}

/** Returns a rollout as routers get it. */
function asInManifest({
  name,
  flag,
  mode,
  where,
  inForce,
  key,
  salt,
  expires,
}: RolloutView): ManifestRollout {
  const rollout = { name, flag, mode, where, percent: inForce, key, salt }
  return expires === null ? rollout : { ...rollout, expires }
}

/** Throws the registry's refusal if there is neither a rollout nor a graph of the name. */
async function graphNamed(
  registry: RegistryClient,
  namespace: string,
  name: string,
  rollouts: readonly RolloutView[],
): Promise<string> {
  if (rollouts.some(({ graph }) => graph === name)) return name
  const named = rollouts.find((rollout) => rollout.name === name)
  if (named !== undefined) return named.graph
  return (await registry.get(apiPath('graphs', namespace, name), FederatedGraphDetail)).name
}
