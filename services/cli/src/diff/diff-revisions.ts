/** Compares two revisions of a graph for `config diff`, by their schemas and plans. */
import { CheckLimitError, diffSupergraphs } from '@switchyard/schema-checks'
import type { CommandResult } from '../output/command-result.ts'
import { LocalRefusal } from '../run/errors.ts'
import { interruptible } from '../run/interruptible.ts'
import { startProgress } from '../output/progress.ts'
import { revisionDiffResult } from './revision-diff-report.ts'
import type { FoundOperations, PlanDiff } from '@switchyard/schema-checks/plans'
import type { DiffedRevisions } from './diffed-revisions.ts'
import { operationsOfFiles, publishedOperations } from './operations.ts'
import { type DiffCall, readSide, type RevisionSide, type SideWords } from './revision-sides.ts'

/** The two sides that are compared, and how. */
export type RevisionDiffOptions = {
  readonly graph: string
  readonly from: SideWords
  readonly to: SideWords
  /** A file or folder; without it the published documents are used. */
  readonly operations: string | undefined
  readonly defer: boolean
  readonly exitCode: boolean
}

/** Exit code 0, or 1 if there are differences and the options ask for that. */
export async function diffRevisions(call: DiffCall, options: RevisionDiffOptions): Promise<CommandResult> {
  const { context } = call
  const progress = startProgress(context)
  try {
    const diffed = await interruptible(context.signal, () => diff(call, options, progress.show))
    return revisionDiffResult(diffed, context)
  } catch (error) {
    throw error instanceof CheckLimitError ? new LocalRefusal('CHECK_TOO_EXPENSIVE', error.message) : error
  } finally {
    progress.stop()
  }
}

async function diff(
  call: DiffCall,
  { graph, defer, exitCode, ...options }: RevisionDiffOptions,
  onProgress: (text: string) => void,
): Promise<DiffedRevisions> {
  const { context, namespace } = call
  const files = options.operations
  // A file that cannot be used is told before the registry is asked.
  const given = files === undefined ? null : await operationsOfFiles(files, context.cwd)
  const from = await readSide(call, graph, options.from)
  const to = await readSide(call, graph, options.to)
  onProgress('comparing the schemas …')
  const { signal } = context
  const schema = await diffSupergraphs(from.artifact, to.artifact, { signal })
  const found = given ?? publishedOperations(from, to)
  const plans = found === null ? null : await planDiff(from, to, found, { defer, signal, onProgress })
  return { namespace, graph, from, to, schema, plans, exitCode }
}

/** Compares the plans of operations on two sides. */
export async function planDiff(
  from: RevisionSide,
  to: RevisionSide,
  found: FoundOperations,
  {
    defer,
    signal,
    onProgress,
  }: {
    readonly defer: boolean
    readonly signal: AbortSignal
    readonly onProgress: (text: string) => void
  },
): Promise<PlanDiff> {
  const [{ compileSupergraph, openGraph }, { comparePlans }] = await Promise.all([
    import('@switchyard/engine'),
    import('@switchyard/schema-checks/plans'),
  ])
  const open = ({ artifact }: RevisionSide) => openGraph(compileSupergraph(artifact.supergraphSdl))
  return comparePlans(open(from), open(to), found, {
    defer,
    signal,
    onProgress: (done, total) => onProgress(`planning operation ${done + 1} of ${total} …`),
  })
}
