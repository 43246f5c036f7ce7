import { DEFAULT_NAMESPACE, problem } from '@switchyard/contracts'
import type { NamespaceState } from '../state/namespace-state.ts'
import { decided, type Decision, refused } from './decision.ts'

export function createNamespace(state: NamespaceState): Decision {
  if (!state.exists) return decided(state, { type: 'namespace.created' })
  return refused(
    problem('ALREADY_EXISTS', `The namespace "${state.namespace}" exists already. Nothing was changed.`),
  )
}

export function deleteNamespace(state: NamespaceState): Decision {
  if (state.namespace !== DEFAULT_NAMESPACE) return decided(state, { type: 'namespace.deleted' })
  return refused(
    problem(
      'NAMESPACE_PROTECTED',
      `The namespace "${DEFAULT_NAMESPACE}" always exists and cannot be deleted. Delete the graphs, subgraphs and flags in it one by one.`,
    ),
  )
}
