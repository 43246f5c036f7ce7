/**
 * The graphs that a command is about, whether it changes anything or not: who repeats a command that took
 * effect before wants to know what became of it.
 */
import { contains, flagsWith, hasFlag, hasPreview } from './affected-graphs.ts'
import type { Command } from './decisions/command.ts'
import { isPromotionCommand } from './decisions/promotions.ts'
import type { NamespaceState } from './state/namespace-state.ts'

type Names = Partial<Record<'graphs' | 'subgraphs' | 'flags' | 'rollouts' | 'previews', readonly string[]>>

/** Sorted names of the graphs that the command names, or in which something takes part that it names. */
export function namedGraphs(state: NamespaceState, command: Command): readonly string[] {
  const { graphs = [], subgraphs = [], flags = [], rollouts = [], previews = [] } = namesIn(command)
  const named = new Set([...graphs, ...rollouts.flatMap((name) => state.rollouts.get(name)?.graph ?? [])])
  const parts = new Set([...subgraphs, ...promotedBy(state, command)])
  const ownFlags = new Set([...flags, ...flagsWith(state, parts)])
  const found = [...state.graphs.values()].filter(
    (graph) =>
      named.has(graph.name) ||
      contains(state, graph, parts) ||
      hasFlag(state, graph, ownFlags) ||
      hasPreview(state, graph, new Set(previews)),
  )
  return found.map(({ name }) => name).sort()
}

/** The subgraphs that a promotion changed: they are in graphs without the flag, too. */
function promotedBy(state: NamespaceState, command: Command): readonly string[] {
  if (!isPromotionCommand(command)) return []
  return state.flags.get(command.name)?.launched?.promoted.map(({ subgraph }) => subgraph) ?? []
}

function namesIn(command: Command): Names {
  switch (command.type) {
    case 'create-namespace':
    case 'delete-namespace':
    case 'set-preview-hosts':
    case 'expire-preview':
      return {}
    case 'create-federated-graph':
    case 'update-federated-graph':
    case 'delete-federated-graph':
    case 'pin-federated-graph':
    case 'unpin-federated-graph':
    case 'republish-federated-graph':
      return { graphs: [command.name] }
    case 'publish-documents':
    case 'delete-documents':
      return { graphs: [command.graph] }
    case 'create-subgraph':
    case 'publish-schema':
    case 'update-subgraph':
    case 'delete-subgraph':
    case 'create-feature-subgraph':
      return { subgraphs: [command.name] }
    case 'create-feature-flag':
    case 'update-feature-flag':
    case 'delete-feature-flag':
    case 'enable-feature-flag':
    case 'disable-feature-flag':
    case 'promote-feature-flag':
    case 'undo-promotion':
      return { flags: [command.name] }
    case 'create-rollout':
      return { graphs: [command.graph] }
    case 'update-rollout':
    case 'ramp-rollout':
    case 'advance-rollout':
    case 'pause-rollout':
    case 'end-ramp-of-rollout':
    case 'abort-rollout':
    case 'resume-rollout':
    case 'complete-rollout':
    case 'delete-rollout':
      return { rollouts: [command.name] }
    case 'create-preview':
    case 'update-preview':
    case 'delete-preview':
      return { previews: [command.name] }
    case 'apply': {
      const names = (parts: readonly { readonly name: string }[]) => parts.map(({ name }) => name)
      return {
        graphs: names(command.graphs),
        subgraphs: [...names(command.subgraphs), ...names(command.featureSubgraphs)],
        flags: names(command.featureFlags),
        rollouts: names(command.rollouts ?? []),
      }
    }
    default:
      return command satisfies never
  }
}
