/** Names that the registry knows, for the shell: quickly, or not at all. */
import {
  FeatureFlagList,
  FederatedGraphList,
  NamespaceList,
  RolloutList,
  PreviewList,
  SubgraphList,
} from '@switchyard/contracts'
import type { CliContext } from '../run/context.ts'
import { printerOn } from '../output/style.ts'
import { CliError } from '../run/errors.ts'
import { parseRegistryUrl, type RegistryLocation } from '../registry/find-registry.ts'
import { apiPath, connectRegistry, type RegistryClient } from '../registry/registry-client.ts'
import type { ResourceKind } from '../command/value-types.ts'

/** The longest wait of somebody who presses Tab. */
const PATIENCE_MS = 1000

/** The registry and the namespace whose names are asked for. */
export type NamespaceLocation = RegistryLocation & { readonly namespace: string }

/** The names of one kind. Empty when the registry does not answer within a second. */
export async function resourceNames(
  kind: ResourceKind,
  where: NamespaceLocation,
  context: CliContext,
): Promise<readonly string[]> {
  const giveUp = new AbortController()
  const signal = AbortSignal.any([context.signal, giveUp.signal, AbortSignal.timeout(PATIENCE_MS)])
  // The first message about a registry that does not answer ends the request: nobody reads messages here.
  const stderr = printerOn({ isTTY: false, write: () => giveUp.abort() })
  try {
    const { registryUrl: url, dataDir } = where
    const registryUrl = url === undefined ? undefined : parseRegistryUrl('--registry-url', url)
    const world = { env: context.env, cwd: context.cwd, signal, stderr }
    const registry = connectRegistry(world, { registryUrl, dataDir })
    return await namesOf(kind, where.namespace, registry)
  } catch (error) {
    if (error instanceof CliError) return []
    throw error
  }
}

async function namesOf(
  kind: ResourceKind,
  namespace: string,
  registry: RegistryClient,
): Promise<readonly string[]> {
  const eventual = '?consistency=eventual'
  switch (kind) {
    case 'namespace': {
      const { namespaces } = await registry.get(`${apiPath('namespaces')}${eventual}`, NamespaceList)
      return namespaces.map(({ name }) => name)
    }
    case 'federated-graph': {
      const { graphs } = await registry.get(`${apiPath('graphs', namespace)}${eventual}`, FederatedGraphList)
      return graphs.map(({ name }) => name)
    }
    case 'feature-flag': {
      const path = `${apiPath('feature-flags', namespace)}${eventual}`
      return (await registry.get(path, FeatureFlagList)).featureFlags.map(({ name }) => name)
    }
    case 'rollout': {
      const { rollouts } = await registry.get(`${apiPath('rollouts', namespace)}${eventual}`, RolloutList)
      return rollouts.map(({ name }) => name)
    }
    case 'preview': {
      const path = `${apiPath('previews', namespace)}${eventual}`
      return (await registry.get(path, PreviewList)).previews.map(({ name }) => name)
    }
    case 'subgraph':
    case 'base-subgraph':
    case 'feature-subgraph': {
      const { subgraphs } = await registry.get(`${apiPath('subgraphs', namespace)}${eventual}`, SubgraphList)
      return subgraphs
        .filter(({ base }) => kind === 'subgraph' || (base === null) === (kind === 'base-subgraph'))
        .map(({ name }) => name)
    }
    default:
      return kind satisfies never
  }
}
