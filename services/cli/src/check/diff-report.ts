/** Prints the findings of `feature-flag diff` as text, JSON and annotations. */
import { printCompositionErrors } from '@switchyard/composition/printing'
import type { Diffed, GraphDiff } from './diffed.ts'
import type { CommandResult } from '../output/command-result.ts'
import type { CliContext } from '../run/context.ts'
import { EXIT } from '../run/exit-codes.ts'
import { printHints, warningsIn } from '../output/composition-messages.ts'
import { compositionAnnotations, warningAnnotations } from '../output/annotations.ts'
import { countChanges, printChanges } from '../output/change-list.ts'
import type { Annotation } from '../output/github.ts'
import { type Style, styleFor } from '../output/style.ts'

/** The result with its exit code. */
export function diffResult(diffed: Diffed, context: CliContext): CommandResult {
  const { name, namespace, flag, graphs, exitCode, sources } = diffed
  const failed = graphs.flatMap(({ place, diff }) =>
    diff?.kind === 'failed'
      ? [
          {
            graph: place.graph,
            featureFlag: diff.side === 'flag' ? name : null,
            failedBefore: false,
            errors: diff.errors,
          },
        ]
      : [],
  )
  const changes = graphs.flatMap(({ place: { graph }, diff }) =>
    diff?.kind === 'compared' ? diff.changes.map((change) => ({ graph, featureFlag: name, ...change })) : [],
  )
  const warnings = warningsOf(diffed)
  const style = {
    text: styleFor(context.stdout, context.env),
    remarks: styleFor(context.stderr, context.env),
  }
  return {
    exitCode: failed.length > 0 || (exitCode && changes.length > 0) ? EXIT.refused : EXIT.done,
    json: {
      result: { namespace, name, enabled: flag.enabled, warnings, graphs: graphs.map(jsonOf), changes },
    },
    text: graphs.flatMap((graph) => describe(graph, diffed, style.text)).join('\n'),
    remarks: [
      ...warnings.map((text) => `${style.remarks.yellow('warning')}: ${text}`),
      ...failed.flatMap(({ graph, featureFlag, errors }) => [
        `${style.remarks.red('error')}: ${featureFlag === null ? `the base of ${graph}` : `${graph} with flag ${name}`} does not compose.`,
        printCompositionErrors(errors, sources, { style: style.remarks }),
      ]),
      ...printHints(warningsIn(graphs.flatMap(({ diff }) => diff?.hints ?? [])), sources, style.remarks),
    ].join('\n'),
    annotations: [
      ...warningAnnotations(warnings),
      ...compositionAnnotations(failed, sources),
      ...changes
        .filter(({ criticality }) => criticality !== 'safe')
        .map(
          ({ graph, criticality, type, message }): Annotation => ({
            level: 'notice',
            title: `${criticality}: ${type}`,
            message: `${message}\nin ${graph} with flag ${name}, compared with its base`,
          }),
        ),
    ],
  }
}

function jsonOf({ place, diff }: GraphDiff): object {
  const { graph, applicability, unpublished } = place
  if (diff === null) return { graph, status: 'does-not-apply', reason: applicability.kind, changes: [] }
  const { kind, ...rest } = diff
  return { graph, status: kind, unpublished, ...(kind === 'failed' ? { changes: [] } : {}), ...rest }
}

function describe({ place, diff }: GraphDiff, { name, flag }: Diffed, style: Style): readonly string[] {
  const label = style.bold(`${place.graph} with flag ${name}`)
  if (diff === null) return [`${label}: does not apply; ${reasonOf(place)}`]
  switch (diff.kind) {
    case 'failed':
      return [
        `${label}: ${style.red(diff.side === 'flag' ? 'does not compose' : 'its base does not compose')}`,
      ]
    case 'compared': {
      const changes = diff.changes.map((change) => ({ ...change, variants: [] }))
      return [
        `${label}, ${originOf(diff, flag.enabled)}: ${countChanges(changes)}`,
        ...printChanges(changes, style, '  '),
      ]
    }
    default:
      return diff satisfies never
  }
}

function originOf(
  { base, flag }: Extract<GraphDiff['diff'], { readonly kind: 'compared' }>,
  enabled: boolean,
): string {
  if (flag === 'served') return 'as served now'
  const why = enabled ? 'it is not served now' : 'the flag is disabled'
  return base === 'composed'
    ? `composed here from the published schemas (${why})`
    : `composed here from the published schemas (${why}) and compared with the base that is served: the published one does not compose`
}

function reasonOf({ applicability }: GraphDiff['place']): string {
  switch (applicability.kind) {
    case 'base-missing':
      return `it replaces ${applicability.bases.map((base) => `"${base}"`).join(', ')}, which takes no part in that graph`
    case 'nothing-published':
      return 'none of its feature subgraphs has a published schema'
    case 'other-labels':
      return "its labels do not satisfy the graph's label matchers"
    case 'disabled':
      return 'it is disabled'
    case 'applies':
      return 'it has nothing to compose'
    default:
      return applicability satisfies never
  }
}

function warningsOf({ name, namespace, graphs }: Diffed): readonly string[] {
  if (graphs.length === 0) {
    return [
      `The labels of feature flag "${name}" satisfy the label matchers of no federated graph in namespace "${namespace}".`,
    ]
  }
  const unpublished = new Set(graphs.flatMap(({ place }) => place.unpublished))
  return [...unpublished].map(
    (member) => `Feature subgraph "${member}" has no published schema and is left out of "${name}".`,
  )
}
