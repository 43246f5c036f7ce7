/**
 * Warnings that a person should read although the command succeeded. They are derived from the state after
 * the command, so that its repetition gives the same warnings.
 */
import { type Applicability, flagApplicability, flagApplies, flagMembers } from './applicability.ts'
import type { Command, CommandOf } from './decisions/command.ts'
import { isRolloutCommand, type RolloutCommand } from './decisions/rollouts.ts'
import { isPreviewCommand } from './decisions/previews.ts'
import { compositionInputs } from './composition-inputs.ts'
import { isPromotionCommand, type PromotionCommand } from './decisions/promotions.ts'
import { isLaunched } from './state/launches.ts'
import {
  type FeatureFlag,
  type NamespaceState,
  sortedByName,
  type Subgraph,
} from './state/namespace-state.ts'
import { unreachable } from './state/unreachable.ts'

/**
 * Returns the warnings of a command. `affected` holds the graphs for which the command caused a composition.
 */
export function commandWarnings(
  state: NamespaceState,
  command: Command,
  affected: readonly string[],
): readonly string[] {
  if (isRolloutCommand(command)) return releases(command) ? rolloutWarnings(state, [command.name]) : []
  if (isPromotionCommand(command)) return promotionWarnings(state, command, affected)
  // Previews of a graph that is held are served, too.
  if (isPreviewCommand(command)) return []
  switch (command.type) {
    case 'create-federated-graph':
      return emptyGraphs(state, [command.name]).map((name) => `${nothingFor(name, 'yet')}.`)
    case 'republish-federated-graph':
    case 'unpin-federated-graph':
      return nothingLeft(state, [command.name])
    case 'update-federated-graph':
      return [
        ...nothingLeft(state, [command.name]),
        ...enabledFlags(state).flatMap((flag) => missingBases(state, flag, [command.name])),
        ...heldGraphs(state, affected),
      ]
    case 'publish-schema':
      return [...publishWarnings(state, command), ...heldGraphs(state, affected)]
    case 'update-subgraph':
      return [
        ...updateWarnings(state, command),
        ...nothingLeft(state, affected),
        ...heldGraphs(state, affected),
      ]
    case 'delete-subgraph':
      return [...nothingLeft(state, affected), ...heldGraphs(state, affected)]
    case 'create-feature-flag':
    case 'update-feature-flag':
    case 'enable-feature-flag': {
      const flag = state.flags.get(command.name)
      return [...(flag?.enabled === true ? flagWarnings(state, flag) : []), ...heldGraphs(state, affected)]
    }
    case 'apply':
      return applyWarnings(state, command, affected)
    case 'delete-federated-graph':
      return stillServed([command.name])
    case 'delete-namespace':
      return stillServed(affected)
    case 'create-namespace':
    case 'pin-federated-graph':
    case 'create-subgraph':
    case 'publish-documents':
    case 'delete-documents':
    case 'create-feature-subgraph':
    // What is switched off leaves a graph that is held, too.
    case 'delete-feature-flag':
    case 'disable-feature-flag':
      return []
    default:
      return unreachable(command)
  }
}

/** Returns the warnings of the commands that an `apply` stands for, each once. */
function applyWarnings(
  state: NamespaceState,
  { graphs, featureSubgraphs, featureFlags, rollouts = [] }: CommandOf<'apply'>,
  affected: readonly string[],
): readonly string[] {
  const flags = new Set(featureFlags.map(({ name }) => name))
  const named = enabledFlags(state).filter(({ name }) => flags.has(name))
  const unused = featureSubgraphs.flatMap(({ name, schema }) => {
    const subgraph = state.subgraphs.get(name)
    return schema === undefined || subgraph === undefined ? [] : memberWarnings(state, subgraph)
  })
  const warnings = [
    ...emptyGraphs(
      state,
      graphs.map(({ name }) => name),
    ).map((name) => `${nothingFor(name, 'now')}.`),
    ...unused,
    ...named.flatMap((flag) => flagWarnings(state, flag)),
    ...rolloutWarnings(
      state,
      rollouts.map(({ name }) => name),
    ),
    ...heldGraphs(state, affected),
    ...stillServed(affected.filter((graph) => !state.graphs.has(graph))),
  ]
  return [...new Set(warnings)]
}

/** Whether the command is to let somebody get the flag. */
function releases({ type }: RolloutCommand): boolean {
  return RELEASING.has(type)
}

const RELEASING: ReadonlySet<RolloutCommand['type']> = new Set([
  'create-rollout',
  'update-rollout',
  'ramp-rollout',
  'resume-rollout',
  'complete-rollout',
])

/** Warns of rollouts that have no effect, since the graph does not have their flag. */
function rolloutWarnings(state: NamespaceState, names: readonly string[]): readonly string[] {
  return names.flatMap((name) => {
    const rollout = state.rollouts.get(name)
    const graph = state.graphs.get(rollout?.graph ?? '')
    const flag = state.flags.get(rollout?.flag ?? '')
    if (rollout === undefined || graph === undefined || flag === undefined) return []
    if (flagApplies(state, graph, flag)) return []
    const why = flag.enabled ? 'does not take part in it' : 'is disabled'
    return [
      `Rollout "${name}" ${rollout.mode === 'shadow' ? 'compares nothing' : 'selects nobody'} in federated graph "${graph.name}", since feature flag "${flag.name}" ${why}.`,
    ]
  })
}

function promotionWarnings(
  state: NamespaceState,
  { type, name }: PromotionCommand,
  affected: readonly string[],
): readonly string[] {
  const needless = type === 'promote-feature-flag' ? needlessRollouts(state, name) : []
  return [...needless, ...heldGraphs(state, affected)]
}

/** Warns of rollouts that choose between the base graph and itself. They are kept for an undo. */
function needlessRollouts(state: NamespaceState, name: string): readonly string[] {
  const rollouts = sortedByName(state.rollouts.values()).filter(({ flag }) => flag === name)
  return rollouts.map(
    (rollout) =>
      `Rollout "${rollout.name}" ${rollout.mode === 'shadow' ? 'compares the base graph with itself' : 'makes no difference any more'}, since feature flag "${name}" is the base graph now. Delete it when nobody wants to undo the promotion.`,
  )
}

/** Warns that a flag is the base graph no longer, because its feature subgraphs are not what was promoted. */
function endedLaunch(state: NamespaceState, flag: FeatureFlag): readonly string[] {
  if (flag.launched === null || isLaunched(state, flag)) return []
  return [
    `Feature flag "${flag.name}" was launched, and its feature subgraphs were changed since: it is served beside the base again, until it is promoted again.`,
  ]
}

/** Deleting a graph is no way to stop its traffic. */
function stillServed(graphs: readonly string[]): readonly string[] {
  return graphs.map(
    (graph) =>
      `Routers of federated graph "${graph}" keep serving its last composition until they are stopped, or until a graph of this name is created and composed.`,
  )
}

function nothingLeft(state: NamespaceState, graphs: readonly string[]): readonly string[] {
  return emptyGraphs(state, graphs).map(
    (name) => `${nothingFor(name, 'now')}. Routers keep the base that they have.`,
  )
}

function emptyGraphs(state: NamespaceState, graphs: readonly string[]): readonly string[] {
  return graphs.filter((graph) => compositionInputs(state, graph)?.base.length === 0)
}

function nothingFor(graph: string, when: 'yet' | 'now'): string {
  return `Nothing can be composed for "${graph}" ${when}: no subgraph with a published schema matches its label matchers`
}

function heldGraphs(state: NamespaceState, graphs: readonly string[]): readonly string[] {
  return graphs.flatMap((graph) => {
    const pinned = state.graphs.get(graph)?.pinnedRevision ?? null
    if (pinned === null) return []
    return [
      `Federated graph "${graph}" is held on revision ${pinned}: whatever is newer is not served until it is released.`,
    ]
  })
}

function publishWarnings(state: NamespaceState, command: CommandOf<'publish-schema'>): readonly string[] {
  const subgraph = state.subgraphs.get(command.name)
  if (subgraph === undefined) return []
  const warnings: string[] = []
  if (command.routingUrl !== undefined && command.routingUrl !== subgraph.routingUrl) {
    warnings.push(
      `"${command.name}" existed already: its routing URL is still ${subgraph.routingUrl}. Publishing changes the schema only.`,
    )
  }
  const labels = [...new Set(command.labels)].sort()
  if (
    subgraph.kind === 'subgraph' &&
    command.labels !== undefined &&
    labels.join() !== subgraph.labels.join()
  ) {
    warnings.push(
      `"${command.name}" existed already: its labels are still ${subgraph.labels.join(' ') || 'none'}. Publishing changes the schema only.`,
    )
  }
  return subgraph.kind === 'feature-subgraph' ? [...warnings, ...memberWarnings(state, subgraph)] : warnings
}

/** A schema of its own makes a feature subgraph count, and so may move its flags onto graphs or off them. */
function memberWarnings(state: NamespaceState, { name }: Subgraph): readonly string[] {
  const flags = enabledFlags(state).filter((flag) => flag.featureSubgraphs.includes(name))
  if (flags.length === 0) return [`"${name}" is in no enabled feature flag, so nothing is composed with it.`]
  return flags.flatMap((flag) => flagWarnings(state, flag))
}

/**
 * New labels may take a base away from under the flags that replace it, and another URL of a feature subgraph
 * is not what was promoted.
 */
function updateWarnings(
  state: NamespaceState,
  { name, labels }: CommandOf<'update-subgraph'>,
): readonly string[] {
  if (state.subgraphs.get(name)?.kind === 'feature-subgraph') {
    const flags = enabledFlags(state).filter(({ featureSubgraphs }) => featureSubgraphs.includes(name))
    return flags.flatMap((flag) => endedLaunch(state, flag))
  }
  if (labels === undefined) return []
  return enabledFlags(state)
    .filter((flag) => flagMembers(state, flag).published.some((member) => member.base === name))
    .flatMap((flag) => [...missingBases(state, flag, graphNames(state)), ...appliesNowhere(state, flag)])
}

function flagWarnings(state: NamespaceState, flag: FeatureFlag): readonly string[] {
  return [
    ...endedLaunch(state, flag),
    ...flagMembers(state, flag).unpublished.map(
      (name) =>
        `Feature subgraph "${name}" has no published schema and is left out of "${flag.name}" until it has.`,
    ),
    ...missingBases(state, flag, graphNames(state)),
    ...appliesNowhere(state, flag),
  ]
}

function missingBases(
  state: NamespaceState,
  flag: FeatureFlag,
  graphs: readonly string[],
): readonly string[] {
  return graphs.flatMap((graph) => {
    const applicability = applicabilityIn(state, graph, flag)
    if (applicability?.kind !== 'base-missing') return []
    const bases = applicability.bases.map((base) => `"${base}"`).join(', ')
    return [
      `"${flag.name}" does not apply to federated graph "${graph}": it replaces ${bases}, which takes no part in that graph.`,
    ]
  })
}

function appliesNowhere(state: NamespaceState, flag: FeatureFlag): readonly string[] {
  const applies = graphNames(state).some((graph) => applicabilityIn(state, graph, flag)?.kind === 'applies')
  if (applies) return []
  return [`"${flag.name}" applies to no federated graph now, so nothing is composed with it.`]
}

function applicabilityIn(state: NamespaceState, graphName: string, flag: FeatureFlag): Applicability | null {
  const graph = state.graphs.get(graphName)
  return graph === undefined ? null : flagApplicability(state, graph, flag)
}

function graphNames(state: NamespaceState): readonly string[] {
  return sortedByName(state.graphs.values()).map((graph) => graph.name)
}

function enabledFlags(state: NamespaceState): readonly FeatureFlag[] {
  return sortedByName(state.flags.values()).filter((flag) => flag.enabled)
}
