/**
 * Judges the promotion of a feature flag, or its undo, before it is asked for: composes every graph and flag
 * that it affects, as `subgraph check` does, since the registry composes nothing before it writes.
 */
import { isDeepStrictEqual } from 'node:util'
import type { PromotedSubgraph } from '@switchyard/contracts'
import { printableLine } from '@switchyard/service-kit/printable'
import { type CommandOf, decide, type NamespaceState } from '@switchyard/domain'
import { foresee, NOTHING_LOST } from '@switchyard/schema-checks'
import type { WriteRequest, WrittenNothing } from '../command/command.ts'
import { askFirst, canPrompt, type Confirmation, refuseUnconfirmed } from '../command/confirmation.ts'
import { styleFor } from '../output/style.ts'
import { apiPath } from '../registry/registry-client.ts'
import { RefusedByRegistry } from '../run/errors.ts'
import { interruptible } from '../run/interruptible.ts'
import { checkResult, findingLines } from './check-report.ts'
import type { CheckCall, CheckedProposal } from './checked.ts'
import { onOneState } from './read-namespace.ts'
import { tryChange } from './try-change.ts'

/** Lines of questions have no colours. */
const PLAIN = styleFor({ isTTY: false, write: () => undefined }, {})

/** The promotion that is asked for, and how. */
export type PromotionCall = CheckCall & { readonly json: boolean }
export type PromotionOptions = {
  readonly name: string
  readonly undo: boolean
  readonly dryRun: boolean
  readonly force: boolean
}

type Judged = { readonly state: NamespaceState; readonly checked: CheckedProposal }

/** Returns the request once the promotion was judged and confirmed, or why nothing is to be written. */
export async function preparePromotion(
  call: PromotionCall,
  options: PromotionOptions,
): Promise<WriteRequest | WrittenNothing> {
  return judgeAndAsk(call, options, null)
}

/** `asked` is what was confirmed already: nobody is asked the same a second time. */
async function judgeAndAsk(
  call: PromotionCall,
  options: PromotionOptions,
  asked: Confirmation | null,
): Promise<WriteRequest | WrittenNothing> {
  const { context, namespace, json } = call
  const { name, undo, dryRun, force } = options
  const request = {
    method: undo ? ('DELETE' as const) : ('POST' as const),
    path: apiPath('feature-flags', namespace, name, 'promote'),
  }
  const { state, checked } = await interruptible(context.signal, () =>
    onOneState(call.registry, namespace, (read) => judge(call, options, read)),
  )
  // The registry says so itself.
  if (checked.foreseen.kind === 'unchanged' && !dryRun) return { ...request, body: {} }
  const result = checkResult(checked, context)
  if (dryRun || result.exitCode !== 0) return { result }
  const confirmation = confirmationOf(state, checked, options)
  if (!isDeepStrictEqual(confirmation, asked)) {
    if (force) tell(call, confirmation)
    else if (canPrompt(context, json)) await askFirst(confirmation, context)
    else refuseUnconfirmed(json, confirmation)
  }
  return {
    ...request,
    body: { expectedSequence: state.lastSequence },
    again: () => judgeAndAsk(call, options, confirmation),
  }
}

async function judge(call: PromotionCall, options: PromotionOptions, state: NamespaceState): Promise<Judged> {
  const { name, undo } = options
  const foreseen = foresee(state, commandOf(options))
  if (foreseen.kind === 'refused') throw new RefusedByRegistry(foreseen.problem)
  const common = {
    name,
    namespace: call.namespace,
    proposal: { kind: undo ? ('undo' as const) : ('promote' as const) },
    featureSubgraph: false,
    // Whoever promotes a flag wants the changes that it makes.
    allowBreaking: true,
    strict: false,
    foreseen,
  }
  if (foreseen.kind === 'unchanged') {
    const report = { compositions: [], changes: [], documents: NOTHING_LOST }
    return { state, checked: { ...common, report, sources: new Map() } }
  }
  const { report, sources, failsNow } = await tryChange(call, state, foreseen)
  // A graph that fails for other reasons must not hinder an undo that the others need.
  const compositions = report.compositions.map((one) => ({
    ...one,
    failedBefore:
      one.failedBefore || (undo && one.status === 'failed' && failsNow(one.graph, one.featureFlag)),
  }))
  return { state, checked: { ...common, report: { ...report, compositions }, sources } }
}

function commandOf({ name, undo }: PromotionOptions): CommandOf<'promote-feature-flag' | 'undo-promotion'> {
  return { type: undo ? 'undo-promotion' : 'promote-feature-flag', name }
}

function confirmationOf(
  state: NamespaceState,
  checked: CheckedProposal,
  options: PromotionOptions,
): Confirmation {
  const { name, undo } = options
  const warnings = checked.foreseen.kind === 'changed' ? checked.foreseen.warnings : []
  return {
    question: `${undo ? 'Undo the promotion of' : 'Promote'} feature flag "${name}" in namespace "${state.namespace}"`,
    consequences: [
      ...publications(state, options),
      ...findingLines(checked, PLAIN).map((line) => line.trim()),
      ...warnings,
    ],
  }
}

/** Tells which subgraph gets what. */
function publications(state: NamespaceState, options: PromotionOptions): readonly string[] {
  const { name, undo } = options
  if (undo) {
    const promoted = state.flags.get(name)?.launched?.promoted ?? []
    return promoted.flatMap(({ subgraph, before, after }) =>
      changeOf(subgraph, after, before, 'it had before the promotion'),
    )
  }
  const decision = decide(state, commandOf(options))
  const events = decision.kind === 'events' ? decision.events : []
  const promoted = events.flatMap((event) => (event.type === 'feature-flag.launched' ? event.promoted : []))
  return promoted.flatMap(({ subgraph, featureSubgraph, before, after }) =>
    changeOf(subgraph, before, after, `"${featureSubgraph}" has`),
  )
}

type Content = Pick<PromotedSubgraph['before'], 'schema' | 'routingUrl'>

function changeOf(subgraph: string, from: Content, to: Content, whose: string): readonly string[] {
  const parts = [
    ...(from.schema === to.schema ? [] : ['the schema']),
    ...(from.routingUrl === to.routingUrl ? [] : [`the routing URL ${to.routingUrl}`]),
  ]
  return parts.length === 0 ? [] : [`subgraph "${subgraph}" gets ${parts.join(' and ')} that ${whose}`]
}

/** Somebody reads the log of a pipeline later. */
function tell({ context, json }: PromotionCall, { consequences }: Confirmation): void {
  if (json) return
  for (const line of consequences) context.stderr.write(`${printableLine(line)}\n`)
}
