/** Prints the findings of `subgraph check` as text, JSON and annotations. */
import { printErrors, printHints } from '../output/composition-messages.ts'
import { type CheckedComposition, locateInSdl } from '@switchyard/schema-checks'
import type { CheckedProposal, Proposal } from './checked.ts'
import type { CommandResult } from '../output/command-result.ts'
import type { CliContext } from '../run/context.ts'
import { EXIT } from '../run/exit-codes.ts'
import { compositionAnnotations, warningAnnotations } from '../output/annotations.ts'
import { countChanges, type PlacedChange, printChanges, uniteChanges } from '../output/change-list.ts'
import { countDocuments, documentErrors, documentLabel, printDocuments } from '../output/document-list.ts'
import type { Annotation } from '../output/github.ts'
import { type GraphVariant, printVariants } from '../output/graph-variant.ts'
import { failureStatus, statusLines } from '../output/status-lines.ts'
import { type Style, styleFor } from '../output/style.ts'

/** The result with its exit code. */
export function checkResult(checked: CheckedProposal, context: CliContext): CommandResult {
  const { name, namespace, proposal, foreseen, report, allowBreaking, strict } = checked
  const { compositions, changes, documents } = report
  const united = uniteChanges(changes)
  const failed = compositions.filter(({ status, failedBefore }) => status === 'failed' && !failedBefore)
  const isBreaking =
    united.some(({ criticality }) => criticality === 'breaking') ||
    documents.unanswered > 0 ||
    (strict && documents.partlyAnswered > 0)
  const passes = failed.length === 0 && (!isBreaking || allowBreaking)
  const warnings = foreseen.kind === 'changed' ? foreseen.warnings : []
  const style = styleFor(context.stdout, context.env)
  return {
    exitCode: passes ? EXIT.done : EXIT.refused,
    json: {
      result: {
        namespace,
        name,
        action: proposal.kind,
        passes,
        allowBreaking,
        strict,
        warnings,
        compositions,
        changes,
        documents,
      },
      compositions,
    },
    text: [
      headline(checked),
      ...findingLines(checked, style),
      ...(compositions.length === 0 ? [] : [verdict(passes, failed.length, checked, style)]),
    ].join('\n'),
    remarks: remarksOn(checked, warnings, styleFor(context.stderr, context.env)).join('\n'),
    annotations: [
      ...warningAnnotations(warnings),
      ...compositionAnnotations(
        compositions.filter(({ status }) => status === 'failed'),
        checked.sources,
      ),
      ...changeAnnotations(checked, united),
      ...documentAnnotations(checked),
    ],
  }
}

/** A line for each composition, and those of changes and of published documents. */
export function findingLines({ report }: CheckedProposal, style: Style): readonly string[] {
  const { compositions, changes, documents } = report
  return [
    ...statusLines(compositions, (composition) => statusOf(composition, style)),
    ...printChanges(uniteChanges(changes), style),
    ...printDocuments(documents, style),
  ]
}

function headline({ name, proposal, foreseen, report }: CheckedProposal): string {
  if (foreseen.kind === 'unchanged') return foreseen.message
  const what = whatWasChecked(name, proposal)
  return report.compositions.length === 0 ? `${what} It is composed into no federated graph.` : what
}

function whatWasChecked(name: string, proposal: Proposal): string {
  switch (proposal.kind) {
    case 'delete':
      return `Checked what deleting "${name}" would do; it was not deleted.`
    case 'promote':
      return `Checked what promoting "${name}" would do; it was not promoted.`
    case 'undo':
      return `Checked what undoing the promotion of "${name}" would do; it was not undone.`
    case 'publish':
      return `Checked "${name}" with ${proposal.file}; nothing was published.`
    default:
      return proposal satisfies never
  }
}

function statusOf({ status, failedBefore, comparedWith }: CheckedComposition, style: Style): string {
  switch (status) {
    case 'composed':
      return comparedWith === 'nothing-served'
        ? `${style.green('composed')} (nothing is served yet, so there is nothing to compare with)`
        : style.green('composed')
    case 'unchanged':
      return 'unchanged'
    case 'failed':
      return failureStatus(failedBefore, style)
    case 'empty':
      return style.yellow('nothing left to compose')
    case 'removed':
      return style.yellow('would no longer apply: requests that name it get the base')
    default:
      return status satisfies never
  }
}

function verdict(passes: boolean, failed: number, { report }: CheckedProposal, style: Style): string {
  const compositions =
    failed === 0 ? [] : [`${failed} ${failed === 1 ? 'composition fails' : 'compositions fail'}`]
  const changes = countChanges(uniteChanges(report.changes))
  const summary = [...compositions, changes, ...countDocuments(report.documents)].join('; ')
  return passes ? `${style.green('passed')}: ${summary}` : `${style.red('not passed')}: ${summary}`
}

function remarksOn(
  { report, sources }: CheckedProposal,
  warnings: readonly string[],
  style: Style,
): readonly string[] {
  const failures = new Map<
    string,
    { readonly composition: CheckedComposition; readonly variants: GraphVariant[] }
  >()
  const hints = new Map<string, CheckedComposition['hints'][number]>()
  for (const composition of report.compositions) {
    for (const hint of composition.hints) hints.set(JSON.stringify(hint), hint)
    if (composition.status !== 'failed') continue
    const { graph, featureFlag, failedBefore, errors } = composition
    const key = JSON.stringify([failedBefore, errors])
    const failure = failures.get(key) ?? { composition, variants: [] }
    failure.variants.push({ graph, featureFlag })
    failures.set(key, failure)
  }
  const blocks = [...failures.values()].flatMap(({ composition, variants }) => {
    const { failedBefore } = composition
    const verb = variants.length === 1 ? 'does' : 'do'
    return [
      failedBefore
        ? `${style.yellow('warning')}: ${printVariants(variants)} ${verb} not compose now, and would not after this.`
        : `${style.red('error')}: ${printVariants(variants)} would not compose.`,
      ...printErrors(composition, sources, style),
    ]
  })
  return [
    ...warnings.map((text) => `${style.yellow('warning')}: ${text}`),
    ...blocks,
    ...printHints([...hints.values()], sources, style),
  ]
}

/** Returns annotations of changes, each at the position in the checked file that is nearest to the change. */
function changeAnnotations(
  { proposal, allowBreaking }: CheckedProposal,
  changes: readonly PlacedChange[],
): readonly Annotation[] {
  return changes
    .filter(({ criticality }) => criticality !== 'safe')
    .map(({ criticality, type, path, message, variants }) => {
      const annotation = {
        level: criticality === 'breaking' && !allowBreaking ? ('error' as const) : ('warning' as const),
        title: `${criticality}: ${type}`,
        message: `${message}\nin ${printVariants(variants)}`,
      }
      if (proposal.kind !== 'publish') return annotation
      const { line, column } = locateInSdl(proposal.sdl, path) ?? { line: 1, column: 1 }
      const { file } = proposal
      return file === undefined ? annotation : { ...annotation, at: { file, line, column } }
    })
}

/** Returns annotations of the step, since documents are in no file of the person who changes a schema. */
function documentAnnotations({ report, allowBreaking, strict }: CheckedProposal): readonly Annotation[] {
  return report.documents.lost.map((document) => {
    const isError = !allowBreaking && (strict || !document.answeredElsewhere)
    return {
      level: isError ? 'error' : 'warning',
      title: document.answeredElsewhere ? 'Document that fewer compositions answer' : 'Unanswered document',
      message: [
        documentLabel(document),
        ...documentErrors(document).map(({ text, where }) => `${text}\nin ${where}`),
      ].join('\n'),
    }
  })
}
