/**
 * Every rule about what a command may do. Pure: the answer holds for exactly the state it was given, so the
 * caller makes sure that the state is caught up before it believes a refusal.
 */
import { problem } from '@switchyard/contracts'
import type { Command } from './decisions/command.ts'
import { applyDesiredState } from './decisions/apply.ts'
import { type Decision, refused } from './decisions/decision.ts'
import { deleteDocuments, publishDocuments } from './decisions/documents.ts'
import {
  createFeatureFlag,
  deleteFeatureFlag,
  switchFeatureFlag,
  updateFeatureFlag,
} from './decisions/feature-flags.ts'
import {
  createFederatedGraph,
  deleteFederatedGraph,
  pinFederatedGraph,
  republishFederatedGraph,
  unpinFederatedGraph,
  updateFederatedGraph,
} from './decisions/federated-graphs.ts'
import { decidePromotion, isPromotionCommand } from './decisions/promotions.ts'
import { decidePreview, isPreviewCommand } from './decisions/previews.ts'
import { decideRollout, isRolloutCommand } from './decisions/rollouts.ts'
import { createNamespace, deleteNamespace } from './decisions/namespaces.ts'
import {
  createFeatureSubgraph,
  createSubgraph,
  deleteSubgraph,
  publishSchema,
  updateSubgraph,
} from './decisions/subgraphs.ts'
import { withinGraphLimits } from './graph-limits.ts'
import type { NamespaceState } from './state/namespace-state.ts'
import { unreachable } from './state/unreachable.ts'

export function decide(state: NamespaceState, command: Command): Decision {
  return withinGraphLimits(state, decideByRules(state, command))
}

function decideByRules(state: NamespaceState, command: Command): Decision {
  if (command.type === 'create-namespace') return createNamespace(state)
  if (!state.exists) {
    return refused(
      problem(
        'NOT_FOUND',
        `There is no namespace "${state.namespace}", so nothing was changed. Create it first, or name an existing one.`,
      ),
    )
  }
  if (isRolloutCommand(command)) return decideRollout(state, command)
  if (isPromotionCommand(command)) return decidePromotion(state, command)
  if (isPreviewCommand(command)) return decidePreview(state, command)
  switch (command.type) {
    case 'delete-namespace':
      return deleteNamespace(state)
    case 'create-federated-graph':
      return createFederatedGraph(state, command)
    case 'update-federated-graph':
      return updateFederatedGraph(state, command)
    case 'delete-federated-graph':
      return deleteFederatedGraph(state, command.name)
    case 'pin-federated-graph':
      return pinFederatedGraph(state, command)
    case 'unpin-federated-graph':
      return unpinFederatedGraph(state, command.name)
    case 'republish-federated-graph':
      return republishFederatedGraph(state, command.name)
    case 'publish-documents':
      return publishDocuments(state, command)
    case 'delete-documents':
      return deleteDocuments(state, command)
    case 'create-subgraph':
      return createSubgraph(state, command)
    case 'publish-schema':
      return publishSchema(state, command)
    case 'update-subgraph':
      return updateSubgraph(state, command)
    case 'delete-subgraph':
      return deleteSubgraph(state, command.name)
    case 'create-feature-subgraph':
      return createFeatureSubgraph(state, command)
    case 'create-feature-flag':
      return createFeatureFlag(state, command)
    case 'update-feature-flag':
      return updateFeatureFlag(state, command)
    case 'delete-feature-flag':
      return deleteFeatureFlag(state, command.name)
    case 'enable-feature-flag':
      return switchFeatureFlag(state, command.name, true)
    case 'disable-feature-flag':
      return switchFeatureFlag(state, command.name, false)
    case 'apply':
      return applyDesiredState(state, command)
    default:
      return unreachable(command)
  }
}
