/**
 * Finds out for `subgraph check` what publishing a schema, or deleting a subgraph, would do to every graph
 * and flag. Writes nothing.
 */
import { didYouMean } from '@switchyard/contracts'
import type { CommandOf, NamespaceState } from '@switchyard/domain'
import {
  type CheckReport,
  foresee,
  type ForeseenChange,
  NOTHING_LOST,
  isProposable,
  proposedPublication,
} from '@switchyard/schema-checks'
import type { CommandResult } from '../output/command-result.ts'
import { judgeByUsage } from '../usage/judge-by-usage.ts'
import { LocalRefusal, RefusedByRegistry } from '../run/errors.ts'
import { interruptible } from '../run/interruptible.ts'
import { checkResult } from './check-report.ts'
import type { CheckCall, CheckedProposal, CheckOptions } from './checked.ts'
import { schemaHashOf, onOneState } from './read-namespace.ts'
import { tryChange } from './try-change.ts'

/** Exit code 1 if a composition fails, or a change is breaking and that is not allowed. */
export async function checkSubgraph(call: CheckCall, options: CheckOptions): Promise<CommandResult> {
  const { context, registry, namespace } = call
  const checked = await interruptible(context.signal, () =>
    onOneState(registry, namespace, (state) => check(call, options, state)),
  )
  return checkResult(checked, context)
}

async function check(
  call: CheckCall,
  options: CheckOptions,
  state: NamespaceState,
): Promise<CheckedProposal> {
  const command = commandOf(options, state)
  const foreseen = foresee(state, command)
  const common = { ...options, namespace: call.namespace }
  switch (foreseen.kind) {
    case 'refused':
      throw new RefusedByRegistry(foreseen.problem)
    case 'unchanged':
      return {
        ...common,
        foreseen,
        report: { compositions: [], changes: [], documents: NOTHING_LOST },
        sources: new Map(),
      }
    case 'changed':
      return { ...common, foreseen, ...(await compare(call, options, state, foreseen)) }
    default:
      return foreseen satisfies never
  }
}

async function compare(
  call: CheckCall,
  { name, proposal, strict: isStrict, usedSince }: CheckOptions,
  state: NamespaceState,
  foreseen: ForeseenChange,
): Promise<Pick<CheckedProposal, 'report' | 'sources'>> {
  const own = proposal.kind === 'publish' ? [[schemaHashOf(proposal.sdl), proposal.sdl] as const] : []
  const tried = await tryChange(call, state, foreseen, { known: new Map(own), isStrict })
  const { sources } = tried
  const report = usedSince === undefined ? tried.report : await byUsage(call, tried.report, usedSince)
  return { report, sources: proposal.kind === 'publish' ? new Map([...sources, [name, proposal]]) : sources }
}

async function byUsage(
  { registry, namespace }: CheckCall,
  report: CheckReport,
  since: number,
): Promise<CheckReport> {
  const window = { namespace, since, now: Date.now() }
  return { ...report, changes: await judgeByUsage(registry, report.changes, window) }
}

function commandOf(
  { name, proposal, featureSubgraph }: CheckOptions,
  state: NamespaceState,
): CommandOf<'publish-schema'> | CommandOf<'delete-subgraph'> {
  const existing = state.subgraphs.get(name)
  if (featureSubgraph && existing?.kind === 'subgraph') {
    throw new LocalRefusal(
      'FEATURE_SUBGRAPH_EXPECTED',
      `"${name}" is a subgraph, not a feature subgraph; "switchyard subgraph check" checks it.`,
    )
  }
  if (proposal.kind !== 'publish') return { type: 'delete-subgraph', name }
  const { sdl, routingUrl, labels, base } = proposal
  const described = featureSubgraph ? { base } : { base, labels, routingUrl }
  if (!isProposable({ name, ...described }, state)) throw notFound(name, state, featureSubgraph)
  return proposedPublication({ name, sdl, routingUrl, labels, base }, state)
}

function notFound(
  name: string,
  { namespace, subgraphs }: NamespaceState,
  featureSubgraph: boolean,
): LocalRefusal {
  const meant = didYouMean(name, subgraphs.keys())
  return featureSubgraph
    ? new LocalRefusal(
        'NOT_FOUND',
        `There is no feature subgraph "${name}" in namespace "${namespace}".${meant} To check it as a new one, name with --subgraph what it replaces.`,
      )
    : new LocalRefusal(
        'NOT_FOUND',
        `There is no subgraph "${name}" in namespace "${namespace}".${meant} To check it as a new one, give its --label (or, for one without labels, its --routing-url).`,
      )
}
