/** One composition for the base and one per flag, turned into the file that routers load. */
import { EXECUTION_CONFIG_FORMAT } from '@switchyard/contracts'
import type { Artifact, CompositionReport, ExecutionConfigFile } from '@switchyard/contracts'
import { buildArtifact, compose, toCompositionMessage } from '@switchyard/composition'

export type ComposableSubgraph = {
  readonly name: string
  readonly routingUrl: string
  readonly sdl: string
  /** Set for a feature subgraph: the subgraph that it replaces. */
  readonly baseName?: string
}
export type ComposableGraph = {
  readonly subgraphs: readonly ComposableSubgraph[]
  readonly featureFlags: readonly {
    readonly name: string
    readonly replacements: readonly ComposableSubgraph[]
  }[]
}
export type ComposedGraph = {
  /** null when the base does not compose. Flags that do not compose are left out. */
  readonly config: ExecutionConfigFile | null
  readonly reports: readonly CompositionReport[]
}

/** `label` is what reports call the graph. */
export function composeGraph(graph: ComposableGraph, label: string): ComposedGraph {
  const base = composeOne(graph.subgraphs, label, null)
  const flags = graph.featureFlags.map(({ name, replacements }) => ({
    name,
    ...composeOne(replace(graph.subgraphs, replacements), label, name),
  }))
  const reports = [base.report, ...flags.map(({ report }) => report)]
  if (base.artifact === null) return { config: null, reports }
  const featureFlags = Object.fromEntries(
    flags.flatMap(({ name, artifact }) => (artifact === null ? [] : [[name, artifact]])),
  )
  return { config: { formatVersion: EXECUTION_CONFIG_FORMAT, base: base.artifact, featureFlags }, reports }
}

function replace(
  subgraphs: readonly ComposableSubgraph[],
  replacements: readonly ComposableSubgraph[],
): readonly ComposableSubgraph[] {
  return subgraphs.map(
    (subgraph) => replacements.find(({ baseName }) => baseName === subgraph.name) ?? subgraph,
  )
}

function composeOne(
  subgraphs: readonly ComposableSubgraph[],
  graph: string,
  featureFlag: string | null,
): { readonly artifact: Artifact | null; readonly report: CompositionReport } {
  const result = compose({ subgraphs })
  const report = { graph, featureFlag, failedBefore: false, hints: result.hints.map(toCompositionMessage) }
  switch (result.kind) {
    case 'composed':
      return {
        artifact: buildArtifact(result.supergraphSdl, subgraphs),
        report: { ...report, status: 'composed', errors: [], errorCount: 0 },
      }
    case 'failed':
      return {
        artifact: null,
        report: {
          ...report,
          status: 'failed',
          errors: result.errors.map(toCompositionMessage),
          errorCount: result.errors.length,
        },
      }
    default:
      return result satisfies never
  }
}
