/**
 * Checks what a change would mean for clients: every composition that it causes, and how each client schema
 * would differ from the one that is served. Pure: state and schemas in, report out.
 */
import type { CompositionMessage, CompositionReport } from '@switchyard/contracts'
import type { SubgraphToCompose } from '@switchyard/domain'
import { type DocumentReport, findLostDocuments, type TriedGraph } from './documents/lost-documents.ts'
import type { PublishedManifest } from './documents/published-manifest.ts'
import type { ForeseenChange, ForeseenComposition, ForeseenGraph } from './foresee.ts'
import type { SchemaChange } from './changes/schema-change.ts'
import type { CompositionTask, TaskResult } from './threads/composition-task.ts'
import { type RunOptions, runTasks } from './threads/run-tasks.ts'

/** The content that a graph serves to clients now. Keys are names of flags; null is the base. */
export type ServedGraph = {
  readonly supergraphs: ReadonlyMap<string | null, string>
  /** The newest compositions that failed. Those that the change does not affect go on failing. */
  readonly failed: ReadonlyMap<string | null, CompositionReport>
  /** The warnings of the newest compositions, which the report repeats for those that are not changed. */
  readonly warnings: ReadonlyMap<string | null, readonly CompositionMessage[]>
  /** Manifests of persisted documents that are published for it. */
  readonly documents: readonly PublishedManifest[]
}

export type CheckSources = {
  /** Every SDL that `neededSchemas` names, by hash. */
  readonly sdls: ReadonlyMap<string, string>
  /** The served content by name of the graph. */
  readonly served: ReadonlyMap<string, ServedGraph>
}

export type CheckedComposition = {
  readonly graph: string
  readonly featureFlag: string | null
  /**
   * The outcome. `empty` means that nothing would be left to compose. `removed` means that the flag would not
   * apply any more, and that requests which name it would get the base.
   */
  readonly status: 'composed' | 'unchanged' | 'failed' | 'empty' | 'removed'
  /** True if the composition failed with the same inputs before, so that this change is not the cause. */
  readonly failedBefore: boolean
  readonly errors: readonly CompositionMessage[]
  readonly errorCount: number
  readonly hints: readonly CompositionMessage[]
  /**
   * The schema that the new one was compared with. Null if there was nothing to compare, since the client
   * schema stays as it is or does not come about.
   */
  readonly comparedWith: 'served' | 'nothing-served' | null
}

export type CheckedChange = SchemaChange & { readonly graph: string; readonly featureFlag: string | null }

export type CheckReport = {
  readonly compositions: readonly CheckedComposition[]
  readonly changes: readonly CheckedChange[]
  readonly documents: DocumentReport
}

/** Subgraphs whose SDL has to be at hand, by hash. */
export function neededSchemas(change: ForeseenChange): ReadonlyMap<string, SubgraphToCompose> {
  const composed = change.graphs
    .flatMap(({ compositions }) => compositions)
    .filter(({ kind }) => kind === 'compose')
  return new Map(
    composed.flatMap(({ subgraphs }) => subgraphs).map((subgraph) => [subgraph.schema, subgraph]),
  )
}

export async function checkForeseen(
  change: ForeseenChange,
  { sdls, served }: CheckSources,
  { isStrict = false, ...options }: RunOptions & { readonly isStrict?: boolean } = {},
): Promise<CheckReport> {
  const tasks = planTasks(change, served)
  const supergraphs = new Map(
    [...served].flatMap(([graph, { supergraphs: ofGraph }]) =>
      [...ofGraph].map(([flag, text]) => [servedKey(graph, flag), text] as const),
    ),
  )
  const list = [...tasks.values()]
  const results = await runTasks({ sdls, supergraphs, isStrict }, list, options)
  const outcomes = new Map(
    [...tasks.keys()].map((key, index) => [key, { task: list[index], result: results[index] }]),
  )
  const resultOf = (graph: ForeseenGraph, composition: ForeseenComposition): Compared => {
    const key = taskKey(graph, composition, served.get(graph.name))
    const { task, result } = (key === null ? undefined : outcomes.get(key)) ?? {}
    const at = task?.before.indexOf(servedKey(graph.name, composition.featureFlag)) ?? -1
    const changes = result?.kind === 'composed' ? result.changes[at] : undefined
    return { result, changes }
  }
  const checked = change.graphs.flatMap((graph) =>
    graph.compositions.map((composition) =>
      describe(composition, resultOf(graph, composition), served.get(graph.name)),
    ),
  )
  const tried = change.graphs.map((graph) =>
    triedGraph(graph, served.get(graph.name), (composition) => resultOf(graph, composition).result),
  )
  return {
    compositions: checked.map(({ composition }) => composition),
    changes: checked.flatMap(({ changes }) => changes),
    documents: await findLostDocuments(tried, options),
  }
}

/**
 * Returns the supergraphs of a graph before and after the change. Where nothing new is composed, the content
 * counts that would be served instead. So it does where the composition fails: its errors say enough.
 */
function triedGraph(
  { name, compositions }: ForeseenGraph,
  served: ServedGraph | undefined,
  resultOf: (composition: ForeseenComposition) => TaskResult | undefined,
): TriedGraph {
  const servedFor = (flag: string | null) => served?.supergraphs.get(flag) ?? null
  return {
    graph: name,
    manifests: served?.documents ?? [],
    compositions: compositions.map((composition) => {
      const { featureFlag, kind } = composition
      const result = resultOf(composition)
      const before = servedFor(featureFlag)
      const instead = kind === 'removed' ? servedFor(null) : before
      const after = result?.kind === 'composed' ? result.supergraphSdl : instead
      return { featureFlag, before, after }
    }),
  }
}

/**
 * Compositions from equal inputs are one task: flags may replace the same subgraphs, graphs may hold the same
 * ones.
 */
function planTasks(
  { graphs }: ForeseenChange,
  served: ReadonlyMap<string, ServedGraph>,
): ReadonlyMap<string, CompositionTask> {
  const tasks = new Map<string, CompositionTask>()
  for (const graph of graphs) {
    const now = served.get(graph.name)
    for (const composition of graph.compositions) {
      const key = taskKey(graph, composition, now)
      if (key === null) continue
      const { featureFlag } = composition
      const own = now?.supergraphs.has(featureFlag) === true ? [servedKey(graph.name, featureFlag)] : []
      const task = tasks.get(key) ?? { after: afterOf(graph, composition), before: [] }
      tasks.set(key, { ...task, before: [...task.before, ...own] })
    }
  }
  return tasks
}

/**
 * Returns a key that is equal for equal tasks, or null if the composition needs neither composing nor
 * comparing.
 */
function taskKey(
  graph: ForeseenGraph,
  composition: ForeseenComposition,
  served: ServedGraph | undefined,
): string | null {
  if (composition.kind === 'compose') return composedKey(composition)
  if (composition.kind !== 'removed' || served?.supergraphs.has(composition.featureFlag) !== true) return null
  const base = graph.compositions[0]
  if (base?.kind === 'compose') return composedKey(base)
  return base?.kind === 'unchanged' && served.supergraphs.has(null) ? servedKey(graph.name, null) : null
}

function afterOf(graph: ForeseenGraph, composition: ForeseenComposition): CompositionTask['after'] {
  const composed = composition.kind === 'compose' ? composition : graph.compositions[0]
  return composed?.kind === 'compose'
    ? {
        kind: 'compose',
        subgraphs: composed.subgraphs,
        allowUnenforcedAuthorization: composed.allowUnenforcedAuthorization,
      }
    : {
        kind: 'served',
        supergraph: servedKey(graph.name, null),
        allowUnenforcedAuthorization: composition.allowUnenforcedAuthorization,
      }
}

function composedKey({ subgraphs, allowUnenforcedAuthorization }: ForeseenComposition): string {
  return JSON.stringify([allowUnenforcedAuthorization, subgraphs])
}

function servedKey(graph: string, featureFlag: string | null): string {
  return JSON.stringify([graph, featureFlag])
}

type Compared = {
  readonly result: TaskResult | undefined
  /** Against what the graph or flag serves now; absent where nothing is served or nothing comes about. */
  readonly changes: readonly SchemaChange[] | undefined
}

function describe(
  { graph, featureFlag, kind }: ForeseenComposition,
  { result, changes }: Compared,
  served: ServedGraph | undefined,
): { readonly composition: CheckedComposition; readonly changes: readonly CheckedChange[] } {
  const before = kind === 'unchanged' ? served?.failed.get(featureFlag) : undefined
  const composition = {
    graph,
    featureFlag,
    status: kind === 'compose' ? ('composed' as const) : kind,
    failedBefore: false,
    errors: [],
    errorCount: 0,
    hints:
      kind === 'compose'
        ? (result?.hints ?? [])
        : kind === 'unchanged'
          ? (served?.warnings.get(featureFlag) ?? [])
          : [],
    comparedWith: comparisonOf(kind, changes),
  }
  if (before !== undefined) {
    const { errors, errorCount, hints } = before
    return {
      composition: { ...composition, status: 'failed', failedBefore: true, errors, errorCount, hints },
      changes: [],
    }
  }
  if (kind === 'compose' && result?.kind === 'failed') {
    const { errors, hints } = result
    return {
      composition: {
        ...composition,
        status: 'failed',
        errors,
        errorCount: errors.length,
        hints,
        comparedWith: null,
      },
      changes: [],
    }
  }
  return { composition, changes: (changes ?? []).map((change) => ({ graph, featureFlag, ...change })) }
}

function comparisonOf(
  kind: ForeseenComposition['kind'],
  changes: readonly SchemaChange[] | undefined,
): CheckedComposition['comparedWith'] {
  if (changes !== undefined) return 'served'
  return kind === 'compose' ? 'nothing-served' : null
}
