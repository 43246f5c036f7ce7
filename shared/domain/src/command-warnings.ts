/**
 * What a person should know although the command succeeded: read off the state after it, so that a repetition of the
 * command is warned of the same things.
 */
import { flagApplicability, flagMembers } from './applicability.ts'
import type { Command } from './command.ts'
import { compositionInputs } from './composition-inputs.ts'
import { type FeatureFlag, type NamespaceState, sortedByName } from './namespace-state.ts'
import { unreachable } from './unreachable.ts'

export function commandWarnings(state: NamespaceState, command: Command): readonly string[] {
  switch (command.type) {
    case 'create-federated-graph':
    case 'update-federated-graph':
    case 'unpin-federated-graph': {
      const inputs = compositionInputs(state, command.name)
      if (inputs === null || inputs.base.length > 0) return []
      return [
        `Nothing can be composed for "${command.name}" yet: no subgraph with a published schema matches its label matchers.`,
      ]
    }
    case 'publish-schema':
      return publishWarnings(state, command)
    case 'create-feature-flag':
    case 'update-feature-flag':
    case 'enable-feature-flag': {
      const flag = state.flags.get(command.name)
      return flag?.enabled === true ? flagWarnings(state, flag) : []
    }
    case 'create-namespace':
    case 'delete-namespace':
    case 'delete-federated-graph':
    case 'pin-federated-graph':
    case 'create-subgraph':
    case 'update-subgraph':
    case 'delete-subgraph':
    case 'create-feature-subgraph':
    case 'delete-feature-flag':
    case 'disable-feature-flag':
      return []
    default:
      return unreachable(command)
  }
}

function publishWarnings(
  state: NamespaceState,
  command: Extract<Command, { type: 'publish-schema' }>,
): readonly string[] {
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
  if (subgraph.kind === 'feature-subgraph') {
    const flags = [...state.flags.values()].filter(
      (flag) => flag.enabled && flag.featureSubgraphs.includes(subgraph.name),
    )
    if (flags.length === 0) {
      warnings.push(`"${subgraph.name}" is in no enabled feature flag, so nothing is composed with it.`)
    }
  }
  return warnings
}

function flagWarnings(state: NamespaceState, flag: FeatureFlag): readonly string[] {
  const { unpublished } = flagMembers(state, flag)
  const warnings = unpublished.map(
    (name) =>
      `Feature subgraph "${name}" has no published schema and is left out of "${flag.name}" until it has.`,
  )
  let applies = false
  for (const graph of sortedByName(state.graphs.values())) {
    const applicability = flagApplicability(state, graph, flag)
    if (applicability.kind === 'applies') applies = true
    if (applicability.kind !== 'base-missing') continue
    const bases = applicability.bases.map((base) => `"${base}"`).join(', ')
    warnings.push(
      `"${flag.name}" does not apply to federated graph "${graph.name}": it replaces ${bases}, which takes no part in that graph.`,
    )
  }
  if (!applies) {
    warnings.push(`"${flag.name}" applies to no federated graph now, so nothing is composed with it.`)
  }
  return warnings
}
