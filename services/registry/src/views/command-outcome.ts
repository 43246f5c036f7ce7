/** The effects of a command: first its compositions, then the routers that serve them. */
import { isDeepStrictEqual } from 'node:util'
import {
  type CommandOutcome,
  type GraphName,
  isFrozen,
  isManifestOf,
  type RouterHeartbeat,
} from '@switchyard/contracts'
import { manifestRollouts } from '@switchyard/domain'
import type { Changes } from '@switchyard/service-kit'
import { reportsOf } from './composition-reports.ts'
import type { CompositionEntry, CompositionResults } from '../reading/composition-results.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { PublishedConfig } from '../reading/published-configs.ts'
import type { RegistryReader } from '../reading/registry-reader.ts'
import type { RevisionHistory } from '../reading/revision-history.ts'

/** The extra time for routers, so that "live on 2/2 routers" tells the truth. */
const ROUTERS_WAIT_MS = 2000

export type Downstream = {
  readonly fold: RegistryReader
  readonly compositions: CompositionResults
  readonly revisions: RevisionHistory
  readonly fleet: Fleet
  readonly changes: Changes
  /** Unix milliseconds. */
  readonly now: () => number
  readonly signal: AbortSignal
}

export type WrittenCommand = {
  readonly namespace: string
  readonly sequence: number
  readonly affectedGraphs: readonly string[]
  /** Graphs whose rollouts the command changed. */
  readonly rolloutGraphs: readonly string[]
  /** Previews that the command created or changed, by the names that requests give. */
  readonly previews: readonly string[]
  readonly waitMs: number
}

export async function awaitOutcome(
  downstream: Downstream,
  command: WrittenCommand,
): Promise<Pick<CommandOutcome, 'compositions' | 'pending' | 'routers'>> {
  const { fold, compositions, revisions, changes, signal } = downstream
  const { namespace, sequence, previews } = command
  const graphs = command.affectedGraphs.map((graph) => ({ namespace, graph }))
  const released = command.rolloutGraphs.map((graph) => ({ namespace, graph }))
  const covering = (graph: GraphName) => compositions.covering(graph, sequence, previews)
  const isPublished = () =>
    graphs.every((graph) => covering(graph) !== null) &&
    released.every((graph) => hasRollouts(downstream, graph))
  const published = await changes.until(isPublished, command.waitMs, signal)
  const soFar = (graph: GraphName) => compositions.coveringSoFar(graph, sequence, previews)
  await Promise.all(graphs.map((graph) => revisions.recallPin(graph, soFar(graph))))
  if (published && command.waitMs > 0) {
    const isSettled = () =>
      graphs.every((graph) => routersSettled(downstream, graph, covering(graph))) &&
      released.every((graph) => allServe(downstream, graph, revisions.told(graph)))
    await changes.until(isSettled, ROUTERS_WAIT_MS, signal)
  }
  // One that was created since then under the name of a removed one is another command's.
  const own = graphs.filter(({ graph }) => fold.createdAt(namespace, graph) <= sequence)
  return {
    compositions: own.flatMap((graph) =>
      reportsOf(graph.graph, soFar(graph), compositions.before(graph, sequence), previews),
    ),
    pending: !published,
    routers: countRouters(downstream, [
      ...own.map((graph) => ({ graph, entry: soFar(graph) })),
      ...released
        .filter(({ graph }) => !command.affectedGraphs.includes(graph))
        .map((graph) => ({ graph, entry: compositions.newest(graph) })),
    ]),
  }
}

/** Whether routers were given the graph's rollouts as they are, or are given nothing of it at all. */
export function hasRollouts(
  { fold, revisions }: Pick<Downstream, 'fold' | 'revisions'>,
  graph: GraphName,
): boolean {
  const told = revisions.told(graph)
  if (told === null || told.base === null) return true
  return isDeepStrictEqual(told.rollouts, manifestRollouts(fold.state(graph.namespace), graph.graph))
}

/**
 * Counts routers. Those of a removed graph are not counted, since there is nothing that they should serve.
 */
export function countRouters(
  { fleet, revisions }: Pick<Downstream, 'fleet' | 'revisions'>,
  graphs: readonly { readonly graph: GraphName; readonly entry: CompositionEntry | null }[],
): { serving: number; total: number; verified?: true } {
  let serving = 0
  let total = 0
  for (const { graph, entry } of graphs) {
    if (entry?.record.type === 'graph.removed') continue
    const routers = fleet.following(graph)
    const target = revisions.carryingOut(graph, entry)
    total += routers.length
    if (target !== null && target.base !== null) {
      serving += routers.filter((router) => serves(router, target)).length
    }
  }
  return { serving, total, ...(fleet.isVerified ? { verified: true as const } : {}) }
}

/** True if every router serves the result or has refused it, or if there is nothing to serve. */
function routersSettled(downstream: Downstream, graph: GraphName, entry: CompositionEntry | null): boolean {
  const { fleet, revisions } = downstream
  if (fleet.following(graph).length === 0) return true
  const target = revisions.carryingOut(graph, entry)
  // Before the first revision, and when the graph is gone, routers cannot do more than know that.
  if (target === null) {
    const canNothingCome =
      entry?.record.type === 'graph.removed' || (entry !== null && isFrozen(entry.record))
    return canNothingCome && revisions.told(graph) === null
  }
  return allServe(downstream, graph, target)
}

/** True if every router serves the revision or has refused it, or if there is nothing to serve. */
function allServe(
  { fleet }: Pick<Downstream, 'fleet'>,
  graph: GraphName,
  target: PublishedConfig | null,
): boolean {
  if (target === null || target.base === null) return true
  return fleet.following(graph).every((router) => serves(router, target) || hasRefused(router, target))
}

function serves(router: RouterHeartbeat, target: PublishedConfig): boolean {
  return router.state === 'serving' && isManifestOf(target, router)
}

function hasRefused({ rejected }: RouterHeartbeat, target: PublishedConfig): boolean {
  return rejected?.epoch === target.epoch && rejected.revision === target.revision
}
