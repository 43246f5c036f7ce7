/** What a command caused downstream: compositions first, then the routers that serve them. */
import type {
  CommandOutcome,
  CompositionReport,
  CompositionResult,
  GraphName,
  RouterHeartbeat,
} from '@switchyard/contracts'
import type { Changes } from '@switchyard/service-kit'
import type { CompositionEntry, CompositionResults } from './composition-results.ts'
import type { Fleet } from './fleet.ts'
import type { PublishedConfig, PublishedConfigs } from './published-configs.ts'

/** The extra time for routers, so that "live on 2/2 routers" tells the truth. */
const ROUTERS_WAIT_MS = 2000

export type Downstream = {
  readonly compositions: CompositionResults
  readonly configs: PublishedConfigs
  readonly fleet: Fleet
  readonly changes: Changes
  readonly signal: AbortSignal
}

export type CausedBy = {
  readonly namespace: string
  readonly sequence: number
  readonly affectedGraphs: readonly string[]
  readonly waitMs: number
}

export async function awaitOutcome(
  downstream: Downstream,
  command: CausedBy,
): Promise<Pick<CommandOutcome, 'compositions' | 'pending' | 'routers'>> {
  const { compositions, changes, signal } = downstream
  const graphs = command.affectedGraphs.map((graph) => ({ namespace: command.namespace, graph }))
  const covering = (graph: GraphName) => compositions.covering(graph, command.sequence)
  const isComposed = () => graphs.every((graph) => covering(graph) !== null)
  const composed = await changes.until(isComposed, command.waitMs, signal)
  if (composed && command.waitMs > 0) {
    const isSettled = () => graphs.every((graph) => routersSettled(downstream, graph, covering(graph)))
    await changes.until(isSettled, ROUTERS_WAIT_MS, signal)
  }
  return {
    compositions: graphs.flatMap((graph) => reportsOf(graph.graph, covering(graph))),
    pending: !composed,
    routers: countRouters(downstream, graphs, covering),
  }
}

function reportsOf(graph: string, entry: CompositionEntry | null): CompositionReport[] {
  if (entry === null || entry.record.type === 'graph.removed') return []
  const { base, featureFlags } = entry.record
  return [
    reportOf(graph, null, base),
    ...featureFlags.map(({ name, result }) => reportOf(graph, name, result)),
  ]
}

function reportOf(graph: string, featureFlag: string | null, result: CompositionResult): CompositionReport {
  if (result.status === 'failed') {
    const { unchanged, errors, errorCount, hints } = result
    return { graph, featureFlag, status: 'failed', failedBefore: unchanged, errors, errorCount, hints }
  }
  const good = { graph, featureFlag, failedBefore: false, errors: [], errorCount: 0 }
  if (result.status === 'empty') return { ...good, status: 'empty', hints: [] }
  const status = result.status === 'reused' ? 'unchanged' : 'composed'
  return { ...good, status, hints: result.hints }
}

function countRouters(
  downstream: Downstream,
  graphs: readonly GraphName[],
  covering: (graph: GraphName) => CompositionEntry | null,
): { serving: number; total: number } {
  let serving = 0
  let total = 0
  for (const graph of graphs) {
    const routers = downstream.fleet.serving(graph)
    const target = revisionFor(covering(graph), downstream.configs.newest(graph))
    total += routers.length
    if (target !== null) serving += routers.filter((router) => serves(router, target)).length
  }
  return { serving, total }
}

/** Nothing more to wait for: every router serves the result or has refused it, or there is nothing to serve. */
function routersSettled(downstream: Downstream, graph: GraphName, entry: CompositionEntry | null): boolean {
  const routers = downstream.fleet.serving(graph)
  if (routers.length === 0) return true
  const newest = downstream.configs.newest(graph)
  const target = revisionFor(entry, newest)
  if (target === null) return newest === null && entry !== null && !canBeServed(entry)
  return routers.every((router) => serves(router, target) || hasRefused(router, target))
}

/**
 * The revision that carries out a composition record, or null while it is not there. A record that changes nothing that
 * routers see gets no revision of its own; then the newest one is it.
 */
export function revisionFor(
  entry: CompositionEntry | null,
  newest: PublishedConfig | null,
): PublishedConfig | null {
  if (entry === null || newest === null) return null
  if (newest.compositionSequence >= entry.sequence) return newest
  return needsRevision(entry, newest) ? null : newest
}

function needsRevision({ record }: CompositionEntry, newest: PublishedConfig): boolean {
  if (record.type === 'graph.removed') return newest.base !== null
  // A base that fails, and a pin, freeze what is served; only what was switched off still leaves.
  const base = record.pinnedRevision === null ? artifactOf(record.base) : null
  if (base === null) {
    const listed = new Set(record.featureFlags.map(({ name }) => name))
    return [...newest.featureFlags.keys()].some((name) => !listed.has(name))
  }
  if (base !== newest.base) return true
  const wanted = new Map<string, string>()
  for (const { name, result } of record.featureFlags) {
    const artifact = artifactOf(result)
    if (artifact !== null) wanted.set(name, artifact)
  }
  if (wanted.size !== newest.featureFlags.size) return true
  return [...wanted].some(([name, artifact]) => newest.featureFlags.get(name) !== artifact)
}

function canBeServed({ record }: CompositionEntry): boolean {
  return record.type === 'composition.completed' && artifactOf(record.base) !== null
}

export function artifactOf(result: CompositionResult): string | null {
  return result.status === 'composed' || result.status === 'reused' ? result.artifact : null
}

type Version = { readonly epoch: number; readonly revision: number }

function serves(router: RouterHeartbeat, target: Version): boolean {
  return router.state === 'serving' && isAtLeast(router, target)
}

function hasRefused(router: RouterHeartbeat, target: Version): boolean {
  return router.rejected !== undefined && isAtLeast(router.rejected, target)
}

function isAtLeast(version: Version, target: Version): boolean {
  return version.epoch === target.epoch ? version.revision >= target.revision : version.epoch > target.epoch
}
