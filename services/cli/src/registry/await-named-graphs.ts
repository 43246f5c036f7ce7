/**
 * The wait after a command that changed nothing. It has no outcome that could be asked for, and must not be
 * sent again: somebody else may have made another change meanwhile. So the graphs that it names are looked at
 * until they are composed and routers serve them.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type CommandOutcome, FederatedGraphDetail, RolloutList } from '@switchyard/contracts'
import { RefusedByRegistry } from '../run/errors.ts'
import type { WaitOptions } from './write-and-wait.ts'
import { apiPath, type RegistryClient } from './registry-client.ts'

const PAUSE_MS = 500

export type NamedGraphs = { readonly namespace: string; readonly outcome: CommandOutcome }

/** The outcome with what is known of these graphs when nothing more is waited for, or the wait has ended. */
export async function awaitNamedGraphs(
  registry: RegistryClient,
  { namespace, outcome }: NamedGraphs,
  { waitMs, isOver, signal, onProgress }: WaitOptions,
): Promise<CommandOutcome> {
  const names = outcome.namedGraphs ?? []
  const ends = performance.now() + waitMs
  for (;;) {
    const graphs: FederatedGraphDetail[] = []
    for (const name of names)
      graphs.push(await registry.get(apiPath('graphs', namespace, name), FederatedGraphDetail))
    const without = names.length === 0 ? new Set<string>() : await unpublished(registry, namespace)
    const known = { ...outcome, ...summaryOf(graphs, without) }
    if (isOver(known) || performance.now() >= ends) return known
    onProgress(known)
    await sleep(Math.min(PAUSE_MS, Math.max(0, ends - performance.now())), undefined, { signal })
  }
}

/** Names of the graphs whose rollouts routers were not given yet. */
async function unpublished(registry: RegistryClient, namespace: string): Promise<ReadonlySet<string>> {
  try {
    const { rollouts } = await registry.get(apiPath('rollouts', namespace), RolloutList)
    return new Set(rollouts.filter(({ state }) => state === 'pending').map(({ graph }) => graph))
  } catch (error) {
    // A registry of before has no rollouts.
    if (error instanceof RefusedByRegistry && error.code === 'NOT_FOUND') return new Set()
    throw error
  }
}

/** Graphs without anything to compose are left out: nothing of them is served. */
function summaryOf(
  graphs: readonly FederatedGraphDetail[],
  unpublishedRollouts: ReadonlySet<string>,
): Pick<CommandOutcome, 'namedGraphs' | 'pending' | 'routers'> {
  const served = graphs.filter(({ base }) => base !== 'empty')
  const isPending = ({ name, base, featureFlags }: FederatedGraphDetail) =>
    base === 'pending' ||
    unpublishedRollouts.has(name) ||
    featureFlags.some(({ state }) => state === 'pending')
  const sum = (count: (graph: FederatedGraphDetail) => number) =>
    served.reduce((total, graph) => total + count(graph), 0)
  return {
    namedGraphs: served.map(({ name }) => name),
    pending: served.some(isPending),
    routers: {
      // While the base of a graph does not compose, routers serve what it was before.
      serving: sum(({ base, routers }) => (base === 'failed' ? 0 : routers.serving)),
      total: sum(({ routers }) => routers.total),
      ...(served.every(({ routers }) => routers.verified === true) ? { verified: true as const } : {}),
    },
  }
}
