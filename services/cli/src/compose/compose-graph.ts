/** One composition for the base and one per flag, turned into the file that routers load. */
import { EXECUTION_CONFIG_FORMAT } from '@switchyard/contracts'
import type { Artifact, CompositionReport, ExecutionConfigFile } from '@switchyard/contracts'
import { buildArtifact } from '@switchyard/composition'
import { runTasks, type TaskResult } from '@switchyard/schema-checks'

/** A subgraph or a feature subgraph with its schema. */
export type ComposableSubgraph = {
  readonly name: string
  readonly routingUrl: string
  readonly sdl: string
  /** Set for a feature subgraph: the subgraph that it replaces. */
  readonly baseName?: string
}

/** A graph with the flags of which each gets a composition of its own. */
export type ComposableGraph = {
  readonly identity: { readonly namespace: string; readonly name: string } | undefined
  readonly subgraphs: readonly ComposableSubgraph[]
  readonly featureFlags: readonly {
    readonly name: string
    readonly replacements: readonly ComposableSubgraph[]
  }[]
  readonly allowUnenforcedAuthorization: boolean
  /** True refuses what will be an error in the next minor version. */
  readonly isStrict: boolean
}

/** The result of all compositions of a graph. */
export type ComposedGraph = {
  /** null when the base does not compose. Flags that do not compose are left out. */
  readonly config: ExecutionConfigFile | null
  readonly reports: readonly CompositionReport[]
}

/** `label` is what reports call the graph. In threads where that pays. */
export async function composeGraph(
  graph: ComposableGraph,
  label: string,
  signal: AbortSignal,
): Promise<ComposedGraph> {
  const { allowUnenforcedAuthorization, isStrict } = graph
  const variants: readonly GraphToCompose[] = [
    { featureFlag: null, subgraphs: graph.subgraphs },
    ...graph.featureFlags.map(({ name, replacements }) => ({
      featureFlag: name,
      subgraphs: replace(graph.subgraphs, replacements),
    })),
  ]
  const sdls = variants.flatMap(({ subgraphs }) => subgraphs.map(({ sdl }) => [sdl, sdl] as const))
  const results = await runTasks(
    { sdls: new Map(sdls), supergraphs: new Map(), isStrict },
    variants.map(({ subgraphs }) => ({
      after: { kind: 'compose', subgraphs: subgraphs.map(inputOf), allowUnenforcedAuthorization },
      before: [],
    })),
    { signal },
  )
  const outcomes = variants.map((variant, index) =>
    outcomeOf(variant, results[index], { label, allowUnenforcedAuthorization }),
  )
  const [base, ...flags] = outcomes
  const reports = outcomes.map(({ report }) => report)
  if (base?.artifact === undefined) return { config: null, reports }
  const featureFlags = Object.fromEntries(
    flags.flatMap(({ artifact, report }) =>
      artifact === undefined ? [] : [[report.featureFlag, artifact] as const],
    ),
  )
  const identity = graph.identity === undefined ? {} : { graph: graph.identity }
  return {
    config: { formatVersion: EXECUTION_CONFIG_FORMAT, ...identity, base: base.artifact, featureFlags },
    reports,
  }
}

type GraphToCompose = {
  readonly featureFlag: string | null
  readonly subgraphs: readonly ComposableSubgraph[]
}

function replace(
  subgraphs: readonly ComposableSubgraph[],
  replacements: readonly ComposableSubgraph[],
): readonly ComposableSubgraph[] {
  return subgraphs.map(
    (subgraph) => replacements.find(({ baseName }) => baseName === subgraph.name) ?? subgraph,
  )
}

/** Here, an SDL is its own name. */
function inputOf({ name, routingUrl, sdl, baseName }: ComposableSubgraph) {
  return { name, routingUrl, schema: sdl, bytes: Buffer.byteLength(sdl), baseName: baseName ?? null }
}

function outcomeOf(
  { featureFlag, subgraphs }: GraphToCompose,
  result: TaskResult | undefined,
  {
    label,
    allowUnenforcedAuthorization,
  }: Pick<ComposableGraph, 'allowUnenforcedAuthorization'> & { readonly label: string },
): { readonly artifact?: Artifact; readonly report: CompositionReport } {
  if (result === undefined) throw new RangeError('A composition has no result.')
  const report = { graph: label, featureFlag, failedBefore: false, isNew: false, hints: [...result.hints] }
  switch (result.kind) {
    case 'composed':
      return {
        artifact: buildArtifact(result.supergraphSdl, subgraphs, { allowUnenforcedAuthorization }),
        report: { ...report, status: 'composed', errors: [], errorCount: 0 },
      }
    case 'failed':
      return {
        report: { ...report, status: 'failed', errors: [...result.errors], errorCount: result.errors.length },
      }
    default:
      return result satisfies never
  }
}
