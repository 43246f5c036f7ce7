/** Compositions that fail as before, because of schemas that a command published again without a change. */
import type { CompositionReport } from '@switchyard/contracts'
import { type Command, type NamespaceState, sortedByName } from '@switchyard/domain'
import { reportsOf } from './composition-reports.ts'
import { currentResult, type ViewSources } from './view-sources.ts'

/**
 * Returns the failures that a command reports although it changed nothing: its schemas still cause them. A
 * result that is older than the last change is left out, since it says nothing about the present state. Empty
 * for commands that publish no schema.
 */
export function standingFailures(
  sources: ViewSources,
  state: NamespaceState,
  command: Command,
): CompositionReport[] {
  const published = publishedBy(command)
  if (published.size === 0) return []
  return sortedByName(state.graphs.values()).flatMap((graph) => {
    const reports = reportsOf(graph.name, currentResult(sources, state, graph), 'forgotten')
    const names = (report: CompositionReport) =>
      new Set(report.errors.flatMap(({ subgraphs }) => subgraphs).filter((name) => published.has(name)))
    const base = reports.find(({ featureFlag }) => featureFlag === null)
    const isBaseAtFault = base !== undefined && names(base).size > 0
    return reports
      .filter((report) => {
        const own = [...names(report)]
        // Where base composes, what a flag puts in its place is at fault, and not what it has in common.
        const isFeature = own.some((name) => state.subgraphs.get(name)?.kind === 'feature-subgraph')
        return isFeature || (isBaseAtFault && own.length > 0)
      })
      .map((report) => ({ ...report, failedBefore: false }))
  })
}

function publishedBy(command: Command): ReadonlySet<string> {
  if (command.type === 'publish-schema') return new Set([command.name])
  if (command.type !== 'apply') return new Set()
  const parts = [...command.subgraphs, ...command.featureSubgraphs]
  return new Set(parts.filter(({ schema }) => schema !== undefined).map(({ name }) => name))
}
