/**
 * Every rule about what a command may do. Pure: the answer holds for exactly the state it was given, so the caller makes
 * sure that the state is caught up before it believes a refusal.
 */
import { MAX_SUBGRAPHS_PER_NAMESPACE, type Problem, problem, type RegistryEvent } from '@switchyard/contracts'
import type { Command, CommandOf } from './command.ts'
import { createsSomething, describeEvents } from './describe-events.ts'
import { featureFlagProblems } from './feature-flag-problems.ts'
import type { NamespaceState } from './namespace-state.ts'
import { unreachable } from './unreachable.ts'

export type Decision =
  | {
      readonly kind: 'events'
      readonly events: readonly RegistryEvent[]
      readonly message: string
      readonly created: boolean
    }
  | { readonly kind: 'unchanged'; readonly message: string }
  | { readonly kind: 'refused'; readonly problem: Problem }

export function decide(state: NamespaceState, command: Command): Decision {
  if (command.type === 'create-namespace') return createNamespace(state)
  if (!state.exists) {
    return refused(
      problem(
        'NOT_FOUND',
        `There is no namespace "${state.namespace}", so nothing was changed. Create it first, or name an existing one.`,
      ),
    )
  }
  switch (command.type) {
    case 'create-federated-graph':
      return createFederatedGraph(state, command)
    case 'create-subgraph':
      return createSubgraph(state, command)
    case 'publish-schema':
      return publishSchema(state, command)
    case 'create-feature-subgraph':
      return createFeatureSubgraph(state, command)
    case 'create-feature-flag':
      return createFeatureFlag(state, command)
    case 'enable-feature-flag':
      return switchFeatureFlag(state, command.name, true)
    case 'disable-feature-flag':
      return switchFeatureFlag(state, command.name, false)
    default:
      return unreachable(command)
  }
}

function createNamespace(state: NamespaceState): Decision {
  if (!state.exists) return events(state, { type: 'namespace.created' })
  return refused(problem('ALREADY_EXISTS', `The namespace "${state.namespace}" exists already.`))
}

function createFederatedGraph(state: NamespaceState, command: CommandOf<'create-federated-graph'>): Decision {
  if (state.graphs.has(command.name)) {
    return exists(state, `a federated graph "${command.name}"`)
  }
  return events(state, {
    type: 'federated-graph.created',
    name: command.name,
    labelMatchers: [...command.labelMatchers],
  })
}

function createSubgraph(state: NamespaceState, command: CommandOf<'create-subgraph'>): Decision {
  const obstacle = subgraphObstacle(state, command.name)
  if (obstacle !== null) return refused(obstacle)
  return events(state, {
    type: 'subgraph.created',
    name: command.name,
    routingUrl: command.routingUrl,
    labels: [...command.labels],
  })
}

function publishSchema(state: NamespaceState, command: CommandOf<'publish-schema'>): Decision {
  const { name, schema, bytes } = command
  const published: RegistryEvent = { type: 'subgraph.schema-published', name, schema, bytes }
  const subgraph = state.subgraphs.get(name)
  if (subgraph === undefined) {
    if (command.routingUrl === undefined) {
      return refused(
        problem(
          'NOT_FOUND',
          `There is no subgraph "${name}" in namespace "${state.namespace}", so no schema was published. Create it first, or give its routing URL to have it created.`,
        ),
      )
    }
    const obstacle = subgraphObstacle(state, name)
    if (obstacle !== null) return refused(obstacle)
    const labels = [...(command.labels ?? [])]
    return events(
      state,
      { type: 'subgraph.created', name, routingUrl: command.routingUrl, labels },
      published,
    )
  }
  if (subgraph.kind === 'feature-subgraph' && (command.labels ?? []).length > 0) {
    return refused(
      problem(
        'INVALID_REQUEST',
        `"${name}" is a feature subgraph, which has no labels: it takes part wherever "${subgraph.base}" does. Publish it without labels.`,
      ),
    )
  }
  if (subgraph.schema?.sha256 === schema) {
    return {
      kind: 'unchanged',
      message: `The schema of "${name}" is this one already, byte for byte; nothing was changed.`,
    }
  }
  return events(state, published)
}

function createFeatureSubgraph(
  state: NamespaceState,
  command: CommandOf<'create-feature-subgraph'>,
): Decision {
  const base = state.subgraphs.get(command.base)
  if (base === undefined) {
    return refused(
      problem(
        'BASE_SUBGRAPH_NOT_FOUND',
        `There is no subgraph "${command.base}" in namespace "${state.namespace}" that "${command.name}" could replace. Create it first.`,
      ),
    )
  }
  if (base.kind === 'feature-subgraph') {
    return refused(
      problem(
        'BASE_SUBGRAPH_NOT_FOUND',
        `"${command.base}" is itself a feature subgraph and cannot be replaced by "${command.name}". Name the subgraph that it replaces: "${base.base}".`,
      ),
    )
  }
  const obstacle = subgraphObstacle(state, command.name)
  if (obstacle !== null) return refused(obstacle)
  return events(state, {
    type: 'feature-subgraph.created',
    name: command.name,
    routingUrl: command.routingUrl,
    base: command.base,
  })
}

/** Base and feature subgraphs share one name space and one limit. */
function subgraphObstacle(state: NamespaceState, name: string): Problem | null {
  const holder = state.subgraphs.get(name)
  if (holder !== undefined) {
    const kind = holder.kind === 'subgraph' ? 'subgraph' : 'feature subgraph'
    return problem(
      'ALREADY_EXISTS',
      `There is a ${kind} "${name}" in namespace "${state.namespace}" already; subgraphs and feature subgraphs share their names. Nothing was changed.`,
    )
  }
  if (state.subgraphs.size < MAX_SUBGRAPHS_PER_NAMESPACE) return null
  return problem(
    'LIMIT_EXCEEDED',
    `Namespace "${state.namespace}" holds ${state.subgraphs.size} subgraphs and feature subgraphs, and ${MAX_SUBGRAPHS_PER_NAMESPACE} is the limit, so "${name}" was not created.`,
  )
}

function createFeatureFlag(state: NamespaceState, command: CommandOf<'create-feature-flag'>): Decision {
  const problems = featureFlagProblems(state, command)
  if (problems.length === 0) {
    return events(state, {
      type: 'feature-flag.created',
      name: command.name,
      labels: [...command.labels],
      featureSubgraphs: [...command.featureSubgraphs].sort(),
      enabled: command.enabled,
    })
  }
  if (problems.length === 1 && state.flags.has(command.name)) {
    return exists(state, `a feature flag "${command.name}"`)
  }
  const numbered = problems.map((text, index) => `${index + 1}. ${text}`).join(' ')
  return refused(
    problem(
      'FEATURE_FLAG_INVALID',
      `Feature flag "${command.name}" was not created, and nothing was changed. ${numbered}`,
      { problems: [...problems] },
    ),
  )
}

function switchFeatureFlag(state: NamespaceState, name: string, enabled: boolean): Decision {
  const flag = state.flags.get(name)
  if (flag === undefined) {
    return refused(
      problem('NOT_FOUND', `There is no feature flag "${name}" in namespace "${state.namespace}".`),
    )
  }
  if (flag.enabled === enabled) {
    const already = enabled ? 'enabled' : 'disabled'
    return {
      kind: 'unchanged',
      message: `Feature flag "${name}" is ${already} already; nothing was changed.`,
    }
  }
  return events(state, { type: enabled ? 'feature-flag.enabled' : 'feature-flag.disabled', name })
}

function events(state: NamespaceState, ...list: readonly RegistryEvent[]): Decision {
  return {
    kind: 'events',
    events: list,
    message: describeEvents(list, state.namespace),
    created: createsSomething(list),
  }
}

function exists(state: NamespaceState, what: string): Decision {
  return refused(
    problem(
      'ALREADY_EXISTS',
      `There is ${what} in namespace "${state.namespace}" already. Nothing was changed.`,
    ),
  )
}

function refused(value: Problem): Decision {
  return { kind: 'refused', problem: value }
}
