import type { CommandOf } from './command.ts'
import { featureFlagProblems } from './feature-flag-problems.ts'
import type { NamespaceState } from '../state/namespace-state.ts'
import { decided, type Decision, existsAlready, invalid, notFound, sameSet, unchanged } from './decision.ts'

export function createFeatureFlag(
  state: NamespaceState,
  command: CommandOf<'create-feature-flag'>,
): Decision {
  const { name, featureSubgraphs } = command
  const taken = state.flags.has(name)
    ? [`There is a feature flag "${name}" in namespace "${state.namespace}" already; choose another name.`]
    : []
  const problems = [...taken, ...featureFlagProblems(state, featureSubgraphs)]
  if (problems.length === 0) {
    return decided(state, {
      type: 'feature-flag.created',
      name,
      labels: [...command.labels],
      featureSubgraphs: [...featureSubgraphs].sort(),
      enabled: command.enabled,
    })
  }
  if (problems.length === taken.length) return existsAlready(state, `a feature flag "${name}"`)
  return invalid('FEATURE_FLAG_INVALID', `Feature flag "${name}" was not created`, problems)
}

export function updateFeatureFlag(
  state: NamespaceState,
  { name, labels, featureSubgraphs }: CommandOf<'update-feature-flag'>,
): Decision {
  const flag = state.flags.get(name)
  if (flag === undefined)
    return notFound(state, `feature flag "${name}"`, { name, known: state.flags.keys() })
  const problems = featureSubgraphs === undefined ? [] : featureFlagProblems(state, featureSubgraphs)
  if (problems.length > 0) {
    return invalid('FEATURE_FLAG_INVALID', `Feature flag "${name}" was not updated`, problems)
  }
  const change = {
    ...(labels === undefined || sameSet(labels, flag.labels) ? {} : { labels: [...labels] }),
    ...(featureSubgraphs === undefined || sameSet(featureSubgraphs, flag.featureSubgraphs)
      ? {}
      : { featureSubgraphs: [...featureSubgraphs].sort() }),
  }
  if (Object.keys(change).length === 0) return unchanged(`Feature flag "${name}" is like this already`)
  return decided(state, { type: 'feature-flag.updated', name, ...change })
}

export function switchFeatureFlag(state: NamespaceState, name: string, enabled: boolean): Decision {
  const flag = state.flags.get(name)
  if (flag === undefined)
    return notFound(state, `feature flag "${name}"`, { name, known: state.flags.keys() })
  if (flag.enabled === enabled) {
    return unchanged(`Feature flag "${name}" is ${enabled ? 'enabled' : 'disabled'} already`)
  }
  return decided(state, { type: enabled ? 'feature-flag.enabled' : 'feature-flag.disabled', name })
}

export function deleteFeatureFlag(state: NamespaceState, name: string): Decision {
  if (!state.flags.has(name))
    return notFound(state, `feature flag "${name}"`, { name, known: state.flags.keys() })
  return decided(state, { type: 'feature-flag.deleted', name })
}
