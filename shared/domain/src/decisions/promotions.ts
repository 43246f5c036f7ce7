/**
 * The promotion of a feature flag: the subgraphs that it replaces get the content of its feature subgraphs.
 * The record holds all that an undo needs.
 */
import { problem, type PromotedSubgraph, type RegistryEvent } from '@switchyard/contracts'
import { isLaunched } from '../state/launches.ts'
import type { FeatureFlag, NamespaceState, Subgraph } from '../state/namespace-state.ts'
import type { Command, CommandOf } from './command.ts'
import { decided, type Decision, invalid, notFound, refused, unchanged } from './decision.ts'

/** A command about the promotion of a flag. */
export type PromotionCommand = CommandOf<'promote-feature-flag' | 'undo-promotion'>

type Content = PromotedSubgraph['before']

export function isPromotionCommand(command: Command): command is PromotionCommand {
  return command.type === 'promote-feature-flag' || command.type === 'undo-promotion'
}

/** Decides a command about the promotion of a flag. */
export function decidePromotion(state: NamespaceState, { type, name }: PromotionCommand): Decision {
  const flag = state.flags.get(name)
  if (flag === undefined)
    return notFound(state, `feature flag "${name}"`, { name, known: state.flags.keys() })
  return type === 'promote-feature-flag' ? promote(state, flag) : undo(state, flag)
}

function promote(state: NamespaceState, flag: FeatureFlag): Decision {
  const { name } = flag
  if (isLaunched(state, flag)) return unchanged(`Feature flag "${name}" is launched already`)
  const problems = promotionProblems(state, flag)
  if (problems.length > 0)
    return invalid('FEATURE_FLAG_INVALID', `Feature flag "${name}" was not promoted`, problems)
  const promoted = promotedBy(state, flag)
  return decided(
    state,
    { type: 'feature-flag.launched', name, promoted: [...promoted] },
    ...promoted.flatMap(({ subgraph, before, after }) => publications(subgraph, before, after)),
  )
}

function undo(state: NamespaceState, { name, launched }: FeatureFlag): Decision {
  if (launched === null) {
    return unchanged(`Feature flag "${name}" has no promotion that could be undone`)
  }
  const problems = launched.promoted.flatMap((one) => undoProblems(state, one))
  if (problems.length > 0) {
    return refused(
      problem(
        'UNDO_NOT_POSSIBLE',
        `The promotion of feature flag "${name}" was not undone, since others changed what it published. Nothing was changed.`,
        { problems },
      ),
    )
  }
  return decided(
    state,
    { type: 'feature-flag.launch-undone', name },
    ...launched.promoted.flatMap(({ subgraph, before, after }) => publications(subgraph, after, before)),
  )
}

/** Returns the events that lead a subgraph from one content to another. */
function publications(name: string, from: Content, to: Content): readonly RegistryEvent[] {
  const { schema, bytes, routingUrl } = to
  return [
    ...(schema === from.schema ? [] : [{ type: 'subgraph.schema-published' as const, name, schema, bytes }]),
    ...(routingUrl === from.routingUrl ? [] : [{ type: 'subgraph.updated' as const, name, routingUrl }]),
  ]
}

/** Only what is served somewhere can be promoted, as it is served. */
function promotionProblems(state: NamespaceState, flag: FeatureFlag): readonly string[] {
  return [
    ...(flag.enabled ? [] : ['It is disabled, so that nobody is served it. Enable it first.']),
    ...(flag.featureSubgraphs.length > 0 ? [] : ['It has no feature subgraph any more.']),
    ...pairsOf(state, flag).flatMap(([member, replaced]) => {
      if (member.schema === null)
        return [
          `Feature subgraph "${member.name}" has no published schema. Publish one, or take it out of the flag.`,
        ]
      if (replaced.schema !== null) return []
      return [
        `Subgraph "${replaced.name}", which "${member.name}" replaces, has no published schema, so that it is in no graph and nothing would be replaced.`,
      ]
    }),
  ]
}

/** The feature subgraphs of the flag by name, each with the subgraph that it replaces. */
function pairsOf(
  { subgraphs }: NamespaceState,
  { featureSubgraphs }: FeatureFlag,
): readonly (readonly [member: Subgraph, replaced: Subgraph])[] {
  return featureSubgraphs.flatMap((name) => {
    const member = subgraphs.get(name)
    const replaced = member?.kind === 'feature-subgraph' ? subgraphs.get(member.base) : undefined
    return member === undefined || replaced === undefined ? [] : [[member, replaced] as const]
  })
}

function promotedBy(state: NamespaceState, flag: FeatureFlag): readonly PromotedSubgraph[] {
  return pairsOf(state, flag).flatMap(([member, replaced]) => {
    const [before, after] = [contentOf(replaced), contentOf(member)]
    if (before === null || after === null) return []
    return [{ subgraph: replaced.name, featureSubgraph: member.name, before, after }]
  })
}

function contentOf({ schema, routingUrl }: Subgraph): Content | null {
  return schema === null ? null : { schema: schema.sha256, bytes: schema.bytes, routingUrl }
}

function undoProblems(state: NamespaceState, { subgraph, after }: PromotedSubgraph): readonly string[] {
  const known = state.subgraphs.get(subgraph)
  if (known?.kind !== 'subgraph') return [`Subgraph "${subgraph}" was deleted.`]
  const differing = [
    ...(known.schema?.sha256 === after.schema ? [] : ['schema']),
    ...(known.routingUrl === after.routingUrl ? [] : ['routing URL']),
  ]
  if (differing.length === 0) return []
  return [`Subgraph "${subgraph}" has another ${differing.join(' and ')} than the promotion gave it.`]
}
