/** Reports of compositions for people: per graph first the base, then its flags. */
import {
  artifactOf,
  type CompositionReport,
  type RecordedResult,
  isFirstPending,
} from '@switchyard/contracts'
import type { CompositionEntry, EarlierEntry } from '../reading/composition-results.ts'

/**
 * The reports of a command, without the flags that are still being composed. `before` is the newest record
 * that does not know of it yet. `previews` are those that the command is about: others are no concern of it.
 */
export function reportsOf(
  graph: string,
  entry: CompositionEntry | null,
  before: EarlierEntry,
  previews: readonly string[] = [],
): CompositionReport[] {
  const done = resultsOf(entry, previews).filter(({ isPending }) => !isPending)
  return done.map(({ featureFlag, result }) => {
    const known = reportOf(graph, featureFlag, result)
    if (before === 'forgotten') return known
    const earlier = resultOf(before, featureFlag)
    const report = { ...known, isNew: featureFlag !== null && earlier === null }
    if (result.status === 'failed') return { ...report, failedBefore: isSameFailure(result, earlier) }
    const isBack = result.status === 'reused' && earlier !== null && artifactOf(earlier) !== result.artifact
    return isBack ? { ...report, status: 'composed' } : report
  })
}

/**
 * Returns the newest reports as the composer wrote them: a composition that it knew is unchanged, or failed
 * before. A flag that is being composed has its previous result.
 */
export function newestReports(graph: string, entry: CompositionEntry | null): CompositionReport[] {
  return resultsOf(entry).map(({ featureFlag, result }) => reportOf(graph, featureFlag, result))
}

type FlagResult = {
  readonly featureFlag: string | null
  readonly result: RecordedResult
  readonly isPending: boolean
}

/**
 * Returns the results of a record, of previews only these, without flags and previews that are being composed
 * for the first time.
 */
function resultsOf(entry: CompositionEntry | null, names: readonly string[] = []): readonly FlagResult[] {
  if (entry === null || entry.record.type === 'graph.removed') return []
  const { base, featureFlags, previews = [] } = entry.record
  const named = previews.filter(({ name }) => names.includes(name))
  const flags = [...featureFlags, ...named].map(({ name, result, pending = false }) => ({
    featureFlag: name,
    result,
    isPending: pending,
  }))
  return [
    { featureFlag: null, result: base, isPending: false },
    ...flags.filter(({ result }) => !isFirstPending(result)),
  ]
}

export function resultOf(entry: CompositionEntry | null, featureFlag: string | null): RecordedResult | null {
  const names = featureFlag === null ? [] : [featureFlag]
  return resultsOf(entry, names).find((item) => item.featureFlag === featureFlag)?.result ?? null
}

/**
 * A failure is older than the command when the graph had it before, with the same inputs. That the composer
 * has seen the inputs fail is not enough: a command that goes back to them, or enables a flag that has them,
 * makes the graph fail. So it is with results that the composer knows: going back to one changes the graph,
 * though nothing is computed.
 */
function isSameFailure(result: RecordedResult, earlier: RecordedResult | null): boolean {
  return result.status === 'failed' && earlier?.status === 'failed' && earlier.inputHash === result.inputHash
}

function reportOf(graph: string, featureFlag: string | null, result: RecordedResult): CompositionReport {
  if (result.status === 'failed') {
    const { unchanged, errors, errorCount, hints } = result
    return {
      graph,
      featureFlag,
      status: 'failed',
      failedBefore: unchanged,
      isNew: false,
      errors,
      errorCount,
      hints,
    }
  }
  const good = { graph, featureFlag, failedBefore: false, isNew: false, errors: [], errorCount: 0 }
  if (result.status === 'empty') return { ...good, status: 'empty', hints: [] }
  const status = result.status === 'reused' ? 'unchanged' : 'composed'
  return { ...good, status, hints: result.hints }
}
